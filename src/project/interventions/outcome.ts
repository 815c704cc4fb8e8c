import type { Refusal } from '../../cases/refusal.ts'

/** Why an intervention is not possible; nothing changed, and the hint says what is possible. */
export interface Refused {
  readonly kind: 'refused'
  readonly code: Refusal['code'] | InterventionCode
  readonly message: string
  readonly hint: string
}

export type InterventionCode =
  | 'AGENT_UNKNOWN'
  | 'ORDERS_FULL'
  | 'PROJECT_HALTED'
  | 'NOTHING_TO_RETRY'
  | 'NOTHING_TO_OVERRIDE'
  | 'NOTHING_TO_REVIEW'
  | 'REVIEW_NO_WORDS'
  | 'REVIEW_NO_CHECKPOINT'
  | 'STORE_BUSY'

export function refuse(code: Refused['code'], message: string, hint: string): Refused {
  return { kind: 'refused', code, message, hint }
}

export function isRefused(value: object): value is Refused {
  return 'kind' in value && value.kind === 'refused'
}
