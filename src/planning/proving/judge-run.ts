import type { CommandResult } from '../../platform/process/run-command.ts'
import type { CommandKind } from '../detection/detected.ts'

/**
 * The result of one trial of a command. Only `passed` and `failed` say something about the project itself.
 */
export type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly exitCode: number }
  | { readonly kind: 'no-tests' }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'tool-missing'; readonly tool: string }
  | { readonly kind: 'not-run'; readonly reason: string }

const NOT_FOUND_EXIT_CODE = 127
/** pytest's own exit code for a collection without tests. */
const PYTEST_NO_TESTS_EXIT_CODE = 5

const MISSING_TOOL: readonly RegExp[] = [
  /No module named '?([\w.-]+)'?$/m,
  /no such (?:sub)?command: [`'"]?([\w-]+)/,
  /'([\w-]+)' is not installed for the toolchain/,
  /([\w./-]+): (?:command )?not found/,
  /could not determine executable to run/,
]

const NO_TESTS: readonly RegExp[] = [
  /^(?:# |ℹ )tests 0$/m,
  /^Ran 0 tests in/m,
  /No test(?:s| files?)? found/i,
  /No tests to run/i,
  /\b0 passing\b/,
]

/**
 * Build tools download their own parts; a failure to do so without a network says nothing about the project.
 */
const NOT_LOADED: readonly RegExp[] = [
  /^\[ERROR\].*(?:could not be resolved|Could not transfer artifact|Non-resolvable|Unknown host)/m,
  /^\s*> Could not (?:resolve|GET|download)/m,
  /^(?:error|warning): (?:failed to (?:download|get|fetch)|spurious network error)/m,
  /^go: .*dial tcp/m,
  /error NU1301/,
]

export function judgeRun(kind: CommandKind | 'setup', { ending, stdout, stderr }: CommandResult): Outcome {
  const output = `${stdout}\n${stderr}`
  switch (ending.kind) {
    case 'timed-out':
      return { kind: 'timed-out' }
    case 'not-started':
      return { kind: 'not-run', reason: ending.reason }
    case 'killed':
      return { kind: 'not-run', reason: `ended by ${ending.signal}` }
    case 'exited':
      if (kind === 'test' && sawNoTests(ending.exitCode, output)) return { kind: 'no-tests' }
      if (ending.exitCode === 0) return { kind: 'passed' }
      if (NOT_LOADED.some((pattern) => pattern.test(output))) {
        return { kind: 'not-run', reason: 'the tool could not load what it needs; is there a network?' }
      }
      return missingTool(ending.exitCode, output) ?? { kind: 'failed', exitCode: ending.exitCode }
  }
}

function sawNoTests(exitCode: number, output: string): boolean {
  if (exitCode === PYTEST_NO_TESTS_EXIT_CODE && /no tests ran|collected 0 items/.test(output)) return true
  if (exitCode !== 0) return false
  const cargo = [...output.matchAll(/^test result: ok\. (\d+) passed/gm)]
  if (cargo.length > 0) return cargo.every((match) => match[1] === '0')
  if (/\[no test files\]/.test(output) && !/^ok\b/m.test(output)) return true
  return NO_TESTS.some((pattern) => pattern.test(output))
}

/**
 * A red test may print anything, so the text counts only when the shell, or the tool itself, could not start.
 */
function missingTool(exitCode: number, output: string): Outcome | undefined {
  const lines = output.trim().split('\n')
  const said = exitCode === NOT_FOUND_EXIT_CODE || lines.length <= 5
  if (!said) return undefined
  for (const pattern of MISSING_TOOL) {
    const match = pattern.exec(output)
    if (match) return { kind: 'tool-missing', tool: match[1] ?? 'the program' }
  }
  return exitCode === NOT_FOUND_EXIT_CODE ? { kind: 'tool-missing', tool: 'the program' } : undefined
}

/** The program that a command line starts with, when it is one that must be on the PATH. */
export function programOf(command: string): string | undefined {
  const first = command.replace(/^(?:[A-Z_]+=\S+\s+)+/, '').split(/\s+/)[0] ?? ''
  return first === '' || first.includes('/') ? undefined : first
}
