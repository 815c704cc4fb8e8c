import { isDeepStrictEqual } from 'node:util'
import type { Case, CaseId, HistoryEntry } from '../../cases/case.ts'
import type { Damage } from '../damage.ts'
import type { JournalLine } from './journal-line.ts'

export interface LoadedCase {
  readonly subject: Case
  readonly history: HistoryEntry[]
  readonly childIds: readonly CaseId[] | undefined
}

export type CaseLine = Extract<JournalLine, { kind: 'case' }>

interface Fold {
  subject: Case
  history: HistoryEntry[]
  readonly childIds: readonly CaseId[] | undefined
}

/** The newest revision of every case. Lines that simply follow each other are folded as they come. */
export class CaseFold {
  readonly cases = new Map<CaseId, Fold>()
  /**
   * Cases whose lines repeat, contradict or skip a revision: all lines of such a case are needed together.
   */
  readonly irregular = new Set<CaseId>()

  take(line: CaseLine): void {
    const { subject, history, childIds } = line
    const known = this.cases.get(subject.id)
    if (!known) {
      this.cases.set(subject.id, { subject, history: history as HistoryEntry[], childIds })
      if (!line.whole && subject.rev !== 1) this.irregular.add(subject.id)
    } else if (!line.whole && subject.rev === known.subject.rev + 1 && subject.uid === known.subject.uid) {
      known.subject = subject
      known.history.push(...history)
    } else {
      this.irregular.add(subject.id)
    }
  }

  /** Folds an irregular case again from all of its lines, in the order of revisions. */
  reconcile(id: CaseId, lines: readonly CaseLine[]): Damage[] {
    const uids = [...new Set(lines.map(({ subject }) => subject.uid))]
    const eldest = lines
      .map(({ subject }) => subject)
      .toSorted((a, b) => (a.createdAt + a.uid < b.createdAt + b.uid ? -1 : 1))[0]
    const own = lines.filter(({ subject }) => subject.uid === eldest?.uid)
    const { fold, damage } = foldRevisions(id, own)
    if (fold) this.cases.set(id, fold)
    return uids.length > 1 ? [{ kind: 'two-cases', id, uids }, ...damage] : damage
  }
}

function foldRevisions(id: CaseId, lines: readonly CaseLine[]): { fold: Fold | undefined; damage: Damage[] } {
  const damage: Damage[] = []
  let fold: Fold | undefined
  let last: CaseLine | undefined
  for (const line of lines.toSorted((a, b) => a.subject.rev - b.subject.rev)) {
    const { subject, history, childIds, whole } = line
    const expected = (fold?.subject.rev ?? 0) + 1
    if (last && subject.rev === last.subject.rev) {
      if (!sameRevision(last, line)) damage.push({ kind: 'two-revisions', id, rev: subject.rev })
      continue
    }
    if (whole) {
      if (fold && !startsWith(history, fold.history))
        damage.push({ kind: 'two-revisions', id, rev: subject.rev })
      fold = { subject, history: [...history], childIds }
    } else {
      if (subject.rev > expected) damage.push({ kind: 'missing-revision', id, rev: expected })
      fold = { subject, history: [...(fold?.history ?? []), ...history], childIds: fold?.childIds }
    }
    last = line
  }
  return { fold, damage }
}

function sameRevision(a: CaseLine, b: CaseLine): boolean {
  if (!isDeepStrictEqual(a.subject, b.subject)) return false
  const [shorter, longer] = a.history.length <= b.history.length ? [a, b] : [b, a]
  // One of the two may be the compacted form, whose history ends with what the other's line brought.
  return isDeepStrictEqual(
    longer.history.slice(longer.history.length - shorter.history.length),
    shorter.history,
  )
}

function startsWith(history: readonly HistoryEntry[], beginning: readonly HistoryEntry[]): boolean {
  return isDeepStrictEqual(history.slice(0, beginning.length), beginning)
}
