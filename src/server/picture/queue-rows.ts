import type { Case, CaseId } from '../../cases/case.ts'
import { titleOf } from '../../events/board.ts'
import { foldQueue } from '../../events/landing-queue.ts'
import { count, fields, standingOf } from '../../events/task-standing.ts'
import type { QueueRow } from '../contract.ts'

/** Tasks that are checked together, the first batch now or next. */
export interface PlannedBatches {
  readonly tasks: readonly (readonly CaseId[])[]
  /** Whether the first one is being checked at this moment. */
  readonly isChecking: boolean
}

/** The tasks that are about to land, in their landing order as far as it is known. */
export function queueRows(open: readonly Case[], batches: PlannedBatches | null): QueueRow[] {
  const planned = new Map(batches?.tasks.flatMap((tasks, i) => tasks.map((id) => [id, i + 1] as const)))
  const places = [...planned.keys()]
  const byId = new Map(open.map((subject) => [subject.id, subject]))
  const entries = foldQueue(open).map((entry, index) => {
    const at = places.indexOf(entry.id)
    return { entry, order: at < 0 ? places.length + index : at }
  })
  return entries
    .toSorted((a, b) => a.order - b.order)
    .map(({ entry }, index) => {
      const subject = byId.get(entry.id)
      const batch = planned.get(entry.id) ?? null
      const isChecked = batch === 1 && batches?.isChecking === true
      const place = placeOf(byId, subject, entry.resolver)
      return {
        ...entry,
        position: index + 1,
        batch,
        commit: commitOf(subject),
        ...(isChecked && place.state === 'waiting' ? CHECKED : place),
      }
    })
}

const CHECKED = { state: 'checking', reason: 'its batch is being checked' } as const

/** The tasks that landed recently, newest first, positioned after all that are still to land. */
export function landedRows(landed: readonly Case[]): QueueRow[] {
  return landed.flatMap((subject, index) => {
    const record = fields(fields(subject.metadata.landing).landed)
    if (typeof record.commit !== 'string' || typeof record.at !== 'string') return []
    const isPublished = record.published === true
    const { codeChanges } = fields(subject.metadata.execution)
    return [
      {
        id: subject.id,
        title: titleOf(subject),
        position: LANDED_POSITION + index,
        state: isPublished ? 'published' : 'landed',
        batch: null,
        since: record.at,
        refused: standingOf(subject, NONE).rounds.landing,
        resolver: null,
        files: count(fields(codeChanges).filesChanged),
        reason: isPublished ? 'on your branch' : 'on the target, not yet on your branch',
        commit: record.commit,
      },
    ]
  })
}

const NONE: ReadonlySet<CaseId> = new Set()
/** Greater than any position in the queue. */
const LANDED_POSITION = 1_000_000

function placeOf(
  byId: ReadonlyMap<string, Case>,
  subject: Case | undefined,
  resolver: string | null,
): Pick<QueueRow, 'state' | 'reason'> {
  if (resolver !== null) return { state: 'resolving', reason: `${resolver} resolves a conflict` }
  const { conflict, pushed, stuck } = fields(subject?.metadata.landing)
  const { level, files } = fields(conflict)
  const { branch } = fields(stuck ?? pushed)
  if (typeof level !== 'string' && typeof branch === 'string')
    return { state: 'waiting', reason: stuck ? `the remote does not take ${branch}` : `offered as ${branch}` }
  if (typeof level !== 'string') return { state: 'waiting', reason: waitingFor(byId, subject) }
  const named = Array.isArray(files) ? files.slice(0, FILES_NAMED_MAX).join(', ') : ''
  return { state: 'conflict', reason: `${level} conflict in ${named}` }
}

const FILES_NAMED_MAX = 5

/** An entry lands after its dependencies. */
function waitingFor(byId: ReadonlyMap<string, Case>, subject: Case | undefined): string {
  const before = (subject?.dependsOn ?? []).filter((id) => byId.has(id))
  return before.length === 0 ? 'waits for its turn' : `waits for ${before.join(', ')}`
}

function commitOf(subject: Case | undefined): string | null {
  const { commit } = fields(subject?.metadata.delivery)
  return typeof commit === 'string' ? commit : null
}
