import type { CaseType } from '../../cases/case.ts'
import type { Metadata } from '../../cases/metadata.ts'
import type { Config } from '../../config/schema.ts'
import type { Spend } from './spend.ts'

/** The metadata key under which a person sets the budget of a case. */
export const BUDGET_KEY = 'budget'

export const MEASURES = ['tokens', 'money', 'minutes', 'runs'] as const
export type Measure = (typeof MEASURES)[number]

/** A limit per measure; a measure without one is not limited. */
export type Limits = Readonly<Partial<Record<Measure, number>>>

export interface OwnBudget {
  readonly limits: Limits
  /** A person lifted the budget: work continues at any cost. */
  readonly lifted: boolean
}

const MS_PER_MINUTE = 60_000
const MICRO_PER_DOLLAR = 1_000_000

/** The budget a person gave this case; a value that is not an amount sets no limit. */
export function readBudget(metadata: Metadata): OwnBudget | undefined {
  const value = metadata[BUDGET_KEY]
  if (typeof value !== 'object' || value === null) return undefined
  const fields = value as Readonly<Record<string, unknown>>
  const limits = Object.fromEntries(
    MEASURES.flatMap((measure) => {
      const limit = fields[measure]
      return typeof limit === 'number' && limit >= 0 ? [[measure, limit]] : []
    }),
  )
  return { limits, lifted: fields.lifted === true }
}

/** The limits of a case: its own budget overrides that of its type, measure by measure. */
export function limitsOf(type: CaseType, own: OwnBudget | undefined, budgets: Config['budgets']): Limits {
  if (own?.lifted) return {}
  const ofType =
    type === 'directive' || type === 'operation' || type === 'task' ? definedIn(budgets[type]) : {}
  return { ...ofType, ...own?.limits }
}

function definedIn(limits: Readonly<Partial<Record<Measure, number | undefined>>>): Limits {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined))
}

/** How much of a measure was spent, in the unit of its limit. */
export function spentOf(spend: Spend, measure: Measure): number {
  switch (measure) {
    case 'tokens':
      return spend.tokens
    case 'money':
      return spend.microUsd / MICRO_PER_DOLLAR
    case 'minutes':
      return spend.ms / MS_PER_MINUTE
    case 'runs':
      return spend.runs
  }
}
