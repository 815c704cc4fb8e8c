import { identityOf } from '../personas/identities.ts'
import { AGENTS, agentIdPrefix } from '../personas/roles.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import type { ProjectWords } from './contract.ts'

/** The names that pages show, so that they need to know no vocabulary. */
export function projectWords(vocabulary: Vocabulary): ProjectWords {
  const { name, product, folder, cases } = vocabulary
  return {
    vocabulary: name,
    product,
    folder,
    cases,
    personas: AGENTS.map((agent) => {
      const identity = identityOf(vocabulary, agent)
      const { name: called, role, emoji, colour } = identity
      return { prefix: agentIdPrefix(vocabulary, agent), name: called, role, emoji, colour }
    }),
  }
}
