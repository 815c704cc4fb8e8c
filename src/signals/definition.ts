import { ROLE_TRAITS } from './role-traits.ts'

export type Role = keyof typeof ROLE_TRAITS

export const ROLES = Object.keys(ROLE_TRAITS) as readonly Role[]

export type Notation = 'tag' | 'line' | 'marker'

/**
 * How a field of a body is read. `line` ends at the first blank line, `prose` at the next label; the others are
 * one list entry each, or one word out of `choices`.
 */
export type FieldKind =
  | 'line'
  | 'prose'
  | 'choice'
  | 'count'
  | 'names'
  | 'list'
  | 'files'
  | 'criteria'
  | 'checks'
  | 'issues'
  | 'checklist'
  | 'reasons'
  | 'triggers'
  | 'prompt'

export interface Field {
  /** As the agent writes it, without the colon. */
  readonly label: string
  /** Other labels that agents use for the same field. */
  readonly aliases?: readonly string[]
  readonly key: string
  readonly kind: FieldKind
  /** What stands in the place of the value in the rules given to agents. */
  readonly hint: string
  readonly choices?: readonly string[]
}

/** What follows the name: nothing, free text, a number from 0 to 100, an id, a path, or one JSON object. */
export type PayloadRule = 'none' | 'optional' | 'text' | 'percentage' | 'id' | 'path' | 'json'

export type Handler =
  | 'DISPATCH_CRITIC'
  | 'LOG_AND_FILL_SLOTS'
  | 'ENTER_REMEDIATION'
  | 'DISPATCH_AUDITOR'
  | 'DISPATCH_DEVELOPER_REWORK'
  | 'MARK_COMPLETE'
  | 'PROCESS_EXPANSION'
  | 'DISPATCH_HEALTH_AUDITOR'
  | 'EXIT_REMEDIATION'
  | 'RETRY_REMEDIATION'
  | 'AWAIT_DIVINE_RESPONSE'
  | 'DISPATCH_EXPERT'
  | 'DELIVER_TO_REQUESTING_AGENT'
  | 'ESCALATE_TO_DIVINE'
  | 'REGISTER_EXPERT'
  | 'QUEUE_OR_COORDINATE'
  | 'PROCESS_CHECKPOINT'
  | 'RECORD_PROGRESS'
  | 'RECORD_DISCOVERY'
  | 'VERIFY_RESOLUTION'
  | 'END_ONBOARDING'
  | 'ADVANCE_PHASE'
  | 'UPDATE_TEAM'
  | 'REGISTER_MEMBER'
  | 'SEND_TO_LEAD'

export interface Definition {
  readonly name: string
  readonly notation: Notation
  readonly payload: PayloadRule
  /** What the payload is called in the rules given to agents; empty where there is none. */
  readonly payloadHint: string
  readonly roles: readonly Role[]
  /** When to say it, as a sentence for agents. */
  readonly meaning: string
  readonly handler: Handler
  /** Where several apply the lowest number wins; `null` never competes: it is information, not a verdict. */
  readonly priority: number | null
  /** `last-message`: a verdict, which counts only in the last message of an iteration. */
  readonly counts: 'anywhere' | 'last-message'
  /** Signals of another notation that have the same effect. */
  readonly equals: readonly string[]
  /** The verdict that never counts where this one was said, too. */
  readonly refutes?: string
  readonly body: readonly Field[]
  /** A closing sentence of the format, without any meaning of its own. */
  readonly closing?: string
}
