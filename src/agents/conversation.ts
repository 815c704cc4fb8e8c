import type { Writable } from 'node:stream'
import type { AgentError } from './agent-error.ts'
import type { AgentEvent, EndReason, Session } from './driver.ts'

/** How a process ended, as far as its driver has to know. */
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

/** What a conversation may use of the process it talks to. */
export interface Line {
  readonly stdin: Writable
  emit(event: AgentEvent): void
  /** All is said: input is closed, and a process that stays all the same is ended. */
  finish(): void
}

/** One driver's half of the talk with one process: its dialect. It knows nothing of processes and files. */
export interface Conversation {
  /** The process runs; says the first words. */
  begin(line: Line): void
  /** Output, redacted, in chunks of any size. */
  push(chunk: Buffer): void
  /** No more output. */
  flush(): void
  conclude(exit: AgentExit): Conclusion
  /** Another message for the running turn. False: not possible (any more). */
  send(text: string): boolean
  /** Ends the turn by the dialect's own means and goes on with the text. */
  redirect(text: string): Promise<boolean>
  /** Asks for the end of the turn by the dialect's own means. False: there are none, a signal has to do. */
  interrupt(): boolean
}
