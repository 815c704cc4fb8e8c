import type { Case, CaseId, Instant } from '../cases/case.ts'
import { taskMetadata } from '../cases/metadata.ts'

/** The columns of a board, in the order in which work passes through them. */
export const COLUMNS = [
  'waiting',
  'ready',
  'working',
  'review',
  'person',
  'landing',
  'done',
  'held',
  'stopped',
] as const
export type Column = (typeof COLUMNS)[number]

/** What views need from a task's delivery. Read loosely: states of a later version are shown, not refused. */
export interface TaskStanding {
  readonly column: Column
  /** The state of its delivery, such as `critique`; its status where it has none yet. */
  readonly state: string
  readonly since: Instant
  readonly rounds: { readonly review: number; readonly audit: number; readonly landing: number }
  readonly wait?: { readonly kind: string; readonly until: Instant; readonly fallback: string | null }
}

const COLUMN_OF_STATE: Readonly<Record<string, Column>> = {
  specifying: 'review',
  critique: 'review',
  audit: 'review',
  confirming: 'review',
  'person-review': 'person',
  integrating: 'landing',
  consulting: 'working',
  'file-waiting': 'working',
  asking: 'person',
  'repair-escalated': 'person',
}

const COLUMN_OF_STATUS: Readonly<Partial<Record<Case['status'], Column>>> = {
  active: 'working',
  review: 'review',
  blocked: 'held',
  done: 'done',
  failed: 'stopped',
  timeout: 'stopped',
}

export function standingOf(task: Case, readyIds: ReadonlySet<CaseId>): TaskStanding {
  const delivery = fields(task.metadata.delivery)
  const state = typeof delivery.state === 'string' ? delivery.state : task.status
  const rounds = fields(delivery.rounds)
  const wait = readWait(delivery.wait)
  return {
    column: columnOf(task, state, readyIds),
    state,
    since:
      lastVerdictAt(delivery.verdicts) ?? taskMetadata(task.metadata).execution?.startedAt ?? task.updatedAt,
    rounds: { review: count(rounds.review), audit: count(rounds.audit), landing: count(rounds.landing) },
    ...(wait ? { wait } : {}),
  }
}

/** The status decides whether a task is over or free; in between, the delivery state is more precise. */
function columnOf({ id, status }: Case, state: string, readyIds: ReadonlySet<CaseId>): Column {
  if (status === 'pending') return readyIds.has(id) ? 'ready' : (COLUMN_OF_STATE[state] ?? 'waiting')
  if (status === 'done' || status === 'failed' || status === 'timeout')
    return COLUMN_OF_STATUS[status] ?? 'done'
  return COLUMN_OF_STATE[state] ?? COLUMN_OF_STATUS[status] ?? 'waiting'
}

function lastVerdictAt(verdicts: unknown): Instant | undefined {
  if (!Array.isArray(verdicts)) return undefined
  const { at } = fields(verdicts.at(-1))
  return typeof at === 'string' ? at : undefined
}

function readWait(value: unknown): TaskStanding['wait'] {
  const { kind, until, fallback } = fields(value)
  if (typeof kind !== 'string' || typeof until !== 'string') return undefined
  return { kind, until, fallback: typeof fallback === 'string' ? fallback : null }
}

/** Whether the user's own branch has what landed for a task; null while nothing has. */
export function isPublished({ metadata }: Pick<Case, 'metadata'>): boolean | null {
  const { published } = fields(fields(metadata.landing).landed)
  return typeof published === 'boolean' ? published : null
}

/** Any value as a record: metadata may come from another version. */
export function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

export function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}
