import { REGISTRY, type SignalName } from './registry.ts'

/** How one vocabulary speaks: the word of its tags, and the names that differ from the registry's. */
export interface SignalNames {
  readonly tag: string
  readonly names: Readonly<Partial<Record<SignalName, string>>>
}

export function spokenName(names: SignalNames, name: SignalName): string {
  return names.names[name] ?? name
}

/** The tags of a vocabulary by the name that agents say. A name it has replaced is unknown in it. */
export function tagsBySpokenName(names: SignalNames): ReadonlyMap<string, SignalName> {
  return new Map(
    REGISTRY.filter(({ notation }) => notation === 'tag').map(({ name }) => [spokenName(names, name), name]),
  )
}
