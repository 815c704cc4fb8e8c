import { createHash } from 'node:crypto'
import type { Check } from '../config/work-options.ts'
import type { CommandResult } from '../platform/process/run-command.ts'
import type { RunInSandbox } from '../platform/process/run-line.ts'
import { UNATTENDED } from '../platform/process/unattended.ts'
import { countTests, type TestCounts } from './count-tests.ts'
import { readReports } from './read-reports.ts'
import { trimOutput } from './trim-output.ts'

export type CheckCode = 'VERIFICATION_FAILED' | 'VERIFICATION_TIMEOUT' | 'VERIFICATION_SKIPPED'

/** One check in one environment, with its evidence. */
export interface CheckResult {
  readonly name: string
  readonly command: string
  /** The name of the set of variables; undefined when the check has none. */
  readonly environment: string | undefined
  readonly required: boolean
  /** Undefined when the check passed. */
  readonly code: CheckCode | undefined
  /** A sentence for people and agents when it did not pass. */
  readonly reason: string
  /** It failed, and passed when it ran again on the same commit. */
  readonly flaky: boolean
  /** Undefined when no known runner was recognised: the count is unknown. */
  readonly tests: TestCounts | undefined
  readonly output: string
  readonly outputDigest: string
  /** The output as it goes back to the agent. */
  readonly feedback: string
  readonly durationMs: number
}

export type Verification =
  /** No check is configured; the UI must show this prominently. */
  | { readonly kind: 'empty'; readonly code: 'VERIFICATION_EMPTY' }
  | { readonly kind: 'passed' | 'failed'; readonly checks: readonly CheckResult[] }

export interface CheckRequest {
  readonly checkout: string
  readonly checks: readonly Check[]
  readonly task: string
  readonly agent: string
  readonly iteration: number
  /** Variables of the slot and of the configuration. */
  readonly environment: Readonly<Record<string, string>>
  /** Whether the checks after a red required one are skipped. */
  readonly stopAtFirst: boolean
  /** Whether a red check runs once more in the same checkout. Without it a caller repeats, on a fresh one. */
  readonly repeatsRed?: boolean
  readonly run: RunInSandbox
  readonly now: () => number
}

const OUTPUT_BYTES_MAX = 4 * 1024 * 1024

/** Checks that a task defines count like those of the project. */
export function checksFor(project: readonly Check[], task: readonly string[], timeoutSeconds = 300): Check[] {
  const own = task
    .filter((command) => !project.some((check) => check.command === command))
    .map((command) => ({ name: command, command, timeout: timeoutSeconds, required: true, environments: {} }))
  return [...project, ...own]
}

/** Runs every check in every of its environments, one after the other. */
export async function runChecks(request: CheckRequest): Promise<Verification> {
  if (request.checks.length === 0) return { kind: 'empty', code: 'VERIFICATION_EMPTY' }
  const results: CheckResult[] = []
  for (const check of request.checks) {
    const environments = Object.entries(check.environments)
    for (const [environment, variables] of environments.length > 0
      ? environments
      : [[undefined, {}] as const]) {
      const stopped = request.stopAtFirst && results.some(isRed)
      results.push(
        stopped ? skipped(check, environment) : await runCheck(request, check, environment, variables),
      )
    }
  }
  return { kind: results.some(isRed) ? 'failed' : 'passed', checks: results }
}

/** Whether this result keeps a change from landing. */
export function isRed({ required, code }: CheckResult): boolean {
  return required && code !== undefined
}

function skipped(check: Check, environment: string | undefined): CheckResult {
  return {
    ...identity(check, environment),
    code: 'VERIFICATION_SKIPPED',
    reason: 'It was not run, because an earlier check is red.',
    flaky: false,
    tests: undefined,
    ...evidence(''),
    durationMs: 0,
  }
}

async function runCheck(
  request: CheckRequest,
  check: Check,
  environment: string | undefined,
  variables: Readonly<Record<string, string>>,
): Promise<CheckResult> {
  const once = async (): Promise<CheckResult> => {
    const startedAtMs = request.now()
    const ended = await request.run({
      line: check.command,
      cwd: request.checkout,
      environment: {
        ...UNATTENDED,
        ...request.environment,
        ...variables,
        AXIOM_TASK_ID: request.task,
        AXIOM_AGENT: request.agent,
        AXIOM_ITERATION: String(request.iteration),
      },
      timeoutMs: check.timeout * 1000,
      outputMaxBytes: OUTPUT_BYTES_MAX,
    })
    const output = joined(ended)
    const tests = countTests(output) ?? (await readReports(request.checkout, startedAtMs))
    return {
      ...identity(check, environment),
      ...judge(ended, tests, check.timeout),
      flaky: false,
      tests,
      ...evidence(output),
      durationMs: ended.durationMs,
    }
  }
  const first = await once()
  // Repeating a timeout costs the most and shows the least; a run without tests stays one when repeated.
  if (request.repeatsRed === false || first.code !== 'VERIFICATION_FAILED' || first.reason === NO_TESTS)
    return first
  const second = await once()
  return second.code === undefined ? { ...second, flaky: true } : first
}

const NO_TESTS = 'The test runner ended well but ran no test; a check without tests proves nothing.'

/** An exit code of zero is not enough where the runner says that it ran nothing. */
function judge(
  { ending }: CommandResult,
  tests: TestCounts | undefined,
  timeoutSeconds: number,
): Pick<CheckResult, 'code' | 'reason'> {
  switch (ending.kind) {
    case 'timed-out':
      return {
        code: 'VERIFICATION_TIMEOUT',
        reason: `It did not end within ${timeoutSeconds} s and was killed.`,
      }
    case 'killed':
      return { code: 'VERIFICATION_FAILED', reason: `It was ended by ${ending.signal}.` }
    case 'not-started':
      return { code: 'VERIFICATION_FAILED', reason: `It could not be started: ${ending.reason}` }
    case 'exited':
      if (ending.exitCode !== 0)
        return { code: 'VERIFICATION_FAILED', reason: `It ended with ${ending.exitCode}.` }
      if (tests !== undefined && tests.passed + tests.failed === 0) {
        return { code: 'VERIFICATION_FAILED', reason: NO_TESTS }
      }
      return { code: undefined, reason: '' }
  }
}

function identity(check: Check, environment: string | undefined) {
  return { name: check.name, command: check.command, environment, required: check.required }
}

function evidence(output: string): Pick<CheckResult, 'output' | 'outputDigest' | 'feedback'> {
  return {
    output,
    outputDigest: createHash('sha256').update(output).digest('hex'),
    feedback: trimOutput(output),
  }
}

function joined({ stdout, stderr, truncated }: CommandResult): string {
  const parts = [truncated ? '[the beginning was too long to keep]' : '', stdout, stderr]
  return parts
    .map((part) => part.trimEnd())
    .filter((part) => part !== '')
    .join('\n')
}
