import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import type { Role } from './roles.ts'
import type { Skill } from './skill.ts'

/** The contents of an agent's folder and of the shared rules; a missing file is absent here too. */
export interface PersonaFiles {
  /** Every file of `rules/`, by name. */
  readonly shared: ReadonlyMap<string, string>
  readonly rules?: string
  readonly prompt?: string
  readonly skills: readonly Skill[]
}

/** Text for the agent that AXIOM did not write, with its origin. */
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

/** What other agents' prompts say about an expert. */
export interface Expert {
  readonly name: string
  readonly knows: string
  readonly askWhen: string
}

/** The piece of work and its context; every field but the id may be absent. */
export interface Assignment {
  readonly id: string
  /** AXIOM's request in this call, in its own text: the phase of a plan, the round of a review. */
  readonly order?: string
  readonly content?: string
  /** The author of the content: an agent, a person, a tracker. */
  readonly author?: string
  readonly criteria?: readonly string[]
  readonly operation?: { readonly id: string; readonly content: string }
  readonly need?: { readonly id: string; readonly content: string }
  readonly spec?: { readonly origin: string; readonly text: string }
  readonly files?: readonly string[]
  readonly dependencies?: readonly Dependency[]
  readonly checks?: readonly Check[]
  /** The experts to ask, for roles that may ask. */
  readonly experts?: readonly Expert[]
  /** Facts about the workspace: branch, base, commit under review. */
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

/** What is new in this iteration; it comes last, so that everything before it can be cached. */
export interface Iteration {
  readonly number: number
  readonly feedback?: readonly Feedback[]
  /** After a crash or a stop: what happened, in AXIOM's own text, and the end of the last attempt's log. */
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
