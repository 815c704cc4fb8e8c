import { isFree, type Snapshot } from '../snapshot.ts'

/** Merging pairs of works costs processes, and a stale forecast does little harm for a short time. */
const WEATHER_MS = 15_000
/** A new entry in the queue is forecast sooner, because it is about to land. */
const WEATHER_SOON_MS = 2_000

/** The name of the chore that makes the forecast. */
export const FORECAST = 'forecast-conflicts'

/** Whether live work is to be merged in pairs again. */
export function isLookDue(snapshot: Snapshot): boolean {
  const { leaving, nowMs } = snapshot
  if (leaving !== 'no' || !isFree(snapshot, FORECAST)) return false
  const nextMs = nextLookMs(snapshot)
  if (nextMs === undefined) return false
  return nowMs >= nextMs || (nowMs - lastForecastMs(snapshot) >= WEATHER_SOON_MS && isNewInQueue(snapshot))
}

/** Whether a batch chosen now would lack a forecast that is about to be made. */
export function isLookAwaited(snapshot: Snapshot): boolean {
  return isNewInQueue(snapshot) && (snapshot.atWork.has(FORECAST) || isLookDue(snapshot))
}

/** Undefined while no two pieces of work could conflict. */
export function nextLookMs(snapshot: Snapshot): number | undefined {
  return hasCompany(snapshot) ? lastForecastMs(snapshot) + WEATHER_MS : undefined
}

/** Whether two pieces of work exist that could conflict. */
function hasCompany({ view }: Snapshot): boolean {
  let works = 0
  for (const _ of view.unsettled()) {
    works += 1
    if (works === 2) return true
  }
  return false
}

/** Whether an entry waits to land beside others and is not in the forecast yet. */
function isNewInQueue({ view, memory }: Snapshot): boolean {
  if (view.countIn('integrating') < 2) return false
  const seen = new Set(memory.weather.tasks)
  for (const { task } of view.in('integrating')) if (!seen.has(task.id)) return true
  return false
}

function lastForecastMs({ memory }: Snapshot): number {
  return memory.ranAtMs[FORECAST] ?? 0
}
