import { formatId } from '../cases/ids.ts'
import { type Agent, agentIdPrefix } from '../personas/roles.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'

/** Allocates a new number for a prefix, never the same one twice, also after a crash. */
export type Allocate = (prefix: string) => Promise<number>

/**
 * A new agent of a kind, with the next id: `echo-047`. Every new agent is spawned: the first one, one more
 * beside it, the one after a restart of AXIOM, the replacement of a dead one. The later iterations and tasks
 * of an agent are not spawns.
 */
export async function spawnAgent(allocate: Allocate, vocabulary: Vocabulary, agent: Agent): Promise<string> {
  const prefix = agentIdPrefix(vocabulary, agent)
  return formatId(prefix, await allocate(prefix))
}
