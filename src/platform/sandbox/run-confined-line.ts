import { finished } from 'node:stream/promises'
import { OutputTail } from '../process/output-tail.ts'
import type { CommandEnding } from '../process/run-command.ts'
import type { RunInSandbox } from '../process/run-line.ts'
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
  return async ({ line, cwd, environment, timeoutMs, outputMaxBytes = OUTPUT_MAX_BYTES }) => {
    const startedAt = performance.now()
    const command = { program: 'sh', args: ['-c', line], environment }
    const running = await supervise(await confine(command, options.confinementFor(cwd), level, host))
    const [stdout, stderr] = [new OutputTail(outputMaxBytes), new OutputTail(outputMaxBytes)]
    running.stdin.on('error', () => undefined)
    running.stdin.end()
    running.stdout.on('data', (chunk: Buffer) => stdout.add(chunk))
    running.stderr.on('data', (chunk: Buffer) => stderr.add(chunk))
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      running.stop(STOP_GRACE_MS).catch(() => undefined)
    }, timeoutMs)
    // The end of the tree may be known before its last words are read; the supervisor closes streams that stay open.
    const read = Promise.allSettled([finished(running.stdout), finished(running.stderr)])
    const ended = await running.ended.finally(() => clearTimeout(timer))
    await read
    return {
      ending: timedOut ? { kind: 'timed-out' } : endingOf(ended),
      stdout: stdout.text(),
      stderr: stderr.text(),
      truncated: stdout.truncated || stderr.truncated,
      durationMs: Math.round(performance.now() - startedAt),
    }
  }
}

function endingOf({ exitCode, signal }: ProcessEnd): CommandEnding {
  if (signal !== undefined) return { kind: 'killed', signal }
  return { kind: 'exited', exitCode: exitCode ?? 1 }
}
