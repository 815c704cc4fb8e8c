import type { CaseType } from '../cases/case.ts'
import { CASE_TYPES as LAWS } from '../cases/case-types.ts'
import type { SignalNames } from '../signals/signal-names.ts'

export type VocabularyName = 'axiom' | 'swarm'

/** The types of the core, independent of their names in a vocabulary. */
export const CASE_TYPES = Object.keys(LAWS) as readonly CaseType[]

/** The eight personas by the name that the core uses for them. */
export const PERSONAS = ['ava', 'axel', 'echo', 'rex', 'cleo', 'dex', 'max', 'ash'] as const
export type Persona = (typeof PERSONAS)[number]

export interface PersonaName {
  /** Prefix of agent ids and name of the folder: `echo` in `echo-047`. */
  readonly id: string
  readonly name: string
  readonly title: string
  readonly role: string
}

export interface CaseName {
  readonly name: string
  readonly plural: string
  /** Ids are counted by prefix: types that share one share a counter. */
  readonly prefix: string
  readonly symbol: string
  readonly colour: string
  readonly square: string
}

/** Nouns that texts for agents and people need; the singular and, where it is used, the plural. */
export interface Nouns {
  readonly work: string
  readonly works: string
  readonly operation: string
  readonly directive: string
  readonly discovery: string
  readonly discoveries: string
  readonly workspace: string
  readonly verification: string
  readonly store: string
}

export interface FileNames {
  /** The file in an agent's folder that lists what it has learnt. */
  readonly discoveries: string
  readonly rules: {
    readonly signals: string
    readonly discoveries: string
    readonly commits: string
    readonly completion: string
  }
}

/** Keys of the JSON files that people and their scripts read. */
export interface RecordKeys {
  readonly work: string
  readonly averagePerWork: string
  readonly maximumPerWork: string
  readonly workId: string
}

/** Section headings that differ in the files which a user may edit. */
export interface Headings {
  readonly standards: string
  readonly gate: string
  readonly discoverySignals: string
  readonly discoveryCreation: string
}

/**
 * Every name that a user sees or an agent writes. The core never branches on the vocabulary: it only looks
 * names up. Git refs, commit trailers, `AXIOM_*` variables and the command's name are not here, because they
 * do not change.
 */
export interface Vocabulary {
  readonly name: VocabularyName
  readonly product: string
  readonly folder: string
  readonly workspaces: string
  readonly signals: SignalNames
  readonly personas: Readonly<Record<Persona, PersonaName>>
  readonly cases: Readonly<Record<CaseType, CaseName>>
  readonly nouns: Nouns
  readonly files: FileNames
  readonly records: RecordKeys
  readonly headings: Headings
}
