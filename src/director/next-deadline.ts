import type { Scene } from './scene.ts'

/** Whatever was missed is seen at the latest after this. */
const BACKSTOP_MS = 1_000

/** When to look again if nothing happens before. */
export function nextDeadline({ view, resting, nowMs, project }: Scene): number {
  let next = nowMs + BACKSTOP_MS
  for (const untilMs of resting.values()) next = Math.min(next, untilMs)
  for (const { delivery } of view.unsettled())
    if (delivery.wait !== null) next = Math.min(next, Date.parse(delivery.wait.until))
  if (project.sprint?.goal.kind === 'time') next = Math.min(next, Date.parse(project.sprint.goal.until))
  // A deadline that has passed without being dealt with must not become a busy loop.
  return Math.max(next, nowMs + 1)
}
