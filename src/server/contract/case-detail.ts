import type { CaseId, HistoryEntry, Instant } from '../../cases/case.ts'
import type { LogReference } from './reading.ts'
import type { CaseSummary, Spend } from './rows.ts'

/** `GET /api/cases/{id}`: everything about one case except files. */
export interface CaseDetail {
  readonly summary: CaseSummary
  readonly content: string
  /** Why it cannot start now, in words; empty when it can. */
  readonly waits: string
  /** From the directive down to the parent. */
  readonly lineage: readonly CaseSummary[]
  readonly children: readonly CaseSummary[]
  readonly dependencies: readonly CaseSummary[]
  readonly dependents: readonly CaseSummary[]
  readonly criteria: readonly Criterion[]
  readonly history: readonly HistoryEntry[]
  readonly runs: readonly Run[]
  readonly work: readonly KeptWork[]
  readonly thread: readonly ThreadEntry[]
  readonly delivery: DeliveryStanding | null
  readonly proof: Proof | null
  /** `total` includes everything below the case. */
  readonly spend: {
    readonly own: Spend
    readonly total: Spend
    readonly budget: Readonly<Record<string, number>>
  }
  readonly logs: readonly LogReference[]
  /** The remaining metadata: the fields of its type. */
  readonly fields: Readonly<Record<string, unknown>>
}

export interface Criterion {
  readonly text: string
  readonly state: 'met' | 'unmet' | 'unjudged'
  readonly evidence: readonly Evidence[]
}

export interface Evidence {
  readonly by: string
  readonly text: string
  readonly commit: string | null
}

/** One finished run of one agent. */
export interface Run {
  readonly agent: string
  /** The folder of its kind, such as `echo`. */
  readonly agents: string
  /** `complete`, `failed`, `timeout` and the like. */
  readonly end: string
  readonly endedAt: Instant
  readonly durationMs: number
  readonly iterations: number
  readonly costUsd: number
  readonly tokens: number
}

/** Commits of an agent as it made them; they stay under `ref` for good. */
export interface KeptWork {
  readonly number: number
  readonly commit: string
  readonly ref: string
}

/** One event that moved the work on or back, oldest first: handed in, found, sent back, audited, landed. */
export interface ThreadEntry {
  readonly id: string
  /** Null where the time was not recorded. */
  readonly at: Instant | null
  readonly by: string
  readonly role: string
  /** The signal, such as `REVIEW_FAILED`. */
  readonly verdict: string
  /** The delivery states before and after; null where the state did not change. */
  readonly from: string | null
  readonly to: string | null
  readonly commit: string | null
  readonly text: string
  readonly issues: readonly ThreadIssue[]
}

export interface ThreadIssue {
  readonly text: string
  readonly file: string | null
  readonly line: number | null
  readonly blocks: boolean
}

export interface DeliveryStanding {
  readonly state: string
  readonly returnsTo: readonly string[]
  readonly rounds: Readonly<Record<string, number>>
  readonly commit: string | null
  readonly wait: { readonly kind: string; readonly until: Instant; readonly fallback: string | null } | null
}

/** The result of the checks that AXIOM itself ran on a fresh checkout. */
export interface Proof {
  readonly commit: string
  readonly tree: string
  readonly at: Instant | null
  readonly checks: readonly {
    readonly name: string
    readonly command: string
    readonly passed: boolean
    readonly flaky: boolean
    /** Null where the count is unknown. */
    readonly tests: number | null
    readonly durationMs: number
    readonly output: string
  }[]
  /** There was no check to run. */
  readonly empty: boolean
  /** The digest of the blob with the full evidence. */
  readonly evidence: string
}

/** `GET /api/discoveries`: what was learnt, newest first. */
export interface Discovery {
  readonly id: CaseId
  readonly content: string
  readonly status: string
  readonly scope: 'local' | 'global'
  readonly category: string
  readonly impact: string
  readonly validated: boolean
  readonly task: CaseId | null
  readonly agent: string | null
  readonly at: Instant
}
