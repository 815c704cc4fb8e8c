const BACK_OFF_FIRST_MS = 15_000
const BACK_OFF_MAX_MS = 15 * 60_000
/** Runs that wait for the same reset start again at different moments within this span. */
const RESET_SPREAD_MS = 30_000
/** Quotas return within a week; a later time is an error of the provider. */
const RESET_MAX_MS = 8 * 24 * 60 * 60_000

export interface Wait {
  readonly untilMs: number
  /** When the service itself expects to be back, if it said so. */
  readonly resetAtMs?: number
}

/**
 * When to ask the model's service again: after the reset it named, else after a time that doubles with each
 * wait in a row. `chance` (0 to 1) keeps many runs from asking at once.
 */
export function waitUntil(
  waitsInRow: number,
  resetAtMs: number | undefined,
  nowMs: number,
  chance: number,
): Wait {
  if (resetAtMs !== undefined && resetAtMs > nowMs && resetAtMs <= nowMs + RESET_MAX_MS) {
    return { untilMs: Math.ceil(resetAtMs + chance * RESET_SPREAD_MS), resetAtMs }
  }
  const longest = Math.min(BACK_OFF_MAX_MS, BACK_OFF_FIRST_MS * 2 ** (waitsInRow - 1))
  return { untilMs: Math.ceil(nowMs + longest * (0.5 + chance / 2)) }
}
