import { nextCheckMs } from '../health/decide-health.ts'
import { nextLookMs } from './mind-weather.ts'
import { PAINT_MS, RENEWAL_MS, takeInEvery, WATCH_MS } from './reconcile.ts'
import { agentsAtWork, type Scene } from './scene.ts'

/** When to look again if nothing happens before; whatever was missed is seen at the latest after the backstop. */
export function nextDeadline(scene: Scene, backstopMs: number): number {
  const { nowMs } = scene
  let next = nowMs + backstopMs
  // One that has passed and is still there is not to be dealt with now: asking for it again would be a busy loop.
  for (const atMs of deadlinesOf(scene)) if (atMs > nowMs && atMs < next) next = atMs
  return next
}

function* deadlinesOf(scene: Scene): Generator<number> {
  const { view, resting, project, rounds, nowMs } = scene
  yield rounds.renewedAtMs + RENEWAL_MS
  yield rounds.takenInAtMs + takeInEvery(scene)
  yield nextLookMs(scene) ?? 0
  if (agentsAtWork(scene) > 0) yield rounds.watchedAtMs + WATCH_MS
  if (view.version !== rounds.paintedVersion) yield rounds.paintedAtMs + PAINT_MS
  yield nextCheckMs(rounds.health, agentsAtWork(scene), nowMs) ?? 0
  yield* resting.values()
  for (const { status, metadata } of view.matters())
    if (status !== 'done' && typeof metadata.deadline === 'string') yield Date.parse(metadata.deadline)
  for (const { task, delivery } of view.unsettled()) {
    if (delivery.wait !== null) yield Date.parse(delivery.wait.until)
    else if (delivery.state === 'queued') yield Date.parse(task.leases?.develop?.expiresAt ?? task.updatedAt)
  }
  if (project.sprint?.goal.kind === 'time') yield Date.parse(project.sprint.goal.until)
}
