import { finished } from 'node:stream/promises'
import { Failure } from '../failure.ts'
import { OutputTail } from '../process/output-tail.ts'
import type { CommandEnding } from '../process/run-command.ts'
import type { LineRequest, RunInSandbox } from '../process/run-line.ts'
import { type ProcessEnd, supervise } from '../process/supervise.ts'
import { confine } from './confine.ts'
import type { Confinement, SandboxHost, SandboxLevel } from './confinement.ts'

const STOP_GRACE_MS = 2_000
const OUTPUT_MAX_BYTES = 1024 * 1024

/** Runs lines for `sh -c` at one level of the sandbox; each ends with everything it started. */
export function createRunInSandbox(options: {
  readonly level: SandboxLevel
  readonly host: SandboxHost
  /** What a line that runs in this folder may see and touch. */
  confinementFor(cwd: string): Confinement
}): RunInSandbox {
  const { level, host } = options
  return async (request) => {
    const { line, cwd, environment, timeoutMs, outputMaxBytes = OUTPUT_MAX_BYTES, endedBy = [] } = request
    const startedAt = performance.now()
    expectWanted(request)
    const command = { program: 'sh', args: ['-c', line], environment }
    const running = await supervise(await confine(command, options.confinementFor(cwd), level, host))
    const [stdout, stderr] = [new OutputTail(outputMaxBytes), new OutputTail(outputMaxBytes)]
    running.stdin.on('error', () => undefined)
    running.stdin.end()
    running.stdout.on('data', (chunk: Buffer) => stdout.add(chunk))
    running.stderr.on('data', (chunk: Buffer) => stderr.add(chunk))
    let timedOut = false
    const stop = (): void => void running.stop(STOP_GRACE_MS).catch(() => undefined)
    const timer = setTimeout(() => {
      timedOut = true
      stop()
    }, timeoutMs)
    for (const signal of endedBy) signal.addEventListener('abort', stop)
    // The abort may have come while the line was being started.
    if (endedBy.some(({ aborted }) => aborted)) stop()
    // The tree may end before its last output is read; the supervisor closes streams that stay open.
    const read = Promise.allSettled([finished(running.stdout), finished(running.stderr)])
    const ended = await running.ended.finally(() => {
      clearTimeout(timer)
      for (const signal of endedBy) signal.removeEventListener('abort', stop)
    })
    await read
    expectWanted(request)
    return {
      ending: timedOut ? { kind: 'timed-out' } : endingOf(ended),
      stdout: stdout.text(),
      stderr: stderr.text(),
      truncated: stdout.truncated || stderr.truncated,
      durationMs: Math.round(performance.now() - startedAt),
    }
  }
}

function expectWanted({ endedBy = [], line }: LineRequest): void {
  if (endedBy.some(({ aborted }) => aborted))
    throw new Failure('INTERRUPTED', `"${line}" was stopped before its end`, {
      hint: 'it runs again next time',
    })
}

function endingOf({ exitCode, signal }: ProcessEnd): CommandEnding {
  if (signal !== undefined) return { kind: 'killed', signal }
  return { kind: 'exited', exitCode: exitCode ?? 1 }
}
