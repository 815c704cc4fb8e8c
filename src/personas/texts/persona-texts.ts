import type { Words } from '../words.ts'

/** What one role of a persona adds; kept apart because a prompt carries only the role that is played. */
export interface RoleTexts {
  readonly duties: readonly string[]
  readonly rules: readonly string[]
}

/** The default words of one agent, before they are set into `prompt.md` and `rules.md`. */
export interface PersonaTexts {
  readonly identity: string
  readonly responsibilities: readonly string[]
  readonly style: string
  readonly must: readonly string[]
  readonly mustNot: readonly string[]
  readonly standards: readonly string[]
  /** Only for a persona that plays more than one role. */
  readonly roles?: Readonly<Record<string, RoleTexts>>
}

export type WritePersona = (words: Words) => PersonaTexts
