import type { CaseId, Instant } from '../cases/case.ts'
import type { TreeRecord } from '../platform/process/sweep-tree.ts'

/** How much it matters: low is logged, medium shown in passing, high stays until seen, critical pauses the work. */
export type Severity = 'low' | 'medium' | 'high' | 'critical'

export interface Alert {
  readonly code: AlertCode
  readonly severity: Severity
  readonly message: string
  /** The agent it is about; null for the machine. */
  readonly agent: string | null
}

export type AlertCode =
  | 'DISK_WARNING'
  | 'DISK_CRITICAL'
  | 'DISK_EMERGENCY'
  | 'DISK_RECOVERED'
  | 'MEMORY_WARNING'
  | 'MEMORY_CRITICAL'
  | 'MEMORY_RECOVERED'
  | 'AGENT_STALLED'
  | 'AGENT_DEAD'
  | 'AGENT_RESPAWNS_SPENT'
  | 'PROCESS_ORPHANED'

/** What is known of one agent at work. */
export interface AgentFacts {
  readonly agent: string
  readonly task: CaseId
  /** Changes with everything that the agent prints; by its change, not by its age, silence is told. */
  readonly lastSignMs: number
  /** Whether it is in an iteration: one that waits, rests or is being verified has nothing to say. */
  readonly owesSigns: boolean
  /** False when its process is gone and nobody has noticed. */
  readonly isAlive: boolean
}

/** What a dead orchestrator left behind. */
export interface Orphan {
  readonly agent: string
  readonly tree: TreeRecord
  /** How many of its processes live. */
  readonly processes: number
}

/** Everything that Max looks at, measured at one moment. */
export interface HealthFacts {
  /** Free space of the disk that has least, of those on which AXIOM writes. */
  readonly diskFreeBytes: number
  readonly memory: { readonly availableBytes: number; readonly totalBytes: number }
  readonly agents: readonly AgentFacts[]
  readonly orphans: readonly Orphan[]
}

export interface Silence {
  readonly signMs: number
  readonly looks: number
  /** Whether its process was gone: an end that nobody noticed is one that is seen twice. */
  readonly wasDead: boolean
}

/** What is remembered from one look to the next. It may be lost: then silence is counted anew. */
export interface HealthMemory {
  readonly checkedAt: Instant
  readonly disk: 'normal' | 'low' | 'critical' | 'emergency'
  readonly memory: 'normal' | 'low' | 'critical'
  /** What Max itself holds new work for; released when both are well again. */
  readonly holds: readonly ('disk' | 'memory')[]
  /** By agent: its last sign, and at how many looks in a row it was the same. */
  readonly silent: Readonly<Record<string, Silence>>
  /** By task: when its agent was replaced, within the last stretch. */
  readonly respawns: Readonly<Record<CaseId, readonly Instant[]>>
}
