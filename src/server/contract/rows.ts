import type { CaseId, CaseType, Instant, Stage, Status } from '../../cases/case.ts'
import type { InboxEntry } from '../../events/inbox-entry.ts'

export type { Actor, CaseId, CaseType, HistoryEntry, Instant, Stage, Status } from '../../cases/case.ts'

/** A position in the stream, opaque to clients: it only means "after this". */
export type StreamCursor = string

/** All rows that change: what a page shows before it opens a single case. */
export interface Snapshot extends Scopes {
  /** The stream continues from here without a gap. */
  readonly cursor: StreamCursor
  /** Constant while the server runs. */
  readonly words: ProjectWords
  readonly project: ProjectRow
  /** The latest events, oldest first; later ones are in the stream. */
  readonly events: readonly TimelineEvent[]
  /** Lossy: the latest row of each running agent. */
  readonly live: readonly LiveRow[]
}

/** The kinds of rows that the stream keeps up to date, each by its key. */
export interface Scopes {
  readonly agents: readonly AgentRow[]
  readonly cases: readonly CaseSummary[]
  readonly queue: readonly QueueRow[]
  readonly weather: readonly WeatherRow[]
  readonly inbox: readonly InboxRow[]
  readonly alerts: readonly AlertRow[]
  readonly health: readonly HealthRow[]
}

export type ScopeName = keyof Scopes
export type RowOf<Scope extends ScopeName> = Scopes[Scope][number]

export interface ProjectRow {
  readonly name: string
  readonly root: string
  readonly version: string
  /** `planning` as long as there is no task. */
  readonly phase: 'planning' | 'implementation'
  readonly mode: 'semi-auto' | 'autopilot'
  /** The cause is `person`, `failures`, `red-target`, `halt`, `health` or `tripwire`. */
  readonly paused: {
    readonly cause: string
    readonly by: string
    readonly at: Instant
    readonly reason: string
  } | null
  /** Why no new work starts although the project is not paused: a repair, the quota, quiet hours. */
  readonly quiet: { readonly reason: string; readonly until: Instant | null } | null
  readonly sprint: { readonly goal: string; readonly landed: number; readonly tags: readonly string[] } | null
  readonly slots: { readonly used: number; readonly total: number }
  readonly spend: Spend
  readonly forecastUsd: number | null
  /** The process that directs the project: this server, another one, or none. */
  readonly director: 'here' | 'elsewhere' | 'none'
  readonly target: string
  /** Names of the checks; an empty list must be shown as a warning. */
  readonly checks: readonly string[]
  readonly tasks: {
    readonly total: number
    readonly ready: number
    readonly done: number
    readonly failed: number
  }
}

export interface Spend {
  readonly costUsd: number
  /** In and out. */
  readonly tokens: number
  readonly minutes: number
  readonly runs: number
}

/** The names of this project's vocabulary, and how each type and persona looks. */
export interface ProjectWords {
  readonly vocabulary: string
  readonly product: string
  readonly folder: string
  readonly cases: Readonly<Record<CaseType, CaseWords>>
  readonly personas: readonly PersonaWords[]
  /** The most common review issues: a keyword for each, and the sentence that it stands for. */
  readonly quickIssues: Readonly<Record<string, string>>
}

export interface CaseWords {
  readonly name: string
  readonly plural: string
  readonly symbol: string
  readonly colour: string
  readonly square: string
  /** The types that a case of this one may turn into. */
  readonly becomes: readonly CaseType[]
  /** The types that it may stand under. */
  readonly parents: readonly CaseType[]
  readonly needsParent: boolean
}

export interface PersonaWords {
  /** The prefix of its agents' ids. */
  readonly prefix: string
  readonly name: string
  readonly role: string
  readonly emoji: string
  readonly colour: string
}

/** The indicator and the border of an agent's card. */
export type AgentIndicator = 'idle' | 'running' | 'waiting' | 'paused' | 'completed' | 'failed'

/** One agent, keyed by `agent`. Its current progress is in its live row. */
export interface AgentRow {
  readonly agent: string
  /** The prefix of its persona, for name, emoji and colour. */
  readonly kind: string
  readonly task: CaseId
  readonly title: string
  readonly stage: Stage | null
  /** Its activity: `iteration`, `verification`; `holding` while its work is handed over. */
  readonly state: string
  readonly indicator: AgentIndicator
  readonly iteration: number
  /** The user's orders that it has not carried out yet, such as `stop`. */
  readonly orders: readonly string[]
}

/** Keyed by `agent`; not in the journal, and a lost one does no harm. */
export interface LiveRow {
  readonly agent: string
  readonly task: CaseId
  readonly state: string
  /** Its role, where the name does not say it. */
  readonly role?: string
  readonly iteration: number
  readonly elapsedMs: number
  /** In percent. */
  readonly progress?: number
  readonly activity?: string
  readonly waiting?: { readonly reason: string; readonly untilMs: number }
  readonly warning?: string
}

/** One event. Events arrive once and in order. */
export interface TimelineEvent {
  readonly at: Instant
  readonly id: CaseId
  readonly by: string
  /** `created`, `claimed`, `completed` and the like. */
  readonly what: string
  readonly reason: string
}

/** In the order of the workflow. */
export type BoardColumn =
  | 'waiting'
  | 'ready'
  | 'working'
  | 'review'
  | 'person'
  | 'landing'
  | 'done'
  | 'held'
  | 'stopped'

/** One case, keyed by `id`, as lists, trees and boards show it. */
export interface CaseSummary {
  readonly id: CaseId
  readonly type: CaseType
  readonly status: Status
  /** The first line of its content, cut. */
  readonly title: string
  readonly parentId: CaseId | null
  readonly dependsOn: readonly CaseId[]
  readonly tags: readonly string[]
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly rev: number
  readonly ready: boolean
  /** The board column of a task; null for other types. */
  readonly column: BoardColumn | null
  /** The delivery state of a task, such as `critique`; null for other types. */
  readonly delivery: string | null
  /** How often a task was sent back. */
  readonly rework: number
  /** The agents that hold it now, by stage. */
  readonly holders: Readonly<Partial<Record<Stage, string>>>
  readonly assignee: string | null
  readonly retries: number
  /** Whether the user's own branch has its landed change; null while nothing has landed. */
  readonly published: boolean | null
  readonly costUsd: number
  /** The circular dependency it is part of. */
  readonly cycle: readonly CaseId[] | null
  /** Why the store refuses changes of it: a damaged line. */
  readonly held: string | null
}

/** One task on its way to the target, keyed by `id`. */
export interface QueueRow {
  readonly id: CaseId
  readonly title: string
  readonly position: number
  readonly state: 'waiting' | 'checking' | 'resolving' | 'conflict' | 'landed' | 'published'
  /** Entries of one number are checked together. */
  readonly batch: number | null
  readonly since: Instant
  /** How often landing sent it back. */
  readonly refused: number
  /** The agent that resolves its conflict now. */
  readonly resolver: string | null
  /** How many files it changes. */
  readonly files: number
  /** The reason for its position, in words. */
  readonly reason: string
  readonly commit: string | null
}

/** The conflict forecast of two running tasks, keyed by `pair`. */
export interface WeatherRow {
  /** `task-001 task-002`, in the order of ids. */
  readonly pair: string
  readonly tasks: readonly [CaseId, CaseId]
  readonly sky: 'clear' | 'same-file' | 'same-lines'
  readonly files: readonly string[]
}

/** A decision that waits for a person, keyed by `id`: the case that an answer or a review names. */
export interface InboxRow extends InboxEntry {
  /** The commands that settle it. */
  readonly settledBy: readonly ('answer' | 'review' | 'retry' | 'override' | 'halt')[]
}

/** Keyed by `id`. */
export interface AlertRow {
  readonly id: string
  readonly severity: 'low' | 'medium' | 'high' | 'critical'
  readonly code: string
  readonly message: string
  readonly hint: string
  readonly at: Instant
  readonly case: CaseId | null
  readonly agent: string | null
}

/** One health check, keyed by `id`, such as `disk`. */
export interface HealthRow {
  readonly id: string
  readonly name: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly value: string
  readonly detail: string
  readonly at: Instant
}
