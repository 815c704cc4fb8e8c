import type { Case, CaseId } from '../cases/case.ts'
import { isLive } from '../cases/case.ts'
import { CaseIndex } from '../cases/case-index.ts'
import type { DeliveryState, DeliveryStateName } from '../delivery/delivery-state.ts'
import { PARKED_KEY, PRESSED_KEY } from '../health/budgets/park-case.ts'
import { SpendIndex } from '../health/budgets/spend-index.ts'
import { isUnpublished } from '../integration/landing-record.ts'
import { readEffectiveDelivery } from '../project/effective-delivery.ts'
import { projectQuestionOf } from '../project/questions/project-question.ts'
import type { CaseRecord } from '../store/store.ts'

/** A task and its delivery state. */
export interface TaskRow {
  readonly task: Case
  readonly delivery: DeliveryState
}

const NONE: ReadonlyMap<CaseId, TaskRow> = new Map()

/**
 * What the director knows of the cases: read once, then kept current from the feed of commits. It includes
 * the director's own last commit, so no decision rests on a state that the director itself has already
 * changed.
 */
export class View {
  #index = new CaseIndex()
  #spend = new SpendIndex()
  readonly #budgeted = new Set<CaseId>()
  readonly #rows = new Map<CaseId, TaskRow>()
  readonly #places = new Map<DeliveryStateName, Map<CaseId, TaskRow>>()
  readonly #unsettled = new Map<CaseId, TaskRow>()
  /** Questions about the whole project. */
  readonly #projectQuestions = new Map<CaseId, Case>()
  readonly #unreadable = new Map<CaseId, string>()
  /** Tasks of each operation, so that they need not be counted. */
  readonly #tasks = new Map<CaseId, number>()
  readonly #directives = new Set<CaseId>()
  readonly #unpublished = new Set<CaseId>()
  #version = 0

  /** Replaces everything. */
  load(records: readonly CaseRecord[]): void {
    this.#index = new CaseIndex()
    this.#spend = new SpendIndex()
    this.#budgeted.clear()
    this.#rows.clear()
    this.#places.clear()
    this.#unsettled.clear()
    this.#projectQuestions.clear()
    this.#unreadable.clear()
    this.#tasks.clear()
    this.#directives.clear()
    this.#unpublished.clear()
    this.#version += 1
    for (const record of records) this.take(record)
    for (const { id, held } of records) if (held !== undefined) this.#index.hold(id, held)
    this.#index.findCycles()
  }

  /** Takes one case as it is now; a revision older than the known one changes nothing. */
  take(subject: Case): void {
    const known = this.#index.get(subject.id)
    if (known && known.rev >= subject.rev) return
    this.#version += 1
    this.#index.put(subject, [])
    if (subject.type === 'directive') this.#directives.add(subject.id)
    this.#spend.put(subject)
    if (isMarked(subject)) this.#budgeted.add(subject.id)
    else this.#budgeted.delete(subject.id)
    if (isLive(subject) && projectQuestionOf(subject)) this.#projectQuestions.set(subject.id, subject)
    else this.#projectQuestions.delete(subject.id)
    if (subject.type === 'task' || known?.type === 'task') this.#place(subject)
  }

  #place(subject: Case): void {
    const { id } = subject
    this.#forget(id)
    if (subject.type !== 'task' || !isLive(subject)) return
    const read = readEffectiveDelivery(subject)
    if (read.kind === 'unreadable') {
      this.#unreadable.set(id, read.reason)
      return
    }
    const row = { task: subject, delivery: read.delivery }
    this.#rows.set(id, row)
    this.#countTask(subject, 1)
    if (isUnpublished(subject)) this.#unpublished.add(id)
    if (isUnsettled(row)) this.#unsettled.set(id, row)
    const places = this.#places.get(read.delivery.state)
    if (places) places.set(id, row)
    else this.#places.set(read.delivery.state, new Map([[id, row]]))
  }

  #forget(id: CaseId): void {
    const before = this.#rows.get(id)
    if (before) {
      this.#places.get(before.delivery.state)?.delete(id)
      this.#countTask(before.task, -1)
    }
    this.#rows.delete(id)
    this.#unsettled.delete(id)
    this.#unreadable.delete(id)
    this.#unpublished.delete(id)
  }

  #countTask({ parentId }: Case, by: number): void {
    if (parentId !== null) this.#tasks.set(parentId, (this.#tasks.get(parentId) ?? 0) + by)
  }

  /** Increases with every change. */
  get version(): number {
    return this.#version
  }

  /** A directive never becomes anything else. */
  *directives(): Generator<Case> {
    for (const id of this.#directives) {
      const directive = this.#index.get(id)
      if (directive && isLive(directive)) yield directive
    }
  }

  hasDirectives(): boolean {
    return this.#directives.size > 0
  }

  /** Every case below this one, each after its parent. */
  under(id: CaseId): Case[] {
    const found: Case[] = []
    const open = [id]
    for (const at of open) {
      for (const child of this.#index.children(at)) {
        const subject = this.#index.get(child)
        if (!subject || !isLive(subject)) continue
        found.push(subject)
        open.push(child)
      }
    }
    return found
  }

  /** Tasks that are on the target, and not known to be on the user's own branch. */
  get unpublished(): ReadonlySet<CaseId> {
    return this.#unpublished
  }

  get spend(): SpendIndex {
    return this.#spend
  }

  /** Cases that are marked as low on budget, or as having none left. */
  get budgeted(): ReadonlySet<CaseId> {
    return this.#budgeted
  }

  get(id: CaseId): Case | undefined {
    return this.#index.get(id)
  }

  row(id: CaseId): TaskRow | undefined {
    return this.#rows.get(id)
  }

  rows(): Iterable<TaskRow> {
    return this.#rows.values()
  }

  /** Tasks that were started and are not done. */
  unsettled(): Iterable<TaskRow> {
    return this.#unsettled.values()
  }

  projectQuestions(): Case[] {
    return [...this.#projectQuestions.values()]
  }

  /** The tasks in one delivery state, in the order in which they entered it. */
  in(state: DeliveryStateName): Iterable<TaskRow> {
    return (this.#places.get(state) ?? NONE).values()
  }

  countIn(state: DeliveryStateName): number {
    return this.#places.get(state)?.size ?? 0
  }

  ready(): Iterable<CaseId> {
    return this.#index.ready()
  }

  dependents(id: CaseId): Iterable<CaseId> {
    return this.#index.dependents(id)
  }

  countTasks(operation: CaseId): number {
    return this.#tasks.get(operation) ?? 0
  }

  openTasks(operation: CaseId): number {
    return this.#index.openTasks(operation)
  }

  /** Tasks whose delivery was written by another version, with what is wrong. */
  get unreadable(): ReadonlyMap<CaseId, string> {
    return this.#unreadable
  }
}

function isMarked({ metadata }: Case): boolean {
  return metadata[PARKED_KEY] !== undefined || metadata[PRESSED_KEY] !== undefined
}

function isUnsettled({ task, delivery: { state } }: TaskRow): boolean {
  if (task.status === 'done' || state === 'landed') return false
  return state !== 'queued' || task.status === 'active'
}
