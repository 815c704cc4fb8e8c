import type { Case, Status } from '../../cases/case.ts'
import { assumeTaskSpend, type Forecast, forecastSpend } from './forecast.ts'
import { isNothing, type Spend } from './spend.ts'
import type { SpendIndex } from './spend-index.ts'

/** What an assembled prompt comes to, where no run has told. */
const PROMPT_TOKENS_ASSUMED = 6_000
/** What failed for good is begun again only when a person says so. */
const OVER: readonly Status[] = ['done', 'failed', 'timeout']

/** What these tasks will cost. One that was done without an agent tells nothing about those that are left. */
export function forecastTasks(
  tasks: readonly Pick<Case, 'id' | 'status'>[],
  index: SpendIndex,
  spent: Spend,
  openMax = Number.POSITIVE_INFINITY,
): Forecast {
  const done = tasks.filter(({ status }) => status === 'done').map(({ id }) => index.totalOf(id))
  const open = tasks.filter(({ status }) => !OVER.includes(status)).map(({ id }) => index.totalOf(id))
  return forecastSpend({
    spent,
    finished: done.filter((spend) => !isNothing(spend)),
    open: open.slice(0, openMax),
    assumed: assumeTaskSpend(PROMPT_TOKENS_ASSUMED),
  })
}
