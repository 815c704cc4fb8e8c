import type { Case, CaseId } from '../cases/case.ts'
import { count, fields } from './task-standing.ts'

/** What was spent: by everything, and by each directive with everything below it. */
export interface CostSummary extends Spend {
  readonly directives: readonly ({ readonly id: CaseId } & Spend)[]
}

export interface Spend {
  readonly costUsd: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly runs: number
  readonly minutes: number
}

const NOTHING: Spend = { costUsd: 0, inputTokens: 0, outputTokens: 0, runs: 0, minutes: 0 }

/** Sums along the lineage what each case keeps as its own. */
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
  if (metadata.spent === undefined) return undefined
  const { costUsd, inputTokens, outputTokens, runs, minutes } = fields(metadata.spent)
  return {
    costUsd: count(costUsd),
    inputTokens: count(inputTokens),
    outputTokens: count(outputTokens),
    runs: count(runs),
    minutes: count(minutes),
  }
}

function add(a: Spend, b: Spend): Spend {
  return {
    costUsd: a.costUsd + b.costUsd,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
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
