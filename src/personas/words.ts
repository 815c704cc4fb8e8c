import assert from 'node:assert'
import type { Definition, Role } from '../signals/definition.ts'
import { formatOf } from '../signals/describe-signals.ts'
import { allows, definitionOf, type SignalName } from '../signals/registry.ts'
import type { SignalNames } from '../signals/signal-names.ts'
import { speakAs } from '../vocabulary/speak-as.ts'
import type { Nouns, Persona, PersonaName, Vocabulary } from '../vocabulary/vocabulary.ts'

/** What a default text needs to use one vocabulary. */
export interface Words {
  readonly vocabulary: Vocabulary
  readonly nouns: Nouns
  readonly personas: Readonly<Record<Persona, PersonaName>>
  /**
   * The signal in its written form, from the registry; a text cannot name one that its readers may not send.
   */
  signal(name: SignalName): string
  /** A signal that the reader receives. */
  heard(name: SignalName): string
}

export function wordsOf(vocabulary: Vocabulary, readers: readonly Role[]): Words {
  const { nouns, personas, signals } = vocabulary
  return {
    vocabulary,
    nouns,
    personas,
    signal: (name) => {
      const definition = known(name)
      assert(
        readers.some((role) => allows(definition, role)),
        `${readers.join(', ')} may not send ${name}`,
      )
      return `\`${speakAs(vocabulary, firstLine(definition, signals))}\``
    },
    heard: (name) => `\`${firstLine(known(name), signals)}\``,
  }
}

function known(name: SignalName): Definition {
  const definition = definitionOf(name)
  assert(definition, `no signal is named ${name}`)
  return definition
}

function firstLine(definition: Definition, names: SignalNames): string {
  if (definition.notation === 'marker') return `[${definition.name}]`
  return formatOf(definition, names).split('\n')[0] ?? ''
}
