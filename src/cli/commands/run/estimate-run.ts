import type { Forecast } from '../../../health/budgets/forecast.ts'
import { forecastTasks } from '../../../health/budgets/forecast-tasks.ts'
import { addSpend, NO_SPEND } from '../../../health/budgets/spend.ts'
import { SpendIndex } from '../../../health/budgets/spend-index.ts'
import type { CaseRecord } from '../../../store/store.ts'
import type { Context } from '../../context.ts'
import { jsonText } from '../../render/json-text.ts'
import { basisText, spendText } from '../metrics/metrics-text.ts'

const MICRO_PER_DOLLAR = 1_000_000
const MS_PER_MINUTE = 60_000

/** What a run is expected to cost before it begins. */
export interface Estimate {
  readonly slots: number
  readonly forecast: Forecast
}

export interface RunScope {
  readonly slots: number
  /** Only tasks with one of these; none means all. */
  readonly tags: readonly string[]
  /** Tasks after which it ends. */
  readonly landingsMax: number | undefined
}

/**
 * Prices come from everything spent in this project so far, the amount of work from the tasks of this run.
 */
export function estimateRun(
  records: readonly CaseRecord[],
  { slots, tags, landingsMax }: RunScope,
): Estimate {
  const index = SpendIndex.of(records)
  const spent = records.map(({ id }) => index.ownOf(id)).reduce(addSpend, NO_SPEND)
  const tasks = records.filter(
    ({ type, deletedAt, status, tags: own = [] }) =>
      type === 'task' &&
      deletedAt === undefined &&
      // Finished tasks show what a task costs, regardless of their tags.
      (status === 'done' || tags.length === 0 || tags.some((tag) => own.includes(tag))),
  )
  return { slots, forecast: forecastTasks(tasks, index, spent, landingsMax) }
}

/** As text for people, as a JSON line for programs. */
export function showEstimate(context: Context, { slots, forecast }: Estimate): void {
  const { remaining, tasksOpen, tasksSeen, isPriced } = forecast
  if (context.json) {
    const { tokens, microUsd, ms, runs } = remaining
    const costUsd = isPriced ? microUsd / MICRO_PER_DOLLAR : null
    const minutes = ms / MS_PER_MINUTE
    const basis = { tasksDone: tasksSeen, text: basisText(forecast) }
    context.out(
      jsonText({ type: 'forecast', tasks: tasksOpen, slots, tokens, costUsd, minutes, runs, basis }),
    )
    return
  }
  if (tasksOpen === 0) return
  const what = tasksOpen === 1 ? 'one task' : `${tasksOpen} tasks`
  context.err(`Expected for ${what}: ${spendText(remaining)} of agents' work (${basisText(forecast)})`)
}
