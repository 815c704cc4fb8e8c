import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import type { Role } from './roles.ts'
import type { Skill } from './skill.ts'

/** What an agent's folder and the shared rules hold; what is missing is missing here too. */
export interface PersonaFiles {
  /** Every file of `rules/`, by name. */
  readonly shared: ReadonlyMap<string, string>
  readonly rules?: string
  readonly prompt?: string
  readonly skills: readonly Skill[]
}

/** Text for the agent that AXIOM did not write, with where it comes from. */
export interface Material {
  readonly title: string
  readonly origin: string
  readonly text: string
}

export interface Check {
  readonly name: string
  readonly command: string
  readonly required: boolean
  readonly environment?: string
}

export interface Dependency {
  readonly id: string
  readonly content: string
  /** Absent while it has not landed. */
  readonly landed?: { readonly commit: string; readonly files: readonly string[] }
}

/** What the others are told of an expert. */
export interface Expert {
  readonly name: string
  readonly knows: string
  readonly askWhen: string
}

/** The piece of work and what one must know of it; every field but the id may be absent. */
export interface Assignment {
  readonly id: string
  /** What AXIOM asks in this call, in AXIOM's own words: the phase of a plan, the round of a review. */
  readonly order?: string
  readonly content?: string
  /** Who wrote the content: an agent, a person, a tracker. */
  readonly author?: string
  readonly criteria?: readonly string[]
  readonly operation?: { readonly id: string; readonly content: string }
  readonly need?: { readonly id: string; readonly content: string }
  readonly spec?: { readonly origin: string; readonly text: string }
  readonly files?: readonly string[]
  readonly dependencies?: readonly Dependency[]
  readonly checks?: readonly Check[]
  /** Who can be asked, for roles that may ask. */
  readonly experts?: readonly Expert[]
  /** Where the agent stands, as facts: branch, base, commit under review. */
  readonly place?: readonly string[]
  readonly material?: readonly Material[]
}

export const IMPACTS = ['low', 'medium', 'high', 'critical'] as const
export type Impact = (typeof IMPACTS)[number]

export interface KnownDiscovery {
  readonly id: string
  readonly work: string
  readonly agent: string
  readonly category: string
  readonly impact: Impact
  readonly validated: boolean
  readonly content: string
}

export interface Feedback extends Material {
  /** A finding is given whole; the output of a program may be shortened in the middle. */
  readonly kind: 'finding' | 'output'
}

export interface Answer {
  readonly question: string
  readonly answer: string
  readonly by: string
}

/** What is new in this iteration; it stands last, so that everything before it can be reused. */
export interface Iteration {
  readonly number: number
  readonly feedback?: readonly Feedback[]
  /** After a crash or a stop: what happened, in AXIOM's words, and the end of the last attempt's log. */
  readonly recovery?: { readonly reason: string; readonly log?: Material }
  readonly answers?: readonly Answer[]
  readonly messages?: readonly { readonly by: string; readonly text: string }[]
}

export interface PromptInput {
  readonly vocabulary: Vocabulary
  readonly role: Role
  /** The id of the agent that will read this: `echo-047`. */
  readonly agent: string
  readonly files: PersonaFiles
  readonly assignment: Assignment
  readonly discoveries: readonly KnownDiscovery[]
  readonly iteration: Iteration
}
