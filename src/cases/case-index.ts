import {
  type Case,
  type CaseId,
  dependenciesOf,
  type HistoryEntry,
  type Instant,
  type Stage,
} from './case.ts'
import { CASE_TYPES } from './case-types.ts'
import { findCycles, pathThrough } from './cycles.ts'
import { DependencyOrder, type PointName } from './dependency-order.ts'
import { numberAfter, parseId } from './ids.ts'
import { ReadyIndex } from './ready-index.ts'
import type { CaseView } from './view.ts'

interface Entry {
  subject: Case
  /** A list of one entry belongs to the caller and is never changed; a longer list is the index's own. */
  history: readonly HistoryEntry[]
}

const NONE: readonly CaseId[] = Object.freeze([])
const NOBODY: ReadonlySet<CaseId> = new Set()

/** All cases in memory; each change also updates the answers to frequent queries. */
export class CaseIndex implements CaseView {
  readonly #entries = new Map<CaseId, Entry>()
  readonly #children = new Map<CaseId, CaseId[]>()
  readonly #dependents = new Map<CaseId, Set<CaseId>>()
  readonly #counters = new Map<string, number>()
  #latestPrefix = CASE_TYPES.task.prefix
  readonly #ready = new ReadyIndex(this)
  readonly #held = new Map<CaseId, string>()
  #cycles: ReadonlyMap<CaseId, readonly CaseId[]> = new Map()
  /** Built on the first dependency query, so that a command that only reads does not pay for it. */
  #order: DependencyOrder | undefined
  readonly #renewals = new Map<string, { readonly fence: number; readonly until: Instant }>()

  get size(): number {
    return this.#entries.size
  }

  get(id: CaseId): Case | undefined {
    return this.#entries.get(id)?.subject
  }

  history(id: CaseId): readonly HistoryEntry[] {
    return this.#entries.get(id)?.history ?? []
  }

  *all(): Generator<Case> {
    for (const { subject } of this.#entries.values()) yield subject
  }

  children(id: CaseId): readonly CaseId[] {
    return this.#children.get(id) ?? NONE
  }

  dependents(id: CaseId): ReadonlySet<CaseId> {
    return this.#dependents.get(id) ?? NOBODY
  }

  openTasks(operation: CaseId): number {
    return this.#ready.openTasks(operation)
  }

  isReady(id: CaseId): boolean {
    return this.#ready.isReady(this.get(id))
  }

  /** The ready tasks, one operation after the other. */
  ready(): Generator<CaseId> {
    return this.#ready.ready()
  }

  heldBy(id: CaseId): string | undefined {
    return this.#held.get(id)
  }

  /** Blocks every change of this case until it is released. */
  hold(id: CaseId, why: string): void {
    this.#held.set(id, why)
    this.#reserveId(id)
    this.#ready.refresh(id)
    this.#ready.refreshOperation(id)
  }

  cycleOf(id: CaseId): readonly CaseId[] | undefined {
    return this.#cycles.get(id)
  }

  /** One path for every circle of dependencies that the cases were loaded with. */
  cycles(): (readonly CaseId[])[] {
    return [...new Set(this.#cycles.values())]
  }

  waitPath(from: CaseId, to: CaseId, until: PointName): readonly CaseId[] | undefined {
    this.#order ??= new DependencyOrder(this, this.all())
    return this.#order.waitPath(from, to, until)
  }

  nextNumber(prefix: string): number {
    return (this.#counters.get(prefix) ?? 0) + 1
  }

  counters(): Map<string, number> {
    return new Map(this.#counters)
  }

  /** Numbers up to this one are taken, whether or not a case with them is here. */
  reserve(prefix: string, number: number): void {
    if (number > (this.#counters.get(prefix) ?? -1)) this.#counters.set(prefix, number)
  }

  /** Ids come in runs of one prefix, so the prefix is not built again for each of them. */
  #reserveId(id: CaseId): void {
    const number = numberAfter(this.#latestPrefix, id)
    if (number !== undefined) {
      this.reserve(this.#latestPrefix, number)
      return
    }
    const parsed = parseId(id)
    if (!parsed) return
    this.#latestPrefix = parsed.prefix
    this.reserve(parsed.prefix, parsed.number)
  }

  renewedUntil(id: CaseId, stage: Stage, fence: number): Instant | undefined {
    const renewal = this.#renewals.get(`${id}/${stage}`)
    return renewal?.fence === fence ? renewal.until : undefined
  }

  renew(id: CaseId, stage: Stage, fence: number, until: Instant): void {
    this.#renewals.set(`${id}/${stage}`, { fence, until })
  }

  /** The renewals of leases that still stand; the others have no effect. */
  *renewals(): Generator<{ id: CaseId; stage: Stage; fence: number; until: Instant }> {
    for (const [key, { fence, until }] of this.#renewals) {
      const [id = '', stage = ''] = key.split('/')
      if (this.get(id)?.leases?.[stage as Stage]?.fence === fence)
        yield { id, stage: stage as Stage, fence, until }
    }
  }

  put(after: Case, entries: readonly HistoryEntry[]): void {
    const entry = this.#entries.get(after.id)
    const before = entry?.subject
    if (entry) {
      entry.subject = after
      entry.history = grown(entry.history, entries)
    } else {
      this.#entries.set(after.id, { subject: after, history: entries.length === 1 ? entries : [...entries] })
      this.#adopt(after)
    }
    this.#takeIn(before, after)
  }

  /** Restores the creation order of children that were loaded in id order. */
  orderChildren(id: CaseId, order: readonly CaseId[]): void {
    const children = this.#children.get(id)
    if (!children || children.every((child, i) => child === order[i])) return
    const known = new Set(children)
    const first = order.filter((child) => known.has(child))
    const placed = new Set(first)
    this.#children.set(id, [...first, ...children.filter((child) => !placed.has(child))])
  }

  /**
   * Undoes the newest change, which was never acknowledged: restores the case and cuts its history to the old
   * length. The number of a case that was created is free again.
   */
  undo(before: Case | undefined, after: Case, historyLength: number): void {
    const entry = this.#entries.get(after.id)
    if (!entry) return
    if (before) {
      entry.subject = before
      entry.history = entry.history.slice(0, historyLength)
    } else {
      this.#entries.delete(after.id)
      if (after.parentId !== null) this.#children.get(after.parentId)?.pop()
      const parsed = parseId(after.id)
      if (parsed) this.#counters.set(parsed.prefix, parsed.number - 1)
    }
    this.#takeIn(after, before)
  }

  /** Finds the circles in what was loaded; their members are held until an edge is removed. */
  findCycles(): void {
    const edges = (id: CaseId) => dependenciesOf(this.get(id) ?? NOTHING)
    const members = new Map<CaseId, readonly CaseId[]>()
    for (const component of findCycles(this.#dependents.keys(), edges)) {
      const path = pathThrough(component, edges)
      for (const id of component) members.set(id, path)
    }
    const touched = new Set([...this.#cycles.keys(), ...members.keys()])
    this.#cycles = members
    for (const id of touched) this.#ready.refresh(id)
  }

  #adopt({ id, parentId }: Case): void {
    this.#reserveId(id)
    if (parentId === null) return
    const siblings = this.#children.get(parentId)
    if (siblings) siblings.push(id)
    else this.#children.set(parentId, [id])
  }

  #takeIn(before: Case | undefined, after: Case | undefined): void {
    const rewired = before?.dependsOn !== after?.dependsOn
    if (rewired) this.#rewire(before, after)
    this.#ready.update(before, after)
    if (after && (rewired || before?.type !== after.type)) this.#order?.update(after.id)
    if (rewired && this.#cycles.size > 0) this.findCycles()
  }

  #rewire(before: Case | undefined, after: Case | undefined): void {
    for (const on of before?.dependsOn ?? NONE) this.#dependents.get(on)?.delete(before?.id ?? '')
    if (!after) return
    for (const on of dependenciesOf(after)) {
      const waiting = this.#dependents.get(on)
      if (waiting) waiting.add(after.id)
      else this.#dependents.set(on, new Set([after.id]))
    }
  }
}

const NOTHING = {} as Case

/** Appends in place, so that the cost does not grow with the history; a list of one may be the caller's. */
function grown(history: readonly HistoryEntry[], entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  if (history.length < 2) return [...history, ...entries]
  ;(history as HistoryEntry[]).push(...entries)
  return history
}
