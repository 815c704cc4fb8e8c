import type { Role } from './definition.ts'
import { ROLES_OWING_A_SIGNAL } from './registry.ts'

/** An agent that gives no signal this often in a row is replaced. */
export const UNKNOWN_SIGNALS_MAX = 3
/** A developer may think this long without a signal or a commit before it is asked. */
export const DEVELOPER_IDLE_ITERATIONS_MAX = 3

/** An iteration that ended without a verdict. */
export interface Silence {
  readonly role: Role
  /** Unknown signals of this task in a row before this one. */
  readonly unknownBefore: number
  /** Iterations in a row, this one included, with neither a signal nor a commit. */
  readonly idleIterations: number
}

export type SilenceAnswer =
  | { readonly kind: 'iterate' }
  | { readonly kind: 'request-checkpoint'; readonly unknownCount: number; readonly level: 'warn' | 'error' }
  /** As after a timeout, with the forms of the signals spelt out in the prompt; the count starts anew. */
  | { readonly kind: 'redispatch'; readonly unknownCount: 0 }

/** Ask, ask again, replace: what follows when an agent says nothing that can be understood. */
export function answerSilence({ role, unknownBefore, idleIterations }: Silence): SilenceAnswer {
  const isAsked =
    ROLES_OWING_A_SIGNAL.includes(role) ||
    (role === 'developer' && idleIterations >= DEVELOPER_IDLE_ITERATIONS_MAX)
  if (!isAsked) return { kind: 'iterate' }
  const unknownCount = unknownBefore + 1
  if (unknownCount >= UNKNOWN_SIGNALS_MAX) return { kind: 'redispatch', unknownCount: 0 }
  return { kind: 'request-checkpoint', unknownCount, level: unknownCount === 1 ? 'warn' : 'error' }
}
