import { chooseDispatches } from './choose-dispatches.ts'
import { chooseLandings } from './choose-landings.ts'
import { chooseConfirmations, chooseReviews } from './choose-reviews.ts'
import { type Effect, isAgentEffect, keyOf } from './effects.ts'
import { reconcile } from './reconcile.ts'
import { freeSlots, type Scene } from './scene.ts'

/** Something to be begun now; agents get a slot. */
export interface Start {
  readonly key: string
  readonly effect: Effect
  readonly slot: number | null
}

/**
 * What is to be done, from what is so: reconcile, land, review, dispatch. Pure, and complete each time it is asked:
 * nothing that it returns has to be remembered.
 */
export function decide(scene: Scene): Start[] {
  const slots = freeSlots(scene)
  const reviews = chooseReviews(scene).slice(0, slots.length)
  const effects: Effect[] = [
    ...reconcile(scene),
    ...chooseLandings(scene),
    ...chooseConfirmations(scene),
    ...reviews,
    ...chooseDispatches(scene, slots.length - reviews.length),
  ]
  const keys = new Set<string>()
  return effects.flatMap((effect) => {
    const key = keyOf(effect)
    if (keys.has(key)) return []
    keys.add(key)
    return [{ key, effect, slot: isAgentEffect(effect) ? (slots.shift() ?? null) : null }]
  })
}
