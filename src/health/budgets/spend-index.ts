import type { Case, CaseId, CaseType } from '../../cases/case.ts'
import type { Config } from '../../config/schema.ts'
import { type OwnBudget, readBudget } from './budget.ts'
import { addSpend, isNothing, NO_SPEND, readSpend, type Spend, subtractSpend } from './spend.ts'

interface Node {
  parentId: CaseId | null
  type: CaseType | undefined
  budget: OwnBudget | undefined
  own: Spend
  /** Its own and everything below it. */
  total: Spend
}

/** One case of a lineage, with what was spent on it and below it. */
export interface Spender {
  readonly id: CaseId
  readonly type: CaseType
  readonly budget: OwnBudget | undefined
  readonly total: Spend
}

/** A damaged file can hold a parent that is its own ancestor; no real lineage is this deep. */
const LINEAGE_DEPTH_MAX = 1_000

/**
 * What was spent on every case and below it. The cost of a change depends on the depth of its lineage, not on
 * the number of cases. Deleted cases keep counting, since what was spent on them is spent.
 */
export class SpendIndex {
  readonly #nodes = new Map<CaseId, Node>()
  /** Cases that a person gave a budget of their own. */
  #budgets = 0

  static of(cases: Iterable<Case>): SpendIndex {
    const index = new SpendIndex()
    for (const subject of cases) index.put(subject)
    return index
  }

  /** Adds or updates a case; cases may come in any order. */
  put({ id, type, parentId, metadata }: Pick<Case, 'id' | 'type' | 'parentId' | 'metadata'>): void {
    const node = this.#node(id)
    node.type = type
    this.#budgets -= node.budget ? 1 : 0
    node.budget = readBudget(metadata)
    this.#budgets += node.budget ? 1 : 0
    if (node.parentId !== parentId) this.#hang(id, node, parentId)
    const own = readSpend(metadata)
    const change = subtractSpend(own, node.own)
    if (isNothing(change)) return
    node.own = own
    node.total = addSpend(node.total, change)
    this.#carryUp(node.parentId, change)
  }

  /** Whether any budget exists that could hold work. */
  isLimited(budgets: Config['budgets']): boolean {
    if (this.#budgets > 0) return true
    return [budgets.directive, budgets.operation, budgets.task].some((limits) =>
      Object.values(limits).some((limit) => limit !== undefined),
    )
  }

  totalOf(id: CaseId): Spend {
    return this.#nodes.get(id)?.total ?? NO_SPEND
  }

  ownOf(id: CaseId): Spend {
    return this.#nodes.get(id)?.own ?? NO_SPEND
  }

  /** The case itself, then its parents up to the directive. */
  *lineageOf(id: CaseId): Generator<Spender> {
    let at: CaseId | null = id
    for (let depth = 0; at !== null && depth < LINEAGE_DEPTH_MAX; depth += 1) {
      const node: Node | undefined = this.#nodes.get(at)
      if (!node?.type) return
      yield { id: at, type: node.type, budget: node.budget, total: node.total }
      at = node.parentId
    }
  }

  #node(id: CaseId): Node {
    const known = this.#nodes.get(id)
    if (known) return known
    const node: Node = {
      parentId: null,
      type: undefined,
      budget: undefined,
      own: NO_SPEND,
      total: NO_SPEND,
    }
    this.#nodes.set(id, node)
    return node
  }

  /** Children can come before their parents: their spend is kept in a placeholder for the parent. */
  #hang(id: CaseId, node: Node, parentId: CaseId | null): void {
    this.#carryUp(node.parentId, subtractSpend(NO_SPEND, node.total))
    node.parentId = parentId === id ? null : parentId
    this.#carryUp(node.parentId, node.total)
  }

  #carryUp(from: CaseId | null, change: Spend): void {
    let at = from
    for (let depth = 0; at !== null && depth < LINEAGE_DEPTH_MAX; depth += 1) {
      const node = this.#node(at)
      node.total = addSpend(node.total, change)
      at = node.parentId
    }
  }
}
