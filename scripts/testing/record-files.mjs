// A reporter for vitest: writes down each file as it ends, so that a run that is cut short keeps what it saw.
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'

export default class RecordFiles {
  onTestModuleEnd(module) {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state in counts) counts[state] += 1
    }
    const isOk = module.state() === 'passed'
    // A file that could not be loaded has no failed test, and is a failure all the same.
    if (!isOk && counts.failed === 0) counts.failed = 1
    const record = {
      project: module.project.name,
      file: relative(process.cwd(), module.moduleId),
      seconds: Math.round(module.diagnostic().duration / 100) / 10,
      ...counts,
    }
    appendFileSync(process.env.AXIOM_TEST_RECORD, `${JSON.stringify(record)}\n`)
  }
}
