import { isFree, type Scene } from './scene.ts'

/** Merging pairs of works costs processes, and nothing is wrong for long without it. */
const WEATHER_MS = 15_000
/** What comes new to the queue is looked at sooner, because it is about to land. */
const WEATHER_SOON_MS = 2_000

/** Whether the pieces of live work are to be merged in pairs again. */
export function isLookDue(scene: Scene): boolean {
  const { leaving, nowMs, rounds } = scene
  if (leaving !== 'no' || !isFree(scene, 'look-at-weather')) return false
  const nextMs = nextLookMs(scene)
  if (nextMs === undefined) return false
  return nowMs >= nextMs || (nowMs - rounds.weatherAtMs >= WEATHER_SOON_MS && isNewInQueue(scene))
}

/** Whether a batch chosen now would be chosen in the dark, and there will soon be light. */
export function isLookAwaited(scene: Scene): boolean {
  return isNewInQueue(scene) && (scene.atWork.has('look-at-weather') || isLookDue(scene))
}

/** Never while there is nothing that could meet. */
export function nextLookMs(scene: Scene): number | undefined {
  return hasCompany(scene) ? scene.rounds.weatherAtMs + WEATHER_MS : undefined
}

/** Whether there are two pieces of work that could meet. */
function hasCompany({ view }: Scene): boolean {
  let works = 0
  for (const _ of view.unsettled()) {
    works += 1
    if (works === 2) return true
  }
  return false
}

/** Whether something waits to land beside others and was never looked at. */
function isNewInQueue({ view, rounds }: Scene): boolean {
  if (view.countIn('integrating') < 2) return false
  const seen = new Set(rounds.weather.tasks)
  for (const { task } of view.in('integrating')) if (!seen.has(task.id)) return true
  return false
}
