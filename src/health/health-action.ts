import type { CaseId } from '../cases/case.ts'
import type { Alert, Orphan } from './health-facts.ts'

/** An action of the health check. */
export type HealthAction =
  | { readonly kind: 'alert'; readonly alert: Alert }
  /** No new agents start, and running ones pause at the end of their iteration. */
  | { readonly kind: 'hold'; readonly reason: string }
  | { readonly kind: 'release' }
  /** Workspaces are saved, then removed, in the order of the specification, until this much is free. */
  | { readonly kind: 'clean'; readonly bytesWanted: number }
  /** Stops every agent at once; their work is kept. */
  | { readonly kind: 'stop-all'; readonly reason: string }
  | { readonly kind: 'ask-checkpoint'; readonly agent: string; readonly task: CaseId }
  /** The agent was asked for a sign, and has given one since. */
  | { readonly kind: 'take-sign'; readonly agent: string; readonly task: CaseId }
  /** The agent gave no sign even after it was asked for one. */
  | { readonly kind: 'time-out'; readonly agent: string; readonly task: CaseId; readonly reason: string }
  | { readonly kind: 'respawn'; readonly agent: string; readonly task: CaseId }
  /** A task whose agents die repeatedly is given up: it is shown and waits for a person. */
  | { readonly kind: 'give-up'; readonly agent: string; readonly task: CaseId }
  | { readonly kind: 'sweep'; readonly orphan: Orphan }
