import { choreDeadlines } from './chores/table.ts'
import { chooseDispatches } from './develop/choose-dispatches.ts'
import { type Effect, isAgentEffect, keyOf } from './effect.ts'
import { chooseLandings } from './land/choose-landings.ts'
import { reconcile } from './reconcile.ts'
import { chooseConfirmations, chooseReviews } from './review/choose-reviews.ts'
import { freeSlots, type Snapshot } from './snapshot.ts'

/** An effect to start now; agents get a slot. */
export interface Start {
  readonly key: string
  readonly effect: Effect
  readonly slot: number | null
}

/**
 * Derives what to do from the snapshot: reconcile, land, review, dispatch. Pure, and complete on every call:
 * nothing that it returns has to be remembered.
 */
export function decide(snapshot: Snapshot): Start[] {
  const slots = freeSlots(snapshot)
  const reviews = chooseReviews(snapshot).slice(0, slots.length)
  const effects: Effect[] = [
    ...reconcile(snapshot),
    ...chooseLandings(snapshot),
    ...chooseConfirmations(snapshot),
    ...reviews,
    ...chooseDispatches(snapshot, slots.length - reviews.length),
  ]
  const keys = new Set<string>()
  return effects.flatMap((effect) => {
    const key = keyOf(effect)
    if (keys.has(key)) return []
    keys.add(key)
    return [{ key, effect, slot: isAgentEffect(effect) ? (slots.shift() ?? null) : null }]
  })
}

/**
 * The next time to decide if nothing changes before; a missed change is noticed after the backstop at the
 * latest.
 */
export function nextDeadline(snapshot: Snapshot, backstopMs: number): number {
  const { nowMs } = snapshot
  let next = nowMs + backstopMs
  // A deadline that has passed and is still there cannot be met now; waiting for it again would be a busy
  // loop.
  for (const atMs of deadlinesOf(snapshot)) if (atMs > nowMs && atMs < next) next = atMs
  return next
}

function* deadlinesOf(snapshot: Snapshot): Generator<number> {
  const { view, resting, project } = snapshot
  yield* choreDeadlines(snapshot)
  yield* resting.values()
  for (const { status, metadata } of view.projectQuestions())
    if (status !== 'done' && typeof metadata.deadline === 'string') yield Date.parse(metadata.deadline)
  for (const { task, delivery } of view.unsettled()) {
    if (delivery.wait !== null) yield Date.parse(delivery.wait.until)
    else if (delivery.state === 'queued') yield Date.parse(task.leases?.develop?.expiresAt ?? task.updatedAt)
  }
  if (project.sprint?.goal.kind === 'time') yield Date.parse(project.sprint.goal.until)
}
