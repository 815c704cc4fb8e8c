import type { Nouns, Persona, PersonaName, Vocabulary } from '../vocabulary/vocabulary.ts'

/** What a default text needs to speak one vocabulary. */
export interface Words {
  readonly vocabulary: Vocabulary
  readonly nouns: Nouns
  readonly personas: Readonly<Record<Persona, PersonaName>>
  /** The signal as the agent has to write it, from the registry, so that a text cannot name one that does not exist. */
  signal(type: string): string
}

export function wordsOf(vocabulary: Vocabulary): Words {
  const { nouns, personas, signals } = vocabulary
  return {
    vocabulary,
    nouns,
    personas,
    signal: (type) => `\`${signals.names[type] ?? type}\``,
  }
}
