import type { CaseId, Instant } from '../cases/case.ts'
import type { TreeRecord } from '../platform/process/sweep-tree.ts'

/** Severity: low is logged, medium shown briefly, high stays until seen, critical pauses the work. */
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

/** The facts about one agent at work. */
export interface AgentFacts {
  readonly agent: string
  readonly task: CaseId
  /** Changes with every output of the agent; silence is detected by the lack of change, not by age. */
  readonly lastSignMs: number
  /** Whether it is in an iteration: an agent that waits, pauses or is being verified prints nothing. */
  readonly owesSigns: boolean
  /** False when its process is gone but its end was not noticed. */
  readonly isAlive: boolean
}

/** A process tree that a dead orchestrator left behind. */
export interface Orphan {
  readonly agent: string
  readonly tree: TreeRecord
  /** The number of its live processes. */
  readonly processes: number
}

/** Everything that the health check uses, measured at one moment. */
export interface HealthFacts {
  /** Free space of the fullest disk that AXIOM writes to. */
  readonly diskFreeBytes: number
  readonly memory: { readonly availableBytes: number; readonly totalBytes: number }
  readonly agents: readonly AgentFacts[]
  readonly orphans: readonly Orphan[]
}

export interface Silence {
  readonly signMs: number
  readonly looks: number
  /** Whether its process was gone: an end counts as unnoticed only when it is seen in two checks. */
  readonly wasDead: boolean
}

/** State from one check to the next. It may be lost: then silence is counted from zero. */
export interface HealthMemory {
  readonly checkedAt: Instant
  readonly disk: 'normal' | 'low' | 'critical' | 'emergency'
  readonly memory: 'normal' | 'low' | 'critical'
  /** The reasons for which the health check holds new work; released when both are back to normal. */
  readonly holds: readonly ('disk' | 'memory')[]
  /** By agent: its last sign, and for how many checks in a row it was the same. */
  readonly silent: Readonly<Record<string, Silence>>
  /** By task: when its agent was replaced, within the last period. */
  readonly respawns: Readonly<Record<CaseId, readonly Instant[]>>
}
