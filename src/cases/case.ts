export type CaseType =
  | 'directive'
  | 'draft'
  | 'research'
  | 'pending'
  | 'deferred'
  | 'operation'
  | 'task'
  | 'discovery'

export type Status =
  | 'pending'
  | 'active'
  | 'blocked'
  | 'done'
  | 'failed'
  | 'timeout'
  | 'review'
  | 'outdated'
  | 'archived'

/** `{prefix}-{NNN}`, assigned once and never changed, even when the type changes. */
export type CaseId = string
/** An ISO 8601 instant in UTC with milliseconds, so that instants compare as strings. */
export type Instant = string
/** The author of a change: an agent id, `user` or `system`. */
export type Actor = string

/** Further fields, defined per type in `metadata.ts`; declared here because browser code imports this. */
export type Metadata = Readonly<Record<string, unknown>>

/** The kinds of work that can be held on a case, each under a lease of its own. */
export const STAGES = ['develop', 'critique', 'audit', 'resolve', 'plan', 'remediate'] as const
export type Stage = (typeof STAGES)[number]

export interface Lease {
  readonly holder: Actor
  /** Grows with every claim of the case; work under an older one is refused. */
  readonly fence: number
  readonly expiresAt: Instant
}

export interface SpecRef {
  readonly specFile: string
  readonly start: number
  readonly end: number
}

/**
 * A case without its history and children: both grow without bound, and the cost of a change must not.
 * Fields that are usually empty are optional, which keeps journal lines short.
 */
export interface Case {
  readonly id: CaseId
  readonly type: CaseType
  readonly status: Status
  readonly content: string
  readonly parentId: CaseId | null
  readonly dependsOn?: readonly CaseId[]
  readonly tags?: readonly string[]
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly metadata: Metadata
  readonly specRef?: SpecRef
  /** The highest fencing token given out for this case. */
  readonly fence?: number
  readonly leases?: Readonly<Partial<Record<Stage, Lease>>>
  readonly deletedAt?: Instant
  /** Counts the changes of this case; the highest wins, independent of the order of lines in a file. */
  readonly rev: number
  /** Distinguishes two cases that were given the same id on two branches. */
  readonly uid: string
}

export interface HistoryEntry {
  readonly timestamp: Instant
  readonly type: 'transition' | 'split' | 'status_change' | 'update'
  readonly from?: { readonly type?: CaseType; readonly status?: Status }
  readonly to?: { readonly type?: CaseType; readonly status?: Status }
  readonly actor: Actor
  readonly reason: string
  readonly childIds?: readonly CaseId[]
}

const NONE: readonly never[] = Object.freeze([])

export function dependenciesOf(subject: Case): readonly CaseId[] {
  return subject.dependsOn ?? NONE
}

export function isLive(subject: Case | undefined): subject is Case {
  return subject !== undefined && subject.deletedAt === undefined
}

export function isDone(subject: Case | undefined): boolean {
  return isLive(subject) && subject.status === 'done' && subject.type !== 'deferred'
}
