import { proposeAnswers } from '../../project/questions/standing-answers.ts'
import type { Means } from '../context.ts'
import type { Hands } from '../hands.ts'
import { gitEventContext } from '../review/git-event-context.ts'
import type { RunWorld } from '../run-world.ts'

/** What the director of a real project works with. */
export function makeMeans(world: RunWorld, hands: Hands, notify: Means['notify']): Means {
  const { store, clock, vocabulary, ash, config } = world
  const propose = proposeAnswers(store)
  return {
    store,
    hands,
    words: gitEventContext(world, (_task, occurrence) => propose(occurrence)),
    clock,
    vocabulary,
    failuresBeforePause: config.agents.failuresBeforePause,
    record: (run) => ash.record(run),
    notify,
  }
}
