import type { CaseId } from './case.ts'

export type RefusalCode =
  | 'InvalidTransition'
  | 'InvalidStatus'
  | 'MissingRequired'
  | 'InvalidValue'
  | 'NotFound'
  | 'AlreadyClaimed'
  | 'NotClaimed'
  | 'StaleClaim'
  | 'SELF_DEPENDENCY'
  | 'CIRCULAR_DEPENDENCY'

/** A command that the laws do not allow: nothing changed. The hint says what is allowed. */
export interface Refusal {
  readonly kind: 'refused'
  readonly code: RefusalCode
  readonly message: string
  readonly hint: string
  /** The cases on a circular path, first and last the same. */
  readonly path?: readonly CaseId[]
}

export function refuse(code: RefusalCode, message: string, hint: string, path?: readonly CaseId[]): Refusal {
  return { kind: 'refused', code, message, hint, ...(path ? { path } : {}) }
}
