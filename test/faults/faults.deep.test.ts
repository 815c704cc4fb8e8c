import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FAULTS, type Fault } from './faults.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const RUN_MS_MAX = 180_000

let scratch: string
const seconds: string[] = []

/** A copy of the checkout that may be broken; packages are the same. */
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'axiom-faults-'))
  chmodSync(scratch, 0o755)
  const names = execFileSync('git', ['-C', ROOT, 'ls-files', '-z'], { encoding: 'utf8' }).split('\0')
  for (const name of names.filter((path) => path !== '' && existsSync(join(ROOT, path)))) {
    mkdirSync(dirname(join(scratch, name)), { recursive: true })
    copyFileSync(join(ROOT, name), join(scratch, name))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(scratch, 'node_modules'))
})

afterAll(() => {
  rmSync(scratch, { recursive: true, force: true })
  process.stdout.write(`\n${seconds.join('\n')}\n`)
})

interface Outcome {
  readonly passed: number
  /** What each failed test said. */
  readonly failures: readonly string[]
}

interface Report {
  readonly numPassedTests: number
  readonly testResults: readonly {
    readonly message: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

function runTest({ test, only }: Pick<Fault, 'test' | 'only'>): Outcome {
  const report = join(scratch, 'report.json')
  rmSync(report, { force: true })
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(scratch, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config',
      join(scratch, 'test/faults/programs/vitest.config.mjs'),
      ...['--reporter', 'json', `--outputFile.json=${report}`],
      ...(only === undefined ? [] : ['-t', only]),
      test,
    ],
    { cwd: scratch, encoding: 'utf8', timeout: RUN_MS_MAX, killSignal: 'SIGKILL' },
  )
  if (!existsSync(report)) throw new Error(`${test} was not run: ${stdout} ${stderr}`)
  const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const failures = testResults.flatMap(({ message, assertionResults }) => [
    ...(message === '' ? [] : [message]),
    ...assertionResults.flatMap((result) => (result.status === 'failed' ? result.failureMessages : [])),
  ])
  return { passed: numPassedTests, failures }
}

function timedTest(name: string, fault: Fault): Outcome {
  const begunMs = Date.now()
  const outcome = runTest(fault)
  const took = ((Date.now() - begunMs) / 1_000).toFixed(1).padStart(6)
  const said = outcome.failures[0]?.split('\n')[0]?.slice(0, 100) ?? ''
  seconds.push(`${took} s  ${name}  ${said}`)
  return outcome
}

const runs = [...new Map(FAULTS.map((fault) => [`${fault.test} ${fault.only ?? ''}`, fault])).values()]

describe('without a fault', () => {
  it.each(runs)('$test is green', (fault) => {
    const { passed, failures } = timedTest(`green: ${fault.test} ${fault.only ?? ''}`, fault)
    expect(failures).toEqual([])
    expect(passed).toBeGreaterThan(0)
  })
})

describe('a fault turns its test red', () => {
  it.each(FAULTS)('$name', (fault) => {
    const path = join(scratch, fault.file)
    const text = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      text.replace(fault.find, () => fault.replace),
    )
    try {
      // An expectation that failed, not a file or a preparation that could not be run.
      expect(timedTest(`red: ${fault.name}`, fault).failures.join('\n')).toContain('AssertionError')
    } finally {
      writeFileSync(path, text)
    }
  })
})
