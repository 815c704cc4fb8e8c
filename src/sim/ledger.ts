/** The tokens and the cost of one session in a real agent's format, with invented prices. */
export interface Totals {
  readonly inputTokens: number
  readonly cachedInputTokens: number
  readonly outputTokens: number
}

export const SIM_MODEL = 'sim'

const CHARACTERS_PER_TOKEN = 4
const USD_PER_INPUT_TOKEN = 1 / 1_000_000
const USD_PER_CACHED_INPUT_TOKEN = 0.1 / 1_000_000
const USD_PER_OUTPUT_TOKEN = 5 / 1_000_000
/** Input tokens of each later call that are not cached. */
const FRESH_INPUT_TOKENS = 200

export const NOTHING: Totals = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 }

export function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN)
}

export function add(a: Totals, b: Totals): Totals {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  }
}

/** One model call: the first reads the whole prompt, later ones read it from the cache. */
export function callTotals(promptTokens: number, isFirst: boolean, outputTokens: number): Totals {
  return isFirst
    ? { inputTokens: promptTokens, cachedInputTokens: 0, outputTokens }
    : { inputTokens: FRESH_INPUT_TOKENS, cachedInputTokens: promptTokens, outputTokens }
}

export function costUsd(totals: Totals): number {
  const cost =
    totals.inputTokens * USD_PER_INPUT_TOKEN +
    totals.cachedInputTokens * USD_PER_CACHED_INPUT_TOKEN +
    totals.outputTokens * USD_PER_OUTPUT_TOKEN
  return Math.round(cost * 1e9) / 1e9
}
