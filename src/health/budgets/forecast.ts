import { addSpend, NO_SPEND, type Spend } from './spend.ts'

export interface Forecast {
  /** What a task like the finished ones is expected to cost in all. */
  readonly perTask: Spend
  /** What the open tasks are expected to cost from now on. */
  readonly remaining: Spend
  readonly total: Spend
  /** Finished tasks that the forecast is based on; with none it is an assumption. */
  readonly tasksSeen: number
  readonly tasksOpen: number
  /** Whether a price per token is known; it follows only from what was spent so far. */
  readonly isPriced: boolean
}

export interface ForecastGround {
  readonly spent: Spend
  /** What each finished task cost. */
  readonly finished: readonly Spend[]
  /** What was spent already on each task that is still open. */
  readonly open: readonly Spend[]
  /** The assumed cost of a task before any is finished. */
  readonly assumed: Spend
}

/**
 * The assumption weighs as much as this many finished tasks, so that one outlier does not set the forecast.
 */
const ASSUMPTION_WEIGHT = 2

/**
 * What the open work will cost, from the cost of the finished work. Money is derived from tokens, at the
 * price paid for them so far: an assumed task has tokens, but no price.
 */
export function forecastSpend({ spent, finished, open, assumed }: ForecastGround): Forecast {
  const seen = finished.reduce(addSpend, NO_SPEND)
  const weight = finished.length + ASSUMPTION_WEIGHT
  const blended = each((field) => (seen[field] + ASSUMPTION_WEIGHT * assumed[field]) / weight)
  const isPriced = spent.tokens > 0
  const microUsd = isPriced ? Math.round((blended.tokens * spent.microUsd) / spent.tokens) : 0
  const perTask = { ...blended, microUsd }
  const remaining = open
    .map((already) => each((field) => Math.max(0, perTask[field] - already[field])))
    .reduce(addSpend, NO_SPEND)
  return {
    perTask,
    remaining,
    total: addSpend(spent, remaining),
    tasksSeen: finished.length,
    tasksOpen: open.length,
    isPriced,
  }
}

/** A developer's turns until it is done, and one turn each of critic and auditor. */
const TURNS_ASSUMED = 5
const RUNS_ASSUMED = 3
/**
 * An agent reads many times its prompt in files and tool results; most of it comes from the provider's cache.
 */
const READ_TOKENS_PER_TURN = 30_000
const WRITTEN_TOKENS_PER_TURN = 2_500
const MS_PER_TURN = 90_000

/** The assumed cost of a task in a project without finished ones. No money: prices depend on the provider. */
export function assumeTaskSpend(promptTokens: number): Spend {
  return {
    tokens: TURNS_ASSUMED * (promptTokens + READ_TOKENS_PER_TURN + WRITTEN_TOKENS_PER_TURN),
    microUsd: 0,
    ms: TURNS_ASSUMED * MS_PER_TURN,
    runs: RUNS_ASSUMED,
  }
}

function each(amount: (field: keyof Spend) => number): Spend {
  return {
    tokens: Math.round(amount('tokens')),
    microUsd: Math.round(amount('microUsd')),
    ms: Math.round(amount('ms')),
    runs: Math.round(amount('runs')),
  }
}
