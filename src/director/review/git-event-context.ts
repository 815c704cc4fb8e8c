import { join } from 'node:path'
import { type EventContext, personEventContext } from '../../project/delivery/event-context.ts'
import { listExperts } from '../../project/experts.ts'
import { targetOfRecord } from '../../workspaces/integration-repository.ts'
import type { RunWorld } from '../run-world.ts'
import { baseOf, changedLinesOf } from './changed-lines.ts'

/**
 * The context in which agents' signals are judged: git for what a change touched, and the experts of the
 * plan.
 */
export function gitEventContext(
  world: Pick<RunWorld, 'root' | 'vocabulary' | 'config' | 'ground'>,
  standingAnswer?: EventContext['standingAnswer'],
): EventContext {
  const { root, vocabulary, config, ground } = world
  const { git, integration } = ground
  const plain = personEventContext(join(root, vocabulary.folder), config)
  return {
    ...plain,
    async changedLines(_task, commit) {
      const target = await targetOfRecord(git, integration)
      return changedLinesOf(git, integration, await baseOf(git, integration, target, commit), commit)
    },
    experts: () => listExperts(world),
    ...(standingAnswer ? { standingAnswer } : {}),
  }
}
