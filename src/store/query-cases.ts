import type { Case, CaseId } from '../cases/case.ts'
import type { CaseIndex } from '../cases/case-index.ts'
import { compareIds } from '../cases/ids.ts'
import type { CaseQuery, CaseRecord } from './store.ts'

/** What a reader sees of a case: a member of a circular dependency counts as blocked. */
export function recordOf(index: CaseIndex, subject: Case): CaseRecord {
  const cycle = index.cycleOf(subject.id)
  const held = index.heldBy(subject.id)
  return {
    ...subject,
    ...(cycle && subject.status !== 'done' ? { status: 'blocked' } : {}),
    childIds: [...index.children(subject.id)],
    ...(cycle ? { cycle } : {}),
    ...(held === undefined ? {} : { held }),
  }
}

export function answerQuery(index: CaseIndex, query: CaseQuery): CaseRecord[] {
  const limit = query.limit ?? Number.POSITIVE_INFINITY
  if (query.ready) return readyRecords(index, limit)
  if (query.ids) return found(index, query.ids).map((subject) => recordOf(index, subject))
  const matching = [...candidates(index, query)]
    .filter((subject) => matches(subject, query))
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

function matches(subject: Case, { type, status, parentId, deleted = false }: CaseQuery): boolean {
  return (
    (type === undefined || subject.type === type) &&
    (status === undefined || subject.status === status) &&
    (parentId === undefined || subject.parentId === parentId) &&
    (deleted || subject.deletedAt === undefined)
  )
}
