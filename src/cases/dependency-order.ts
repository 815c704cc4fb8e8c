import { type Case, type CaseId, dependenciesOf } from './case.ts'

/** What the order needs to know of the cases. */
export interface DependencyGraph {
  get(id: CaseId): Case | undefined
  children(id: CaseId): readonly CaseId[]
  dependents(id: CaseId): Iterable<CaseId>
}

/** A point in the life of a case: its start, or its end. Only an operation's end waits for more than its start. */
interface Point {
  readonly id: CaseId
  readonly end: boolean
}

/** Room below an operation's end for chains of tasks, so that a new task seldom moves what waits for the operation. */
const OPERATION_ROOM = 64

/**
 * A level for every point, higher than the levels of everything it waits for. While that holds, an edge
 * to a lower level closes no circle, and a search for one never leaves the levels in between: that is
 * what keeps adding a dependency cheap in a large graph.
 */
export class DependencyOrder {
  readonly #graph: DependencyGraph
  readonly #starts = new Map<CaseId, number>()
  readonly #ends = new Map<CaseId, number>()

  constructor(graph: DependencyGraph, cases: Iterable<Case>) {
    this.#graph = graph
    for (const { id } of cases) this.update(id)
  }

  /** Restores the levels after a case was created or changed. */
  update(id: CaseId): void {
    const subject = this.#graph.get(id)
    if (!subject) return
    let level = this.#starts.get(id) ?? 0
    for (const point of this.#awaitedBy({ id, end: false })) level = Math.max(level, this.#level(point) + 1)
    this.#raise({ id, end: false }, level, true)
    if (subject.type === 'operation')
      this.#raise({ id, end: true }, this.#startLevel(id) + OPERATION_ROOM, true)
  }

  /** See `CaseView.waitPath`. */
  waitPath(from: CaseId, to: CaseId, until: 'start' | 'end'): CaseId[] | undefined {
    const goal: Point = { id: from, end: true }
    const origin: Point = this.#normal({ id: to, end: until === 'end' })
    const ceiling = this.#level(goal)
    if (this.#level(origin) > ceiling) return undefined
    const goalKey = keyOf(this.#normal(goal))
    const cameFrom = new Map<string, Point | undefined>([[keyOf(origin), undefined]])
    const open = [origin]
    for (let point = open.pop(); point; point = open.pop()) {
      if (keyOf(point) === goalKey) return trace(cameFrom, point)
      for (const waiter of this.#waitersOf(point)) {
        const key = keyOf(waiter)
        if (cameFrom.has(key) || this.#level(waiter) > ceiling) continue
        cameFrom.set(key, point)
        open.push(waiter)
      }
    }
    return undefined
  }

  /** Lifts a point to a level at least, and whatever waits for it above that. */
  #raise(point: Point, level: number, settle = false): void {
    const open: (readonly [Point, number, boolean])[] = [[point, level, settle]]
    for (let next = open.pop(); next; next = open.pop()) {
      const [at, wanted, first] = next
      const levels = at.end ? this.#ends : this.#starts
      const current = levels.get(at.id)
      if (current !== undefined && current >= wanted && !first) continue
      if (current === undefined || current < wanted) levels.set(at.id, wanted)
      const reached = levels.get(at.id) ?? wanted
      for (const waiter of this.#waitersOf(at)) {
        if (this.#level(waiter) <= reached) open.push([waiter, reached + 1, false])
      }
    }
  }

  /** Everything but an operation ends where it starts, as far as waiting goes. */
  #normal({ id, end }: Point): Point {
    return { id, end: end && this.#graph.get(id)?.type === 'operation' }
  }

  #level(point: Point): number {
    const { id, end } = this.#normal(point)
    return end ? (this.#ends.get(id) ?? this.#startLevel(id) + OPERATION_ROOM) : this.#startLevel(id)
  }

  #startLevel(id: CaseId): number {
    return this.#starts.get(id) ?? 0
  }

  *#awaitedBy({ id }: Point): Generator<Point> {
    const subject = this.#graph.get(id)
    if (!subject) return
    if (subject.parentId !== null) yield { id: subject.parentId, end: false }
    for (const on of dependenciesOf(subject)) yield { id: on, end: true }
  }

  *#waitersOf({ id, end }: Point): Generator<Point> {
    const subject = this.#graph.get(id)
    const isOperation = subject?.type === 'operation'
    if (end || !isOperation) for (const other of this.#graph.dependents(id)) yield { id: other, end: false }
    if (end) return
    if (isOperation) yield { id, end: true }
    for (const child of this.#graph.children(id)) yield { id: child, end: false }
    const parent = subject?.parentId ?? null
    if (subject?.type === 'task' && parent !== null && this.#graph.get(parent)?.type === 'operation') {
      yield { id: parent, end: true }
    }
  }
}

function keyOf({ id, end }: Point): string {
  return end ? `${id}!` : id
}

/** From the goal back to the origin: the search went from what is awaited to who waits. */
function trace(cameFrom: ReadonlyMap<string, Point | undefined>, goal: Point): CaseId[] {
  const path: CaseId[] = []
  for (let point: Point | undefined = goal; point; point = cameFrom.get(keyOf(point))) {
    if (path.at(-1) !== point.id) path.push(point.id)
  }
  return path
}
