import type { CaseId, Instant } from '../cases/case.ts'

export type InboxKind = 'question' | 'review' | 'escalation' | 'repair' | 'conflict' | 'publish'

/** One thing that only a person can decide. */
export interface InboxEntry {
  /** The question, or the task that is to be reviewed. */
  readonly id: CaseId
  readonly kind: InboxKind
  readonly question: string
  readonly context: string | null
  readonly options: readonly { readonly label: string; readonly tradeOff?: string }[]
  readonly tried: readonly string[]
  /** The answer that applies if no person gives one. */
  readonly fallback: string | null
  readonly raisedBy: string
  readonly raisedAt: Instant
  readonly deadline: Instant | null
  /** What happens at the deadline. */
  readonly atDeadline: string | null
  /** The task that it holds, and every task that depends on that one. */
  readonly waiting: readonly CaseId[]
}
