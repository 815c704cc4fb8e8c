import type { Case, Status } from '../../cases/case.ts'
import { assumeTaskSpend, type Forecast, forecastSpend } from './forecast.ts'
import { isNothing, type Spend } from './spend.ts'
import type { SpendIndex } from './spend-index.ts'

/** Assumed size of an assembled prompt, before any run has shown it. */
const PROMPT_TOKENS_ASSUMED = 6_000
/** A task that failed for good starts again only when a person retries it. */
const OVER: readonly Status[] = ['done', 'failed', 'timeout']

/** What these tasks will cost. A task done without an agent is no evidence for the remaining ones. */
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
