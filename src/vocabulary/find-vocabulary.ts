import { AXIOM } from './axiom.ts'
import { SWARM } from './swarm.ts'
import type { Vocabulary, VocabularyName } from './vocabulary.ts'

export const VOCABULARIES: Readonly<Record<VocabularyName, Vocabulary>> = { axiom: AXIOM, swarm: SWARM }

/** The vocabulary of this name; undefined when there is none, so that the caller can say which exist. */
export function findVocabulary(name: string): Vocabulary | undefined {
  return Object.values(VOCABULARIES).find((vocabulary) => vocabulary.name === name)
}
