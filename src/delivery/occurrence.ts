import type { Actor } from '../cases/case.ts'
import type { Role } from '../signals/definition.ts'
import type { Signal } from '../signals/finding.ts'
import { definitionOf, REGISTRY, type SignalName } from '../signals/registry.ts'

/** Events for delivery that do not come from agents: from the director, and from the person. */
export const DIRECTOR_EVENTS = [
  'CLAIMED',
  'UNDERSPECIFIED',
  'RUN_FAILED',
  'RUN_TIMED_OUT',
  'AGENT_LOST',
  /** A person stopped the agent, or ended AXIOM: not a failure. */
  'STOPPED',
  /** A silent agent was asked for its progress; it has answered. */
  'CHECKPOINT_ASKED',
  'SIGN_SEEN',
  'WAIT_ENDED',
  'CONFIRMED',
  'REFUTED',
  'LANDED',
  'LANDING_FAILED',
  'CONFLICTED',
  /** The remote refused the branch, or closed it. */
  'PUSH_STUCK',
  'FILE_FREE',
  'REPAIRED',
] as const

export const PERSON_EVENTS = [
  'APPROVED',
  'CHANGES_REQUESTED',
  'ANSWERED',
  'RETRY',
  'OVERRIDE',
  'HALT',
] as const

export type DeliveryEvent = (typeof DIRECTOR_EVENTS)[number] | (typeof PERSON_EVENTS)[number]
export type DeliverySignal = SignalName | DeliveryEvent
export type Sender = Role | 'person'

/**
 * Markers belong to the team, discoveries to knowledge, a resolver's and a planner's signals to their own
 * stages; an expert is registered with its plan, before there is a task.
 */
const ELSEWHERE: readonly SignalName[] = [
  'DISCOVERY_LOCAL',
  'DISCOVERY_GLOBAL',
  'RESOLVED',
  'AVA_COMPLETE',
  'PHASE_COMPLETE',
  'EXPERT_CREATED',
]

export const DELIVERY_SIGNALS: readonly DeliverySignal[] = [
  ...REGISTRY.filter(({ notation, name }) => notation !== 'marker' && !ELSEWHERE.includes(name)).map(
    ({ name }) => name,
  ),
  ...DIRECTOR_EVENTS,
  ...PERSON_EVENTS,
]

/** A tag signal uses the rows of the line signal with the same effect. */
export function lineOf(signal: DeliverySignal): DeliverySignal {
  const definition = definitionOf(signal)
  if (definition?.notation !== 'tag') return signal
  return (definition.equals[0] as SignalName | undefined) ?? signal
}

/** Something said or done about one task, with everything that identifies the sender. */
export interface Occurrence {
  /** Unique: run, iteration and line of a signal. A second occurrence with the same id is a duplicate. */
  readonly id: string
  readonly signal: DeliverySignal
  readonly sender: Sender
  readonly agent: Actor
  /** The task that the signal names; null where the form of the signal has no task. */
  readonly task: string | null
  /** The fence of the sender's lease; null for director, person and experts. */
  readonly fence: number | null
  /** The request that an expert was sent to answer; null for every other sender. */
  readonly request: string | null
  /** The commit that the sender worked on: proven for a developer, under review for a reviewer. */
  readonly commit: string | null
  /** The id after the name of an expert's answer. */
  readonly payload: string | null
  /** An agent's own signal, with its body. */
  readonly said: Signal | null
  /** Text from a person or the director: an answer, guidance, the output of a check. */
  readonly text: string | null
}
