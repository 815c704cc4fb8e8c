import { describe, expect, it } from 'vitest'
import type { CommandEnding, CommandResult } from '../../platform/process/run-command.ts'
import { judgeRun, programOf } from './judge-run.ts'
import { proofEnvironment } from './proof-environment.ts'

function run(ending: CommandEnding | number, stdout = ''): CommandResult {
  const whole = typeof ending === 'number' ? { kind: 'exited' as const, exitCode: ending } : ending
  return { ending: whole, stdout, stderr: '', truncated: false, durationMs: 1 }
}

const LONG = 'a line\n'.repeat(20)

describe('a trial', () => {
  it.each([
    [run(0, '# tests 3'), { kind: 'passed' }],
    [run(1, `${LONG}sh: helper: not found`), { kind: 'failed', exitCode: 1 }],
    [run(1, 'No module named pytest'), { kind: 'tool-missing', tool: 'pytest' }],
    [run(127, `${LONG}sh: 1: vitest: not found`), { kind: 'tool-missing', tool: 'vitest' }],
    [run(101, 'error: no such command: `clippy`'), { kind: 'tool-missing', tool: 'clippy' }],
    [run({ kind: 'timed-out' }), { kind: 'timed-out' }],
    [run({ kind: 'killed', signal: 'SIGSEGV' }), { kind: 'not-run', reason: 'ended by SIGSEGV' }],
    [
      run(1, `[ERROR] Could not transfer artifact x: Unknown host`),
      expect.objectContaining({ kind: 'not-run' }),
    ],
    [run(1, `${LONG}AssertionError: Unknown host was expected`), { kind: 'failed', exitCode: 1 }],
    [run(0, '# tests 0\n# pass 0'), { kind: 'no-tests' }],
    [run(0, 'Ran 0 tests in 0.000s\n\nOK'), { kind: 'no-tests' }],
    [run(5, 'collected 0 items\n\nno tests ran in 0.01s'), { kind: 'no-tests' }],
    [run(0, '?   \texample.com/a\t[no test files]'), { kind: 'no-tests' }],
    [run(0, 'ok  \texample.com/a\t0.1s\n?   \texample.com/b\t[no test files]'), { kind: 'passed' }],
    [run(0, 'test result: ok. 0 passed; 0 failed\ntest result: ok. 0 passed'), { kind: 'no-tests' }],
    [run(0, 'test result: ok. 4 passed; 0 failed\ntest result: ok. 0 passed'), { kind: 'passed' }],
  ])('%# is judged by what it shows', (result, expected) => {
    expect(judgeRun('test', result)).toEqual(expected)
  })

  it('asks for tests only where tests are meant', () => {
    expect(judgeRun('build', run(0, '# tests 0'))).toEqual({ kind: 'passed' })
  })

  it.each([
    ['npm test', 'npm'],
    ['CI=true npm test', 'npm'],
    ['./gradlew test', undefined],
    ['.venv/bin/python -m pytest', undefined],
  ])('of %s starts the program %s', (command, program) => {
    expect(programOf(command)).toBe(program)
  })

  it('sees tool chains and no secrets', () => {
    const env = {
      PATH: '/bin',
      HOME: '/h',
      CARGO_HOME: '/c',
      ANTHROPIC_API_KEY: 'x',
      NPM_CONFIG__AUTH: 'x',
      CARGO_REGISTRY_TOKEN: 'x',
      DATABASE_URL: 'x',
    }
    expect(proofEnvironment(env, '/t')).toEqual({
      PATH: '/bin',
      HOME: '/h',
      CARGO_HOME: '/c',
      CI: '1',
      TMPDIR: '/t',
    })
  })
})
