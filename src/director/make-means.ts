import { gitWordWorld } from './git-word-world.ts'
import type { Hands } from './hands.ts'
import type { Means } from './means.ts'
import type { RunWorld } from './run-world.ts'
import { proposeAnswers } from './standing-answers.ts'

/** What a director of a real project works with. */
export function makeMeans(world: RunWorld, hands: Hands, notify: Means['notify']): Means {
  const { store, clock, vocabulary, ash, config } = world
  const propose = proposeAnswers(store)
  return {
    store,
    hands,
    words: gitWordWorld(world, (_task, occurrence) => propose(occurrence)),
    clock,
    vocabulary,
    failuresBeforePause: config.agents.failuresBeforePause,
    record: (run) => ash.record(run),
    notify,
  }
}
