import type { Writable } from 'node:stream'
import type { AgentError } from './agent-error.ts'
import type { AgentEvent, EndReason, Session } from './driver.ts'

/** How a process ended, as far as its driver needs it. */
export interface AgentExit {
  readonly exitCode: number | undefined
  readonly signal: string | undefined
  /** The end of what it wrote to stderr. */
  readonly words: string
}

export interface Conclusion {
  readonly reason: Extract<EndReason, 'completed' | 'failed' | 'rate-limited' | 'crashed'>
  readonly error?: AgentError
  readonly session?: Session
}

/** The operations on the process that a conversation may use. */
export interface Line {
  readonly stdin: Writable
  emit(event: AgentEvent): void
  /** No more input: closes stdin, and ends a process that does not exit by itself. */
  finish(): void
}

/** One driver's side of the protocol with one process. It does not depend on processes or files. */
export interface Conversation {
  /** The process runs: sends the first message. */
  begin(line: Line): void
  /** Output, redacted, in chunks of any size. */
  push(chunk: Buffer): void
  /** No more output. */
  flush(): void
  conclude(exit: AgentExit): Conclusion
  /** Another message for the running turn. False: not possible (any more). */
  send(text: string): boolean
  /** Ends the turn by means of the protocol and continues with the text. */
  redirect(text: string): Promise<boolean>
  /** Requests the end of the turn by means of the protocol. False: it has none, and a signal is needed. */
  interrupt(): boolean
}
