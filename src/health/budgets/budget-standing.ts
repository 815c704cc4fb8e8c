import type { CaseId } from '../../cases/case.ts'
import type { Config } from '../../config/schema.ts'
import { limitsOf, MEASURES, type Measure, spentOf } from './budget.ts'
import type { SpendIndex } from './spend-index.ts'

/** How far one budget of a lineage is used up. */
export interface Use {
  /** The case whose budget it is. */
  readonly id: CaseId
  readonly measure: Measure
  readonly spent: number
  readonly limit: number
}

/**
 * - `within`: work may start and go on; `nearest` is the budget that is used up most, where there is any.
 * - `soft`: running work continues, nothing new starts, people are warned.
 * - `hard`: nothing starts, and an agent at work ends with the turn it is in.
 */
export type Standing =
  | { readonly kind: 'within'; readonly nearest: Use | undefined }
  | { readonly kind: 'soft' | 'hard'; readonly use: Use }

/** The standing of a case under its own budget and those of all its ancestors: the most used one decides. */
export function budgetStanding(spend: SpendIndex, budgets: Config['budgets'], id: CaseId): Standing {
  let nearest: Use | undefined
  for (const { id: at, type, budget, total } of spend.lineageOf(id)) {
    const limits = limitsOf(type, budget, budgets)
    for (const measure of MEASURES) {
      const limit = limits[measure]
      if (limit === undefined) continue
      const use: Use = { id: at, measure, spent: spentOf(total, measure), limit }
      if (nearest === undefined || shareOf(use) > shareOf(nearest)) nearest = use
    }
  }
  if (nearest === undefined) return { kind: 'within', nearest }
  const share = shareOf(nearest)
  if (share >= 1) return { kind: 'hard', use: nearest }
  return share * 100 >= budgets.softPercent ? { kind: 'soft', use: nearest } : { kind: 'within', nearest }
}

/** A budget of zero counts as fully used from the start. */
export function shareOf({ spent, limit }: Use): number {
  return limit === 0 ? Number.POSITIVE_INFINITY : spent / limit
}

const UNITS: Readonly<Record<Measure, string>> = {
  tokens: 'tokens',
  money: 'US dollars',
  minutes: 'minutes',
  runs: 'runs',
}

export function describeUse({ id, measure, spent, limit }: Use): string {
  const amount = (value: number): string =>
    measure === 'money' ? value.toFixed(2) : String(Math.ceil(value))
  return `${amount(spent)} of ${amount(limit)} ${UNITS[measure]} of ${id} are spent`
}
