import type { Case, CaseId, Instant, Stage } from './case.ts'
import type { PointName } from './dependency-order.ts'

/** The queries that the laws make on cases. An index in memory answers them; a database could, too. */
export interface CaseView {
  /** Deleted cases included: they still hold their id. */
  get(id: CaseId): Case | undefined
  /** In the order of their creation, deleted ones included. */
  children(id: CaseId): readonly CaseId[]
  /** The cases whose `dependsOn` names this one. */
  dependents(id: CaseId): Iterable<CaseId>
  /** Whether a task can start now: `holdsOf` would be empty. Answered from an index. */
  isReady(id: CaseId): boolean
  /** How many tasks of an operation are neither done, deferred nor deleted. */
  openTasks(operation: CaseId): number
  /**
   * The chain by which the end of `from` waits for a point of `to`, both included; undefined when
   * it does not. Lineage is part of such a chain: a task starts after everything its ancestors depend on
   * and after the questions beside it, and an operation ends after its tasks.
   */
  waitPath(from: CaseId, to: CaseId, until: PointName): readonly CaseId[] | undefined
  /** Why this case may not change: its lines on disk are damaged or contradict each other. */
  heldBy(id: CaseId): string | undefined
  /** The circular path this case was loaded with. */
  cycleOf(id: CaseId): readonly CaseId[] | undefined
  /** The next unused number of an id prefix. */
  nextNumber(prefix: string): number
  /** A later expiry that a renewal gave to the lease with this fence. */
  renewedUntil(id: CaseId, stage: Stage, fence: number): Instant | undefined
}

export function* ancestorsOf(view: CaseView, subject: Case): Generator<Case> {
  let parent = subject.parentId === null ? undefined : view.get(subject.parentId)
  // A damaged file can hold a parent that is its own ancestor; no real lineage is this deep.
  for (let depth = 0; parent && depth < LINEAGE_DEPTH_MAX; depth += 1) {
    yield parent
    parent = parent.parentId === null ? undefined : view.get(parent.parentId)
  }
}

const LINEAGE_DEPTH_MAX = 1_000
