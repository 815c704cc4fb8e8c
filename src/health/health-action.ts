import type { CaseId } from '../cases/case.ts'
import type { Alert, Orphan } from './health-facts.ts'

/** What Max wants done. */
export type HealthAction =
  | { readonly kind: 'alert'; readonly alert: Alert }
  /** No new agents, and running ones rest at the end of their iteration. */
  | { readonly kind: 'hold'; readonly reason: string }
  | { readonly kind: 'release' }
  /** Saved first, then removed, in the order of the specification, until so much is free. */
  | { readonly kind: 'clean'; readonly bytesWanted: number }
  /** Every agent now; what they did is kept. */
  | { readonly kind: 'stop-all'; readonly reason: string }
  | { readonly kind: 'ask-checkpoint'; readonly agent: string; readonly task: CaseId }
  /** It was asked, and has given a sign since. */
  | { readonly kind: 'take-sign'; readonly agent: string; readonly task: CaseId }
  /** It gave no sign when it was asked for one, either. */
  | { readonly kind: 'time-out'; readonly agent: string; readonly task: CaseId; readonly reason: string }
  | { readonly kind: 'respawn'; readonly agent: string; readonly task: CaseId }
  /** A task whose agents die again and again is given up: it is shown and waits for a person. */
  | { readonly kind: 'give-up'; readonly agent: string; readonly task: CaseId }
  | { readonly kind: 'sweep'; readonly orphan: Orphan }
