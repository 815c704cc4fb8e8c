import type { Case, CaseId } from '../cases/case.ts'
import { count, fields } from './task-standing.ts'

/** What was spent: in total, and by each directive with everything below it. */
export interface CostSummary extends Spend {
  readonly directives: readonly ({ readonly id: CaseId } & Spend)[]
}

export interface Spend {
  readonly costUsd: number
  /** In and out. */
  readonly tokens: number
  readonly runs: number
  readonly minutes: number
}

const MICRO_USD = 1_000_000
const MS_PER_MINUTE = 60_000
const NOTHING: Spend = { costUsd: 0, tokens: 0, runs: 0, minutes: 0 }

/** Sums the spend of each case along its lineage. */
export function foldCost(cases: readonly Case[]): CostSummary {
  const parents = new Map(cases.map(({ id, parentId }) => [id, parentId]))
  const sums = new Map<CaseId, Spend>()
  let total = NOTHING
  for (const subject of cases) {
    const spent = spendOf(subject)
    if (spent === undefined) continue
    total = add(total, spent)
    for (const id of lineage(subject.id, parents)) sums.set(id, add(sums.get(id) ?? NOTHING, spent))
  }
  const directives = cases
    .filter(({ type, deletedAt }) => type === 'directive' && deletedAt === undefined)
    .map(({ id }) => ({ id, ...(sums.get(id) ?? NOTHING) }))
  return { ...total, directives }
}

function spendOf({ metadata }: Case): Spend | undefined {
  if (metadata.spend === undefined) return undefined
  const { microUsd, tokens, runs, ms } = fields(metadata.spend)
  return {
    costUsd: count(microUsd) / MICRO_USD,
    tokens: count(tokens),
    runs: count(runs),
    minutes: count(ms) / MS_PER_MINUTE,
  }
}

function add(a: Spend, b: Spend): Spend {
  return {
    costUsd: a.costUsd + b.costUsd,
    tokens: a.tokens + b.tokens,
    runs: a.runs + b.runs,
    minutes: a.minutes + b.minutes,
  }
}

function* lineage(id: CaseId, parents: ReadonlyMap<CaseId, CaseId | null>): Generator<CaseId> {
  const seen = new Set<CaseId>()
  for (let at: CaseId | null = id; at !== null && !seen.has(at); at = parents.get(at) ?? null) {
    seen.add(at)
    yield at
  }
}
