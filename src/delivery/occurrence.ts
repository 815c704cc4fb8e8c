import type { Actor } from '../cases/case.ts'
import type { Role } from '../signals/definition.ts'
import type { Signal } from '../signals/finding.ts'
import { definitionOf, REGISTRY, type SignalName } from '../signals/registry.ts'

/** What delivery hears that no agent says: from the director, and from the person. */
export const DIRECTOR_EVENTS = [
  'CLAIMED',
  'UNDERSPECIFIED',
  'RUN_FAILED',
  'RUN_TIMED_OUT',
  'AGENT_LOST',
  /** A person stopped the agent, or ended AXIOM: nobody's failure. */
  'STOPPED',
  /** An agent that gives no sign was asked how far it is; and it has given one. */
  'CHECKPOINT_ASKED',
  'SIGN_SEEN',
  'WAIT_ENDED',
  'CONFIRMED',
  'REFUTED',
  'LANDED',
  'LANDING_FAILED',
  'CONFLICTED',
  /** The remote does not take the branch, or closed it. */
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
 * Markers belong to the team, discoveries to knowledge, a resolver's and a planner's words to their own stages; an
 * expert is registered with its plan, before there is a task.
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

/** Agents that only speak tags enter the rows of the line signals that have the same effect. */
export function lineOf(signal: DeliverySignal): DeliverySignal {
  const definition = definitionOf(signal)
  if (definition?.notation !== 'tag') return signal
  return (definition.equals[0] as SignalName | undefined) ?? signal
}

/** Something said or done about one task, with all that shows whose word it is. */
export interface Occurrence {
  /** Tells one occurrence from every other: run, iteration and line of a signal. A second with the same id is a duplicate. */
  readonly id: string
  readonly signal: DeliverySignal
  readonly sender: Sender
  readonly agent: Actor
  /** The task that the word is about, as the speaker names it; null where the form has no place for it. */
  readonly task: string | null
  /** The fence of the lease under which the speaker works; null for director, person and experts. */
  readonly fence: number | null
  /** The request that an expert was sent to answer; null for everybody else. */
  readonly request: string | null
  /** The commit the speaker had before it: proven for a developer, under review for a reviewer. */
  readonly commit: string | null
  /** The id after the name of an expert's answer. */
  readonly payload: string | null
  /** An agent's own signal, with its body. */
  readonly said: Signal | null
  /** What a person or the director says with it: an answer, guidance, the output of a check. */
  readonly text: string | null
}
