import { descendantsOf } from '../../../cases/lineage.ts'
import type { Config } from '../../../config/schema.ts'
import { budgetStanding, type Standing } from '../../../health/budgets/budget-standing.ts'
import type { Forecast } from '../../../health/budgets/forecast.ts'
import { forecastTasks } from '../../../health/budgets/forecast-tasks.ts'
import type { Spend } from '../../../health/budgets/spend.ts'
import { SpendIndex } from '../../../health/budgets/spend-index.ts'
import type { RunSummary } from '../../../runs/summarize-runs.ts'
import type { CaseRecord } from '../../../store/store.ts'

export interface DirectiveMetrics {
  readonly id: string
  readonly content: string
  readonly spend: Spend
  readonly forecast: Forecast
  readonly standing: Standing
}

export interface ProjectMetrics {
  readonly runs: RunSummary
  readonly directives: readonly DirectiveMetrics[]
  /** Cases whose own budget is used up to the warning threshold or beyond. */
  readonly pressed: readonly Exclude<Standing, { kind: 'within' }>['use'][]
}

/** What was done, what it cost, and what it will cost. */
export function measureProject(
  records: readonly CaseRecord[],
  runs: RunSummary,
  budgets: Config['budgets'],
): ProjectMetrics {
  const index = SpendIndex.of(records)
  const live = records.filter(({ deletedAt }) => deletedAt === undefined)
  const directives = live
    .filter(({ type }) => type === 'directive')
    .map((directive) => measureDirective(directive, live, index, budgets))
  const pressed = live.flatMap(({ id }) => {
    const standing = budgetStanding(index, budgets, id)
    return standing.kind !== 'within' && standing.use.id === id ? [standing.use] : []
  })
  return { runs, directives, pressed }
}

function measureDirective(
  { id, content }: CaseRecord,
  records: readonly CaseRecord[],
  index: SpendIndex,
  budgets: Config['budgets'],
): DirectiveMetrics {
  const tasks = descendantsOf(records, id).filter(({ type }) => type === 'task')
  const spend = index.totalOf(id)
  const forecast = forecastTasks(tasks, index, spend)
  return { id, content, spend, forecast, standing: budgetStanding(index, budgets, id) }
}
