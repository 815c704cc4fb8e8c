import type { Case, CaseId, Lease, Stage } from '../cases/case.ts'
import type { CaseIndex } from '../cases/case-index.ts'
import { expiryOf } from '../cases/decide/claims.ts'
import { compareIds } from '../cases/ids.ts'
import type { CaseQuery, CaseRecord } from './store.ts'

/** A case as readers see it: a member of a circular dependency counts as blocked. */
export function recordOf(index: CaseIndex, subject: Case): CaseRecord {
  const cycle = index.cycleOf(subject.id)
  const held = index.heldBy(subject.id)
  return {
    ...subject,
    status: shownStatus(index, subject),
    ...(subject.leases ? { leases: currentLeases(index, subject) } : {}),
    childIds: [...index.children(subject.id)],
    ...(cycle ? { cycle } : {}),
    ...(held === undefined ? {} : { held }),
  }
}

function shownStatus(index: CaseIndex, subject: Case): Case['status'] {
  return index.cycleOf(subject.id) && subject.status !== 'done' ? 'blocked' : subject.status
}

/** The leases with their renewed expiry times. */
function currentLeases(index: CaseIndex, subject: Case): NonNullable<Case['leases']> {
  const leases = Object.entries(subject.leases ?? {}) as [Stage, Lease][]
  return Object.fromEntries(
    leases.map(([stage, lease]) => [stage, { ...lease, expiresAt: expiryOf(index, subject, stage, lease) }]),
  )
}

export function answerQuery(index: CaseIndex, query: CaseQuery): CaseRecord[] {
  const limit = query.limit ?? Number.POSITIVE_INFINITY
  if (query.ready) return readyRecords(index, limit)
  if (query.ids) return found(index, query.ids).map((subject) => recordOf(index, subject))
  const matching = [...candidates(index, query)]
    .filter((subject) => matches(index, subject, query))
    .sort((a, b) => compareIds(a.id, b.id))
  const { after } = query
  const rest = after === undefined ? matching : matching.filter(({ id }) => compareIds(id, after) > 0)
  return rest.slice(0, limit).map((subject) => recordOf(index, subject))
}

function readyRecords(index: CaseIndex, limit: number): CaseRecord[] {
  const records: CaseRecord[] = []
  for (const id of index.ready()) {
    if (records.length >= limit) break
    const subject = index.get(id)
    if (subject) records.push(recordOf(index, subject))
  }
  return records
}

function candidates(index: CaseIndex, { parentId }: CaseQuery): Iterable<Case> {
  return parentId ? found(index, index.children(parentId)) : index.all()
}

function found(index: CaseIndex, ids: readonly CaseId[]): Case[] {
  return ids.map((id) => index.get(id)).filter((subject): subject is Case => subject !== undefined)
}

function matches(
  index: CaseIndex,
  subject: Case,
  { type, status, parentId, deleted = false }: CaseQuery,
): boolean {
  return (
    (type === undefined || subject.type === type) &&
    (status === undefined || shownStatus(index, subject) === status) &&
    (parentId === undefined || subject.parentId === parentId) &&
    (deleted || subject.deletedAt === undefined)
  )
}
