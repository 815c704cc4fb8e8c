// A reporter for vitest: records each file when it ends, so that an interrupted run keeps its results.
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
    // A file that failed to load has no failed test, but still counts as a failure.
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
