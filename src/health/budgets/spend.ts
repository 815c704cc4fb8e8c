import type { Metadata } from '../../cases/metadata.ts'

/** The metadata key of what was spent on the case itself. */
export const SPEND_KEY = 'spend'

/** What work costs. Whole numbers only, so that incremental sums never drift from sums computed at once. */
export interface Spend {
  /** Tokens in and out. */
  readonly tokens: number
  /** Millionths of a US dollar. */
  readonly microUsd: number
  /** Time of agents. */
  readonly ms: number
  readonly runs: number
}

export const NO_SPEND: Spend = { tokens: 0, microUsd: 0, ms: 0, runs: 0 }

const MICRO = 1_000_000

export function addSpend(a: Spend, b: Spend): Spend {
  return {
    tokens: a.tokens + b.tokens,
    microUsd: a.microUsd + b.microUsd,
    ms: a.ms + b.ms,
    runs: a.runs + b.runs,
  }
}

export function subtractSpend(a: Spend, b: Spend): Spend {
  return {
    tokens: a.tokens - b.tokens,
    microUsd: a.microUsd - b.microUsd,
    ms: a.ms - b.ms,
    runs: a.runs - b.runs,
  }
}

export function isNothing({ tokens, microUsd, ms, runs }: Spend): boolean {
  return tokens === 0 && microUsd === 0 && ms === 0 && runs === 0
}

/** The reported cost of one turn, in the stored form. A run is counted once, with its first turn. */
export function spendOfTurn(turn: {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costUsd: number
  readonly durationMs: number
  readonly startsRun: boolean
}): Spend {
  return {
    tokens: whole(turn.inputTokens) + whole(turn.outputTokens),
    microUsd: whole(turn.costUsd * MICRO),
    ms: whole(turn.durationMs),
    runs: turn.startsRun ? 1 : 0,
  }
}

/** What was spent on a case itself; a field that is missing or not an amount counts as zero. */
export function readSpend(metadata: Metadata): Spend {
  const value = metadata[SPEND_KEY]
  if (typeof value !== 'object' || value === null) return NO_SPEND
  const fields = value as Partial<Record<keyof Spend, unknown>>
  return {
    tokens: amount(fields.tokens),
    microUsd: amount(fields.microUsd),
    ms: amount(fields.ms),
    runs: amount(fields.runs),
  }
}

function amount(value: unknown): number {
  return typeof value === 'number' ? whole(value) : 0
}

/** Never negative, even after a clock was set back or a provider reported a negative correction. */
function whole(value: number): number {
  return Number.isFinite(value) && value > 0 ? Math.round(value) : 0
}
