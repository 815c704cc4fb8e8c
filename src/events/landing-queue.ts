import type { Case, CaseId, Instant } from '../cases/case.ts'
import { titleOf } from './board.ts'
import { count, fields, standingOf } from './task-standing.ts'

/** One task on its way to the target. */
export interface QueueEntry {
  readonly id: CaseId
  readonly title: string
  readonly since: Instant
  /** How often landing sent it back. */
  readonly refused: number
  /** The agent that resolves its conflict now. */
  readonly resolver: string | null
  readonly files: number
}

const NONE: ReadonlySet<CaseId> = new Set()

/** The tasks that wait to land, the longest waiting first; the actual order is decided at landing. */
export function foldQueue(cases: Iterable<Case>): QueueEntry[] {
  const entries: QueueEntry[] = []
  for (const subject of cases) {
    if (subject.type !== 'task' || subject.deletedAt !== undefined) continue
    const { column, since, rounds } = standingOf(subject, NONE)
    if (column !== 'landing') continue
    const { codeChanges } = fields(subject.metadata.execution)
    entries.push({
      id: subject.id,
      title: titleOf(subject),
      since,
      refused: rounds.landing,
      resolver: subject.leases?.resolve?.holder ?? null,
      files: count(fields(codeChanges).filesChanged),
    })
  }
  return entries.sort((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : 0))
}
