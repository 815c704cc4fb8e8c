import { gitWordWorld } from './git-word-world.ts'
import type { Hands } from './hands.ts'
import type { Means } from './means.ts'
import type { RunWorld } from './run-world.ts'

/** What a director of a real project works with. */
export function makeMeans(world: RunWorld, hands: Hands, notify: Means['notify']): Means {
  const { store, clock, vocabulary, ash, config } = world
  return {
    store,
    hands,
    words: gitWordWorld(world),
    clock,
    vocabulary,
    failuresBeforePause: config.agents.failuresBeforePause,
    record: (run) => ash.record(run),
    notify,
  }
}
