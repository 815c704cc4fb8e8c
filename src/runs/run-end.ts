import type { TaskExecution } from '../cases/metadata.ts'
import type { Signal } from '../signals/finding.ts'
import type { ProofOutcome } from '../verification/prove-completion.ts'
import type { Warning } from './decide-next.ts'
import type { PersonsMessage } from './run-control.ts'
import type { Spent } from './task-progress.ts'
import type { HandedOver, Question } from './verdict.ts'

/** Why a run is over. */
export type RunEnd =
  | ({ readonly kind: 'complete'; readonly proof: Extract<ProofOutcome, { kind: 'proven' }> } & HandedOver)
  /** By the agent's own signal, or by a limit or a failure; then there is no signal. */
  | {
      readonly kind: 'blocked'
      readonly reason: string
      readonly warning?: Warning
      readonly signal?: Signal
    }
  | { readonly kind: 'pending'; readonly question: Question; readonly signal: Signal }
  | { readonly kind: 'referred'; readonly signal: Signal; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'timeout'; readonly reason: string }
  | { readonly kind: 'restart'; readonly cause: 'crashed' | 'silent'; readonly reason: string }
  | { readonly kind: 'stopped' }
  /** Another holder has the task by now; the result of this run does not count. */
  | { readonly kind: 'fence-lost' }

export interface RunResult {
  readonly end: RunEnd
  readonly execution: TaskExecution
  readonly iterations: number
  readonly durationMs: number
  /** The part of it spent only waiting for the model's service or for a person. */
  readonly waitedMs: number
  readonly spent: Spent
  /** Messages that reached no agent; they go into the next prompt. */
  readonly unread: readonly PersonsMessage[]
}
