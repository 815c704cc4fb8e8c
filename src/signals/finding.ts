import type { Handler, Notation } from './definition.ts'
import type { ProblemCode } from './problem-code.ts'
import type { BodyOf } from './read-body.ts'
import type { SignalName } from './registry.ts'

export interface Place {
  /** Which message of the iteration, from 0. */
  readonly message: number
  /** Which line of that message, from 1. */
  readonly line: number
}

export interface SignalOf<Name extends SignalName> extends Place {
  readonly kind: 'signal'
  readonly notation: Notation
  /** The name as the agent says it, in its vocabulary. */
  readonly type: string
  /** The name in the registry, whatever the vocabulary. */
  readonly name: Name
  readonly payload: string | null
  readonly task: string | null
  readonly body: BodyOf<Name> | null
  readonly handler: Handler
}

export type Signal = { [Name in SignalName]: SignalOf<Name> }[SignalName]

export interface Problem extends Place {
  readonly kind: 'problem'
  readonly code: ProblemCode
  readonly raw: string
  /** The type as far as it could be read. */
  readonly type: string | null
  readonly reason: string
}

export type Finding = Signal | Problem
