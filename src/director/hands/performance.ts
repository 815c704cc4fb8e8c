import type { Case } from '../../cases/case.ts'
import type { Occurrence } from '../../delivery/occurrence.ts'
import type { RunControl } from '../../runs/run-control.ts'
import type { Spent } from '../../runs/task-progress.ts'

/** The roles whose work on a task is one word; developers and resolvers have hands of their own. */
export const PERFORMED_ROLES = [
  'analyst',
  'critic',
  'auditor',
  'expert',
  'remediator',
  'health-auditor',
] as const
export type PerformedRole = (typeof PERFORMED_ROLES)[number]

export interface PerformOrder {
  readonly role: PerformedRole
  /** The task as it stands now, with its delivery. */
  readonly task: Case
  /** Spawned and, but for an expert, holder of the lease of its stage. */
  readonly agent: string
  /** Of that lease; null for an expert, whose word counts by its request. */
  readonly fence: number | null
  readonly slot: number
  readonly control?: RunControl
}

export interface Performance {
  /** What there is to commit; nothing when the agent was stopped or its lease went to somebody else. */
  readonly occurrence: Occurrence | null
  /** What AXIOM's own run of the required checks gave, where the word called for one. */
  readonly checksGreen: boolean | null
  readonly iterations: number
  readonly durationMs: number
  readonly spent: Spent
}
