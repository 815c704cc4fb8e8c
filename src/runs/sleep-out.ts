import type { RunPorts } from './run-ports.ts'
import type { Wait } from './wait-until.ts'

type Sleeping = Pick<RunPorts, 'clock' | 'quotaPlace'>

/** When a wait ends, as far as it is known now. */
export function wakeTime({ quotaPlace }: Sleeping, { untilMs, resetAtMs }: Wait): number {
  return quotaPlace && resetAtMs !== undefined ? quotaPlace.wakeAt(resetAtMs) : untilMs
}

/** Waits for the model's service. A quota with a known reset is waited for in the quota queue. */
export async function sleepOut(
  { clock, quotaPlace }: Sleeping,
  { untilMs, resetAtMs }: Wait,
  signal: AbortSignal,
): Promise<void> {
  if (quotaPlace && resetAtMs !== undefined) await quotaPlace.sleep(resetAtMs, signal)
  else await clock.sleepUntil(untilMs, signal)
}
