import type { CaseId } from '../../cases/case.ts'

/**
 * The answer to a command. Refused (status 409) means that nothing changed; the hint says what is allowed.
 */
export type CommandAnswer =
  | {
      readonly kind: 'done'
      /** What happened, as a sentence for a toast. */
      readonly message: string
      readonly cases: readonly CaseId[]
    }
  | {
      readonly kind: 'refused'
      readonly code: string
      readonly message: string
      readonly hint: string
      /** The cases on a circular path, first and last the same. */
      readonly path?: readonly CaseId[]
    }

/** The body of every answer that is not a success. */
export interface ErrorAnswer {
  readonly error: { readonly code: string; readonly message: string; readonly hint: string }
}
