import { type Case, type CaseId, dependenciesOf, isDone, isLive } from './case.ts'
import { withArticle } from './case-types.ts'
import { ancestorsOf, type CaseView } from './view.ts'

/** A reason why a task cannot start now. */
export type Hold =
  | { kind: 'type' | 'deleted' | 'status' | 'no-operation' }
  | { kind: 'damage'; why: string }
  | { kind: 'cycle'; path: readonly CaseId[] }
  | { kind: 'operation'; id: CaseId }
  | { kind: 'question'; id: CaseId }
  | { kind: 'dependency'; id: CaseId; of: CaseId }

/** Research and decisions that are still open hold the tasks beside them, unless raised by one task alone. */
export function isOpenQuestion(subject: Case | undefined): boolean {
  return (
    isLive(subject) &&
    (subject.type === 'research' || subject.type === 'pending') &&
    subject.status !== 'done' &&
    subject.metadata.waitingTask === undefined
  )
}

/** Tasks of an operation that still have to be done; a deferred one no longer is a task. */
export function isOpenTask(subject: Case | undefined): boolean {
  return isLive(subject) && subject.type === 'task' && subject.status !== 'done'
}

/** Whether the operation's own status lets its tasks start. */
export function isWorkable(operation: Case | undefined): boolean {
  return (
    isLive(operation) &&
    operation.type === 'operation' &&
    operation.status !== 'blocked' &&
    operation.status !== 'done'
  )
}

/**
 * Everything that keeps a case from being ready; an empty list is readiness. This is the definition:
 * the index answers the same question for all tasks at once, and a test holds the two together.
 */
export function holdsOf(view: CaseView, subject: Case): Hold[] {
  if (subject.type !== 'task') return [{ kind: 'type' }]
  if (!isLive(subject)) return [{ kind: 'deleted' }]
  const holds: Hold[] = []
  if (subject.status !== 'pending') holds.push({ kind: 'status' })
  const why = view.heldBy(subject.id)
  if (why !== undefined) holds.push({ kind: 'damage', why })
  const path = view.cycleOf(subject.id)
  if (path) holds.push({ kind: 'cycle', path })
  holds.push(...holdsOfOperation(view, subject))
  for (const holder of [subject, ...ancestorsOf(view, subject)]) {
    for (const id of dependenciesOf(holder)) {
      if (!isDone(view.get(id))) holds.push({ kind: 'dependency', id, of: holder.id })
    }
  }
  return holds
}

function holdsOfOperation(view: CaseView, task: Case): Hold[] {
  const operation = task.parentId === null ? undefined : view.get(task.parentId)
  if (!operation) return [{ kind: 'no-operation' }]
  const questions = view
    .children(operation.id)
    .filter((id) => isOpenQuestion(view.get(id)))
    .map((id) => ({ kind: 'question' as const, id }))
  const isOpen = isWorkable(operation) && view.heldBy(operation.id) === undefined
  return isOpen ? questions : [{ kind: 'operation', id: operation.id }, ...questions]
}

/** The holds as words: `waits on task-001 (active); question pend-002 is open`. */
export function describeHolds(view: CaseView, subject: Case, holds: readonly Hold[]): string {
  return holds.map((hold) => describeHold(view, subject, hold)).join('; ')
}

function describeHold(view: CaseView, subject: Case, hold: Hold): string {
  switch (hold.kind) {
    case 'type':
      return `is ${withArticle(subject.type)}, not a task`
    case 'deleted':
      return 'is deleted'
    case 'status':
      return `is ${subject.status}`
    case 'no-operation':
      return 'has no operation'
    case 'damage':
      return `is held: ${hold.why}`
    case 'cycle':
      return `is in a circular dependency ${hold.path.join(' → ')}`
    case 'operation':
      return `operation ${standing(view, hold.id)}`
    case 'question':
      return `${view.get(hold.id)?.type === 'research' ? 'research' : 'question'} ${hold.id} is open`
    case 'dependency':
      return `${hold.of === subject.id ? 'waits' : `${hold.of} waits`} on ${standing(view, hold.id)}`
  }
}

function standing(view: CaseView, id: CaseId): string {
  const subject = view.get(id)
  if (!subject) return `${id} (missing)`
  if (!isLive(subject)) return `${id} (deleted)`
  return `${id} (${subject.type === 'deferred' ? 'deferred' : subject.status})`
}
