import type { Case } from '../../cases/case.ts'
import { taskMetadata } from '../../cases/metadata.ts'
import { assignedTo } from '../../project/orders.ts'
import type { Snapshot } from '../snapshot.ts'

const POINTS_PER_UNBLOCKED = 10
const POINTS_OF_TAG: Readonly<Record<string, number>> = { critical: 50, 'quick-win': 30 }
const POINTS_OPERATION_HALF_DONE = 20
const POINTS_PER_RETRY = -15
const MINUTE_MS = 60_000

/** A person asked for it: it goes before everything that the director would choose. */
const POINTS_OF_ASSIGNMENT = 1e9

/** The priority of a task for scarce resources. */
export function priorityOf(snapshot: Snapshot, task: Case): number {
  return assignedTo(task) !== undefined ? POINTS_OF_ASSIGNMENT : scoreTask(snapshot, task)
}

/** What makes this task the next to start. Waiting time counts for every task, so that none waits forever. */
function scoreTask({ view, nowMs }: Snapshot, task: Case): number {
  let score = 0
  for (const id of view.dependents(task.id)) {
    const status = view.get(id)?.status
    if (status === 'pending' || status === 'blocked') score += POINTS_PER_UNBLOCKED
  }
  for (const tag of task.tags ?? []) score += POINTS_OF_TAG[tag] ?? 0
  if (isHalfDone(view, task)) score += POINTS_OPERATION_HALF_DONE
  score += POINTS_PER_RETRY * (taskMetadata(task.metadata).execution?.retryCount ?? 0)
  return score + Math.floor(Math.max(0, nowMs - Date.parse(task.updatedAt)) / MINUTE_MS)
}

function isHalfDone(view: Snapshot['view'], { parentId }: Case): boolean {
  if (parentId === null) return false
  const all = view.countTasks(parentId)
  return all > 0 && view.openTasks(parentId) * 2 < all
}
