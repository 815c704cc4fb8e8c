import { formatId } from '../cases/ids.ts'
import { type Agent, agentIdPrefix } from '../personas/roles.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'

/** A new number for a prefix, given once and never again, whatever crashes. */
export type Allocate = (prefix: string) => Promise<number>

/**
 * A new agent of a kind, with the next id: `echo-047`. Whoever comes into being is spawned: the first one, one more
 * beside it, the one after a restart of AXIOM, the one in place of a dead one. What an agent then does, iteration
 * by iteration and task by task, is no spawn.
 */
export async function spawnAgent(allocate: Allocate, vocabulary: Vocabulary, agent: Agent): Promise<string> {
  const prefix = agentIdPrefix(vocabulary, agent)
  return formatId(prefix, await allocate(prefix))
}
