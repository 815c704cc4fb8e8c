import { type Case, type CaseId, dependenciesOf } from './case.ts'

/** The queries on cases that the order needs. */
export interface DependencyGraph {
  get(id: CaseId): Case | undefined
  children(id: CaseId): readonly CaseId[]
  dependents(id: CaseId): Iterable<CaseId>
}

/**
 * A point in the life of a case. Only an operation has three: its start, the gate behind which its tasks
 * begin (when the questions beside them are answered), and its end (when its tasks are done).
 */
export type PointName = 'start' | 'gate' | 'end'

interface Point {
  readonly id: CaseId
  readonly at: PointName
}

/** Levels kept free below an operation's end, so that a new task seldom moves the operation's dependents. */
const OPERATION_ROOM = 64

/** More steps than this for each point there is mean that the levels chase each other round a circle. */
const STEPS_PER_POINT = 20

/**
 * A level for every point, higher than the levels of everything it waits for. While that holds, an edge
 * to a lower level closes no circle, and a search for one never leaves the levels in between: that is
 * what keeps adding a dependency cheap in a large graph.
 */
export class DependencyOrder {
  readonly #graph: DependencyGraph
  readonly #levels: Readonly<Record<PointName, Map<CaseId, number>>> = {
    start: new Map(),
    gate: new Map(),
    end: new Map(),
  }
  /** False once a circle was found, which only a file edited elsewhere can hold: then no level is valid. */
  #isOrdered = true

  constructor(graph: DependencyGraph, cases: Iterable<Case>) {
    this.#graph = graph
    for (const { id } of cases) this.update(id)
  }

  /** Restores the levels after a case was created or its type or dependencies changed. */
  update(id: CaseId): void {
    const points: Point[] = this.#isOperation(id)
      ? [
          { id, at: 'start' },
          { id, at: 'gate' },
          { id, at: 'end' },
        ]
      : [{ id, at: 'start' }]
    for (const point of points) {
      let level = this.#level(point)
      for (const awaited of this.#awaitedBy(point)) level = Math.max(level, this.#level(awaited) + 1)
      this.#raise(point, level)
    }
  }

  /** See `CaseView.waitPath`. */
  waitPath(from: CaseId, to: CaseId, until: PointName): CaseId[] | undefined {
    const goal = this.#normal({ id: from, at: 'end' })
    const origin = this.#normal({ id: to, at: until })
    const ceiling = this.#isOrdered ? this.#level(goal) : Number.POSITIVE_INFINITY
    const cameFrom = new Map<string, Point | undefined>([[keyOf(origin), undefined]])
    const open = this.#level(origin) > ceiling ? [] : [origin]
    for (let point = open.pop(); point; point = open.pop()) {
      if (keyOf(point) === keyOf(goal)) return trace(cameFrom, point)
      for (const waiter of this.#waitersOf(point)) {
        const key = keyOf(waiter)
        if (cameFrom.has(key) || this.#level(waiter) > ceiling) continue
        cameFrom.set(key, point)
        open.push(waiter)
      }
    }
    return undefined
  }

  /** Gives a point its level, and lifts every point that waits for it above that. */
  #raise(point: Point, level: number): void {
    this.#levels[point.at].set(point.id, level)
    const open = [point]
    let steps = STEPS_PER_POINT * (this.#points + OPERATION_ROOM)
    for (let at = open.pop(); at && this.#isOrdered; at = open.pop()) {
      steps -= 1
      if (steps < 0) this.#isOrdered = false
      const reached = this.#level(at)
      for (const waiter of this.#waitersOf(at)) {
        if (this.#level(waiter) > reached) continue
        this.#levels[waiter.at].set(waiter.id, reached + 1)
        open.push(waiter)
      }
    }
  }

  get #points(): number {
    const { start, gate, end } = this.#levels
    return start.size + gate.size + end.size
  }

  /** For waiting, every case except an operation has one point: its end is its start. */
  #normal(point: Point): Point {
    return this.#isOperation(point.id) ? point : { id: point.id, at: 'start' }
  }

  #level(point: Point): number {
    const { id, at } = this.#normal(point)
    const known = this.#levels[at].get(id)
    if (known !== undefined) return known
    return at === 'start' ? 0 : this.#level({ id, at: 'start' }) + (at === 'gate' ? 1 : OPERATION_ROOM)
  }

  /** A deferred case can come back, so it still counts as its earlier type. */
  #kind(id: CaseId): string | undefined {
    const subject = this.#graph.get(id)
    if (!subject || subject.deletedAt !== undefined) return undefined
    return subject.type === 'deferred' ? String(subject.metadata.deferredFrom ?? 'deferred') : subject.type
  }

  #isOperation(id: CaseId): boolean {
    return this.#kind(id) === 'operation'
  }

  *#awaitedBy({ id, at }: Point): Generator<Point> {
    const subject = this.#graph.get(id)
    if (!subject || subject.deletedAt !== undefined) return
    if (at === 'start') {
      if (subject.parentId !== null)
        yield { id: subject.parentId, at: this.#kind(id) === 'task' ? 'gate' : 'start' }
      for (const on of dependenciesOf(subject)) yield { id: on, at: 'end' }
      return
    }
    yield { id, at: at === 'end' ? 'gate' : 'start' }
    for (const child of this.#graph.children(id)) {
      const kind = this.#kind(child)
      if (kind !== undefined && (kind === 'task') === (at === 'end')) yield { id: child, at: 'end' }
    }
  }

  *#waitersOf(point: Point): Generator<Point> {
    const { id, at } = point
    const isOperation = this.#isOperation(id)
    if (at === 'end' || !isOperation) yield* this.#waitersOfEnd(id)
    if (isOperation && at !== 'end') yield { id, at: at === 'start' ? 'gate' : 'end' }
    if (at === 'end') return
    for (const child of this.#graph.children(id)) {
      const kind = this.#kind(child)
      if (kind !== undefined && (!isOperation || (kind === 'task') === (at === 'gate')))
        yield { id: child, at: 'start' }
    }
  }

  *#waitersOfEnd(id: CaseId): Generator<Point> {
    for (const other of this.#graph.dependents(id))
      if (this.#kind(other) !== undefined) yield { id: other, at: 'start' }
    const parent = this.#graph.get(id)?.parentId ?? null
    const kind = this.#kind(id)
    if (kind === undefined || parent === null || !this.#isOperation(parent)) return
    yield { id: parent, at: kind === 'task' ? 'end' : 'gate' }
  }
}

function keyOf({ id, at }: Point): string {
  return at === 'start' ? id : `${id} ${at}`
}

/** From the goal back to the origin: the search went from the awaited case to its waiters. */
function trace(cameFrom: ReadonlyMap<string, Point | undefined>, goal: Point): CaseId[] {
  const path: CaseId[] = []
  for (let point: Point | undefined = goal; point; point = cameFrom.get(keyOf(point))) {
    if (path.at(-1) !== point.id) path.push(point.id)
  }
  return path
}
