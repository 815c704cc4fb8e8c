export interface Waiting {
  /** How many times in a row the service was spent or overloaded, from 1. */
  readonly attempt: number
  readonly nowMs: number
  /** When the quota returns, according to the provider. */
  readonly resetAtMs?: number | undefined
  /** From 0 up to, not including, 1, from the seeded source. */
  readonly random: number
}

const FIRST_WAIT_MS = 5_000
const WAIT_MAX_MS = 10 * 60_000
/** Lower bound of a wait, for any random value. */
const WAIT_MIN_MS = 1_000
/** Agents that wait for the same reset must not all wake at the same moment. */
const SPREAD_MS = 30_000

/** When to try again: after the named reset, or after a doubling wait with full jitter. */
export function chooseWait({ attempt, nowMs, resetAtMs, random }: Waiting): number {
  if (resetAtMs !== undefined && resetAtMs > nowMs) return resetAtMs + random * SPREAD_MS
  const longest = Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * 2 ** Math.min(attempt - 1, 30))
  return nowMs + Math.max(WAIT_MIN_MS, random * longest)
}
