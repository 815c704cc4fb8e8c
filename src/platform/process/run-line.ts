import type { CommandResult } from './run-command.ts'

/** A line for `sh -c`, to be run where agent-written code may do no harm. */
export interface LineRequest {
  readonly line: string
  readonly cwd: string
  /** Over whatever the place of running allows; it never brings credentials. */
  readonly environment: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly outputMaxBytes?: number
  /** Whichever comes first ends the line; then it fails as interrupted, for it showed nothing. */
  readonly endedBy?: readonly AbortSignal[]
}

/** Runs a line with stdin closed and ends everything it started, at its end or at its time limit. */
export type RunInSandbox = (request: LineRequest) => Promise<CommandResult>

/** Lines that end when somebody does not want to wait for them any more. */
export function stoppableBy(run: RunInSandbox, signal: AbortSignal): RunInSandbox {
  return (request) => run({ ...request, endedBy: [...(request.endedBy ?? []), signal] })
}
