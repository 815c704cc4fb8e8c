import type { CommandResult } from './run-command.ts'

/** A line for `sh -c`, to be run where agent-written code can do no harm. */
export interface LineRequest {
  readonly line: string
  readonly cwd: string
  /** Added to the environment that the sandbox allows; never contains credentials. */
  readonly environment: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly outputMaxBytes?: number
  /** The first signal to abort ends the line; it then fails as interrupted, since it proved nothing. */
  readonly endedBy?: readonly AbortSignal[]
}

/** Runs a line with stdin closed and ends everything it started, at its end or at its time limit. */
export type RunInSandbox = (request: LineRequest) => Promise<CommandResult>

/** Runs lines that also end when the signal is aborted. */
export function stoppableBy(run: RunInSandbox, signal: AbortSignal): RunInSandbox {
  return (request) => run({ ...request, endedBy: [...(request.endedBy ?? []), signal] })
}
