import { join } from 'node:path'
import { targetOfRecord } from '../workspaces/integration-repository.ts'
import { listExperts } from './experts.ts'
import { baseOf, changedLinesOf } from './hands/changed-lines.ts'
import type { RunWorld } from './run-world.ts'
import { personsWordWorld, type WordWorld } from './word-world.ts'

/** The world in which agents' words are judged: with git for what a change touched, and the experts of the plan. */
export function gitWordWorld(
  world: Pick<RunWorld, 'root' | 'vocabulary' | 'config' | 'ground'>,
  standingAnswer?: WordWorld['standingAnswer'],
): WordWorld {
  const { root, vocabulary, config, ground } = world
  const { git, integration } = ground
  const plain = personsWordWorld(join(root, vocabulary.folder), config)
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
