import { isFree, type Snapshot } from '../snapshot.ts'

/** Merging pairs of works costs processes, and a stale forecast does no harm for long. */
const WEATHER_MS = 15_000
/** What comes new to the queue is looked at sooner, because it is about to land. */
const WEATHER_SOON_MS = 2_000

/** The name of the chore that makes the forecast. */
export const FORECAST = 'forecast-conflicts'

/** Whether the pieces of live work are to be merged in pairs again. */
export function isLookDue(snapshot: Snapshot): boolean {
  const { leaving, nowMs } = snapshot
  if (leaving !== 'no' || !isFree(snapshot, FORECAST)) return false
  const nextMs = nextLookMs(snapshot)
  if (nextMs === undefined) return false
  return nowMs >= nextMs || (nowMs - lastForecastMs(snapshot) >= WEATHER_SOON_MS && isNewInQueue(snapshot))
}

/** Whether a batch chosen now would be chosen in the dark, and there will soon be light. */
export function isLookAwaited(snapshot: Snapshot): boolean {
  return isNewInQueue(snapshot) && (snapshot.atWork.has(FORECAST) || isLookDue(snapshot))
}

/** Never while there is nothing that could meet. */
export function nextLookMs(snapshot: Snapshot): number | undefined {
  return hasCompany(snapshot) ? lastForecastMs(snapshot) + WEATHER_MS : undefined
}

/** Whether there are two pieces of work that could meet. */
function hasCompany({ view }: Snapshot): boolean {
  let works = 0
  for (const _ of view.unsettled()) {
    works += 1
    if (works === 2) return true
  }
  return false
}

/** Whether something waits to land beside others and was never looked at. */
function isNewInQueue({ view, memory }: Snapshot): boolean {
  if (view.countIn('integrating') < 2) return false
  const seen = new Set(memory.weather.tasks)
  for (const { task } of view.in('integrating')) if (!seen.has(task.id)) return true
  return false
}

function lastForecastMs({ memory }: Snapshot): number {
  return memory.ranAtMs[FORECAST] ?? 0
}
