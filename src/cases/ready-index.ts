import { type Case, type CaseId, dependenciesOf, isDone, isLive } from './case.ts'
import { isOpenQuestion, isOpenTask, isWorkable } from './readiness.ts'
import { ancestorsOf, type CaseView } from './view.ts'

/** Counts that all tasks of an operation share. */
interface OperationTally {
  openTasks: number
  openQuestions: number
  /** Children that may have operations below them: a question under an operation may have become one. */
  branches: number
  /** Tasks that would be ready if the operation lets them. */
  readonly startable: Set<CaseId>
}

/**
 * Keeps the ready tasks up to date as cases change, so that asking for them costs nothing. A task has its own
 * part (pending, no open dependency); its operation has a gate for all of its tasks at once, so that blocking
 * an operation of a thousand tasks is one step.
 */
export class ReadyIndex {
  readonly #view: CaseView
  /** The number of open dependencies of a case; a case without any has no entry. */
  readonly #waiting = new Map<CaseId, number>()
  readonly #tallies = new Map<CaseId, OperationTally>()
  /** Operations with an open gate and something startable. */
  readonly #open = new Set<CaseId>()

  constructor(view: CaseView) {
    this.#view = view
  }

  openTasks(operation: CaseId): number {
    return this.#tallies.get(operation)?.openTasks ?? 0
  }

  isReady(task: Case | undefined): boolean {
    if (!task || task.parentId === null || !this.#open.has(task.parentId)) return false
    return this.#tallies.get(task.parentId)?.startable.has(task.id) === true
  }

  *ready(): Generator<CaseId> {
    for (const operation of this.#open) yield* this.#tallies.get(operation)?.startable ?? []
  }

  /** Records the change of a case from `before` to `after`; undefined means that the case does not exist. */
  update(before: Case | undefined, after: Case | undefined): void {
    const subject = after ?? before
    if (!subject) return
    this.#tally(subject.parentId, before, after)
    this.#countDependencies(subject.id, before, after)
    if (isDone(before) !== isDone(after)) this.#tellDependents(subject.id, isDone(after))
    this.#place(subject.id, after)
    if (isWorkable(before) !== isWorkable(after)) this.#refreshGate(subject.id)
  }

  /** Decides again whether a task is startable. */
  refresh(id: CaseId): void {
    this.#place(id, this.#view.get(id))
  }

  #place(id: CaseId, subject: Case | undefined): void {
    const startable =
      isLive(subject) &&
      subject.type === 'task' &&
      subject.status === 'pending' &&
      !this.#waits(subject) &&
      this.#view.cycleOf(id) === undefined &&
      this.#view.heldBy(id) === undefined
    const parentId = subject ? subject.parentId : this.#parentOfRemoved(id)
    if (parentId === null || parentId === undefined) return
    const tally = this.#tallies.get(parentId)
    if (!tally && !startable) return
    const { startable: tasks } = tally ?? this.#tallyOf(parentId)
    const { size } = tasks
    if (startable) tasks.add(id)
    else tasks.delete(id)
    if (tasks.size !== size && tasks.size <= 1) this.#refreshGate(parentId)
  }

  /** Skips the lookup for a case without dependencies: among a million cases it is not free. */
  #waits(subject: Case): boolean {
    return subject.dependsOn !== undefined && this.#waiting.has(subject.id)
  }

  /** Decides again whether the tasks of an operation may start. */
  refreshOperation(id: CaseId): void {
    this.#refreshGate(id)
  }

  /** For an undone creation: the case is gone, and only the tallies still hold its parent. */
  #parentOfRemoved(id: CaseId): CaseId | undefined {
    for (const [operation, { startable }] of this.#tallies) if (startable.has(id)) return operation
    return undefined
  }

  #tallyOf(operation: CaseId): OperationTally {
    const known = this.#tallies.get(operation)
    if (known) return known
    const tally = { openTasks: 0, openQuestions: 0, branches: 0, startable: new Set<CaseId>() }
    this.#tallies.set(operation, tally)
    return tally
  }

  #tally(parentId: CaseId | null, before: Case | undefined, after: Case | undefined): void {
    if (parentId === null) return
    const tasks = Number(isOpenTask(after)) - Number(isOpenTask(before))
    const questions = Number(isOpenQuestion(after)) - Number(isOpenQuestion(before))
    const branches = Number(isBranch(after)) - Number(isBranch(before))
    if (tasks === 0 && questions === 0 && branches === 0) return
    const tally = this.#tallyOf(parentId)
    tally.branches += branches
    tally.openTasks += tasks
    tally.openQuestions += questions
    if (questions !== 0) this.#refreshGate(parentId)
  }

  #countDependencies(id: CaseId, before: Case | undefined, after: Case | undefined): void {
    if (before?.dependsOn === after?.dependsOn) return
    const open = after ? dependenciesOf(after).filter((on) => !isDone(this.#view.get(on))).length : 0
    this.#setWaiting(id, open)
  }

  #tellDependents(id: CaseId, done: boolean): void {
    for (const dependent of this.#view.dependents(id)) {
      if (dependent === id) continue
      this.#setWaiting(dependent, (this.#waiting.get(dependent) ?? 0) + (done ? -1 : 1))
    }
  }

  #setWaiting(id: CaseId, open: number): void {
    const waited = this.#waiting.has(id)
    if (open > 0) this.#waiting.set(id, open)
    else this.#waiting.delete(id)
    if (waited === open > 0) return
    this.refresh(id)
    this.#refreshGatesBelow(id)
  }

  #refreshGatesBelow(top: CaseId): void {
    const open = [top]
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (this.#view.get(id)?.type === 'operation') this.#refreshGate(id)
      // Keeps an operation of a thousand tasks one step: its children are scanned only if one is not a task.
      if ((this.#tallies.get(id)?.branches ?? 0) === 0) continue
      for (const child of this.#view.children(id)) if (isBranch(this.#view.get(child))) open.push(child)
    }
  }

  #refreshGate(id: CaseId): void {
    const tally = this.#tallies.get(id)
    if (tally && tally.startable.size > 0 && tally.openQuestions === 0 && this.#letsThrough(id))
      this.#open.add(id)
    else this.#open.delete(id)
  }

  #letsThrough(id: CaseId): boolean {
    const operation = this.#view.get(id)
    if (!operation || !isWorkable(operation) || this.#waits(operation) || this.#view.heldBy(id) !== undefined)
      return false
    for (const ancestor of ancestorsOf(this.#view, operation)) if (this.#waits(ancestor)) return false
    return true
  }
}

function isBranch(subject: Case | undefined): boolean {
  return subject !== undefined && subject.type !== 'task' && subject.type !== 'discovery'
}
