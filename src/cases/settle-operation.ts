import type { Case } from './case.ts'
import type { Change, Occasion } from './change.ts'
import { moveTo } from './decide/status.ts'
import type { CaseView } from './view.ts'

/**
 * What the change of a task means for its operation: active with its first claim, done when every
 * task is done or deferred, active again when one that was deferred is taken up. A blocked operation waits until it
 * is freed.
 */
export function settleOperation(
  view: CaseView,
  operation: Case,
  changed: Case,
  occasion: Occasion,
): Change | undefined {
  if (operation.deletedAt !== undefined) return undefined
  if (isFinished(view, operation, changed)) {
    const system: Occasion = { ...occasion, by: 'system' }
    const reason = 'every task is done or deferred'
    const started = operation.status === 'active' ? undefined : moveTo(operation, 'active', reason, system)
    const ended = moveTo(started?.after ?? operation, 'done', reason, system)
    return { after: ended.after, entries: [...(started?.entries ?? []), ...ended.entries] }
  }
  // Under an operation that is done, its open tasks would never become ready.
  if (operation.status === 'done' && view.openTasks(operation.id) > 0) {
    return moveTo(operation, 'active', `${changed.id} is to be done after all`, { ...occasion, by: 'system' })
  }
  if (operation.status === 'pending' && changed.type === 'task' && changed.status === 'active') {
    return moveTo(operation, 'active', `${changed.id} was claimed`, { ...occasion, by: 'system' })
  }
  return undefined
}

function isFinished(view: CaseView, operation: Case, changed: Case): boolean {
  if (operation.status !== 'pending' && operation.status !== 'active') return false
  if (view.openTasks(operation.id) > 0) return false
  const ended = (subject: Case | undefined) =>
    subject?.deletedAt === undefined &&
    (subject?.type === 'task' || (subject?.type === 'deferred' && subject.metadata.deferredFrom === 'task'))
  return changed.id === operation.id
    ? view.children(operation.id).some((id) => ended(view.get(id)))
    : hasEnded(view, operation, changed, ended)
}

/** The changed case usually decides; only a deletion requires a look at the others. */
function hasEnded(
  view: CaseView,
  operation: Case,
  changed: Case,
  ended: (subject: Case | undefined) => boolean,
): boolean {
  return (
    ended(changed) ||
    (changed.deletedAt !== undefined && view.children(operation.id).some((id) => ended(view.get(id))))
  )
}
