import type { Stage } from '../cases/case.ts'
import { ROLES } from '../signals/definition.ts'
import { allows, definitionOf } from '../signals/registry.ts'
import { ROLE_TRAITS, type RoleWith } from '../signals/role-traits.ts'
import type { DeliveryStateName } from './delivery-state.ts'
import { type DeliverySignal, lineOf, type PERSON_EVENTS, type Sender } from './occurrence.ts'

/**
 * Facts that select a move; `decide-delivery` finds which hold. The first move whose condition holds is
 * taken.
 */
export type Condition =
  | 'always'
  | 'commit-unchanged'
  | 'fruitless-for-good'
  | 'nothing-blocks'
  | 'rounds-spent'
  | 'ladder-at-expert'
  | 'ladder-at-person'
  | 'no-expert-fits'
  | 'unproven-first'
  | 'unproven-again'
  | 'unproven-for-good'
  | 'low-confidence'
  | 'untestable'
  | 'losses-spent'
  | 'conflicts-spent'
  | 'can-wait'
  | 'repaired-elsewhere'
  | 'attempts-spent'
  | 'checks-red'
  | 'red-and-spent'
  | 'repair-changed-code'
  | 'audit-interrupted'
  | 'person-wanted'
  | 'has-fallback'

/** What delivery itself does with a move besides changing the state. All else follows from the state. */
export type MoveFlag =
  | 'asks-person'
  | 'escalates'
  /** The agent that asked for an expert is informed that there is none. */
  | 'reports-no-expert'
  /** The agent is informed that it has to coordinate a file with another one. */
  | 'coordinates-file'
  | 'asks-for-sign'
  /** Nothing moves; the silence of the agent ends. */
  | 'remarks'
  | 'counts-expert'
  | 'counts-repair'

export interface Move {
  readonly when: Condition
  /** `stay`: the state does not change. `resume`: back to what the wait interrupted. */
  readonly to: DeliveryStateName | 'stay' | 'resume'
  /** What a wait returns to; `here` is the current state. Without it the return states stay as they are. */
  readonly back?: DeliveryStateName | 'here'
  /** Drops the return state, because it is no longer valid. */
  readonly drops?: true
  /** The sender's own lease ends. Leases also end with every status but active and review. */
  readonly frees: boolean
  readonly flags: readonly MoveFlag[]
}

interface Row {
  readonly states: readonly DeliveryStateName[]
  readonly signals: readonly DeliverySignal[]
  readonly senders: readonly Sender[]
  readonly moves: readonly Move[]
}

/** Which lease an agent of this role works under. */
export const STAGE_OF_ROLE: Readonly<Partial<Record<Sender, Stage>>> = Object.fromEntries(
  ROLES.flatMap((role) => {
    const stage: Stage | null = ROLE_TRAITS[role].stage
    return stage === null ? [] : [[role, stage]]
  }),
)

type WorkingRole = RoleWith<'isSentByPlace'> | 'developer'

export interface Work {
  readonly role: WorkingRole
  readonly stage: Stage | null
}

/** The states in which an agent is at work on the task, and how it is sent there. */
export const WORK: Readonly<Partial<Record<DeliveryStateName, Work>>> = {
  specifying: work('analyst'),
  developing: work('developer'),
  critique: work('critic'),
  audit: work('auditor'),
  consulting: work('expert'),
  remediating: work('remediator'),
  'health-check': work('health-auditor'),
}

function work(role: WorkingRole): Work {
  return { role, stage: ROLE_TRAITS[role].stage }
}

type Options = Pick<Move, 'back'> & { readonly keeps?: true }

function move(
  when: Condition,
  to: Move['to'],
  flags: readonly MoveFlag[] = [],
  { back, keeps }: Options = {},
): Move {
  return { when, to, ...(back === undefined ? {} : { back }), frees: keeps !== true, flags }
}

const HERE = { back: 'here' } as const
const KEEPS = { keeps: true } as const
const QUEUED = { back: 'queued' } as const

const askFromHere = (when: Condition = 'always') => move(when, 'asking', ['asks-person'], HERE)
/** A developer that cannot continue gives up its slot and its claim; the next agent gets its workspace. */
const askAndFree = (when: Condition = 'always') => move(when, 'asking', ['asks-person'], QUEUED)

/**
 * Back to the same developer, claim and workspace, unless the limit of rounds or the ladder decides
 * otherwise.
 */
const REWORK: readonly Move[] = [
  move('rounds-spent', 'failed', ['escalates']),
  move('ladder-at-expert', 'consulting', ['counts-expert'], { back: 'developing' }),
  move('ladder-at-person', 'asking', ['asks-person'], { back: 'developing' }),
  move('always', 'developing'),
]

/** An unproven audit: the auditor is asked again, then replaced, then a person decides. */
const UNPROVEN: readonly Move[] = [
  move('unproven-for-good', 'asking', ['asks-person'], { back: 'audit' }),
  move('unproven-again', 'audit'),
]

const repairFor = (back: DeliveryStateName): readonly Move[] => [
  move('repaired-elsewhere', 'awaiting-repair', [], { back }),
  move('always', 'remediating', ['counts-repair'], { back }),
]

const consult = (asked: Move): readonly Move[] => [
  { ...asked, when: 'ladder-at-person' },
  move('no-expert-fits', 'stay', ['reports-no-expert'], KEEPS),
  move('always', 'consulting', ['counts-expert'], { ...HERE, ...KEEPS }),
]

const FILE_CONFLICT: readonly Move[] = [
  move('conflicts-spent', 'asking', ['asks-person'], QUEUED),
  move('can-wait', 'file-waiting', [], { ...HERE, ...KEEPS }),
  move('always', 'stay', ['coordinates-file'], KEEPS),
]

const SEND_AGAIN: readonly Move[] = [askFromHere('losses-spent'), move('always', 'stay')]

const ASK = ['SEEKING_DIVINE_CLARIFICATION', 'PENDING'] as const
const LOST = ['AGENT_LOST', 'WAIT_ENDED'] as const

const LINE: readonly Row[] = [
  row('queued', 'CLAIMED', 'director', [move('always', 'developing')]),
  row('queued', 'UNDERSPECIFIED', 'director', [move('always', 'specifying')]),

  row('specifying', 'EXPANDED_TASK_SPECIFICATION', 'analyst', [
    askFromHere('low-confidence'),
    askFromHere('fruitless-for-good'),
    move('untestable', 'stay'),
    move('always', 'queued'),
  ]),
  row('specifying', [...ASK, 'BLOCKED'], 'analyst', [askFromHere()]),
  row('specifying', 'EXPERT_REQUEST', 'analyst', consult(askFromHere())),
  row('specifying', LOST, 'director', SEND_AGAIN),

  row('developing', 'READY_FOR_REVIEW', 'developer', [
    askAndFree('fruitless-for-good'),
    move('commit-unchanged', 'stay', [], KEEPS),
    move('always', 'critique', [], KEEPS),
  ]),
  row('developing', 'TASK_INCOMPLETE', 'developer', [askAndFree()]),
  row('developing', ASK, 'developer', [askAndFree()]),
  row('developing', 'INFRA_BLOCKED', 'developer', repairFor('queued')),
  row('developing', 'EXPERT_REQUEST', 'developer', consult(askAndFree())),
  row('developing', 'FILE CONFLICT', 'developer', FILE_CONFLICT),
  row('developing', 'RUN_FAILED', 'director', [move('always', 'failed', ['escalates'])]),
  row('developing', ['RUN_TIMED_OUT', 'WAIT_ENDED'], 'director', [move('always', 'timed-out')]),
  row('developing', ['AGENT_LOST', 'STOPPED'], 'director', [move('always', 'queued')]),

  row('critique', 'REVIEW_PASSED', 'critic', [move('always', 'audit')]),
  row('critique', 'REVIEW_FAILED', 'critic', [move('nothing-blocks', 'audit'), ...REWORK]),
  row('critique', 'PENDING', 'critic', [askFromHere()]),
  row('critique', LOST, 'director', SEND_AGAIN),

  row('audit', 'AUDIT_PASSED', 'auditor', [
    ...UNPROVEN,
    move('unproven-first', 'stay', [], KEEPS),
    move('always', 'confirming'),
  ]),
  row('audit', 'AUDIT_FAILED', 'auditor', [
    ...UNPROVEN,
    move('unproven-first', 'stay', [], KEEPS),
    ...REWORK,
  ]),
  row('audit', 'AUDIT_BLOCKED', 'auditor', repairFor('audit')),
  row('audit', ASK, 'auditor', [askFromHere()]),
  row('audit', 'EXPERT_REQUEST', 'auditor', consult(askFromHere())),
  row('audit', LOST, 'director', SEND_AGAIN),

  row('confirming', 'CONFIRMED', 'director', [
    move('person-wanted', 'person-review'),
    move('always', 'integrating'),
  ]),
  row('confirming', 'REFUTED', 'director', [...UNPROVEN, move('unproven-first', 'audit')]),
  row('person-review', 'APPROVED', 'person', [move('always', 'integrating')]),
  row('person-review', 'CHANGES_REQUESTED', 'person', [move('always', 'developing')]),
  row('integrating', 'LANDED', 'director', [move('always', 'landed')]),
  row('integrating', 'LANDING_FAILED', 'director', REWORK),
  row('integrating', ['CONFLICTED', 'PUSH_STUCK'], 'director', [askFromHere()]),
  row('failed', 'RETRY', 'person', [move('always', 'queued')]),
  row('timed-out', 'RETRY', 'person', [move('always', 'queued')]),
]

const WAITS: readonly Row[] = [
  row('consulting', 'EXPERT_ADVICE', 'expert', [move('always', 'resume')]),
  row('consulting', ['EXPERT_UNSUCCESSFUL', 'PENDING'], 'expert', [
    move('always', 'asking', ['asks-person']),
  ]),
  row('consulting', LOST, 'director', [
    move('ladder-at-person', 'asking', ['asks-person']),
    move('no-expert-fits', 'asking', ['asks-person']),
    move('always', 'stay', ['counts-expert']),
  ]),
  row('asking', 'ANSWERED', 'person', [move('always', 'resume')]),
  row('asking', 'WAIT_ENDED', 'director', [
    move('has-fallback', 'resume'),
    move('always', 'stay', ['asks-person']),
  ]),
  row('file-waiting', 'FILE_FREE', 'director', [move('always', 'resume')]),
  row('file-waiting', 'WAIT_ENDED', 'director', [move('always', 'resume', ['coordinates-file'])]),
  row('awaiting-repair', 'REPAIRED', 'director', [move('always', 'resume')]),
]

const RETRY_REPAIR: readonly Move[] = [
  move('attempts-spent', 'repair-escalated', ['asks-person']),
  move('always', 'remediating', ['counts-repair']),
]

const REPAIR: readonly Row[] = [
  row('remediating', 'REMEDIATION_COMPLETE', 'remediator', [move('always', 'health-check')]),
  row('remediating', [...ASK, 'BLOCKED'], 'remediator', [askFromHere()]),
  row('remediating', 'EXPERT_REQUEST', 'remediator', consult(askFromHere())),
  row('remediating', 'FILE CONFLICT', 'remediator', [
    askFromHere('conflicts-spent'),
    ...FILE_CONFLICT.slice(1),
  ]),
  row('remediating', LOST, 'director', RETRY_REPAIR),
  row('health-check', 'HEALTH_AUDIT: HEALTHY', 'health-auditor', [
    move('red-and-spent', 'repair-escalated', ['asks-person']),
    move('checks-red', 'remediating', ['counts-repair']),
    move('repair-changed-code', 'repair-landing'),
    move('always', 'resume'),
  ]),
  // The audited commit does not contain the repair: the developer merges it and submits the work again.
  row('repair-landing', 'LANDED', 'director', [
    { ...move('audit-interrupted', 'developing'), drops: true },
    move('always', 'resume'),
  ]),
  row('repair-landing', 'LANDING_FAILED', 'director', RETRY_REPAIR),
  row('health-check', 'HEALTH_AUDIT: UNHEALTHY', 'health-auditor', RETRY_REPAIR),
  row('health-check', ASK, 'health-auditor', [askFromHere()]),
  row('health-check', 'EXPERT_REQUEST', 'health-auditor', consult(askFromHere())),
  row('health-check', LOST, 'director', SEND_AGAIN),
  row(['repair-escalated', 'halted'], 'RETRY', 'person', [move('always', 'remediating', ['counts-repair'])]),
  row(['repair-escalated', 'halted'], 'OVERRIDE', 'person', [move('always', 'resume')]),
  row('repair-escalated', 'HALT', 'person', [move('always', 'halted')]),
]

/**
 * Signs of life from the agent at work that change no state. An agent without a lease is left out: it already
 * has a deadline of its own.
 */
const REMARKS: readonly Row[] = Object.entries(WORK).flatMap(([state, { role, stage }]) => {
  const at = state as DeliveryStateName
  if (stage === null) return []
  return [
    row(at, ['CHECKPOINT', 'PROGRESS'], role, [move('always', 'stay', ['remarks'], KEEPS)]),
    row(at, 'CHECKPOINT_ASKED', 'director', [move('always', 'stay', ['asks-for-sign'], KEEPS)]),
    row(at, 'SIGN_SEEN', 'director', [move('always', 'stay', ['remarks'], KEEPS)]),
  ]
})

const ROWS: readonly Row[] = [...LINE, ...WAITS, ...REPAIR, ...REMARKS]

const TABLE = new Map<string, readonly Move[]>()
for (const { states, signals, senders, moves } of ROWS) {
  for (const state of states) {
    for (const signal of signals) {
      for (const sender of senders) TABLE.set(keyOf(state, signal, sender), moves)
    }
  }
}

/** The moves for a signal of this sender in this state; undefined where the pair is not defined. */
export function movesFor(
  state: DeliveryStateName,
  signal: DeliverySignal,
  sender: Sender,
): readonly Move[] | undefined {
  const definition = definitionOf(signal)
  if (definition !== undefined && (sender === 'person' || !allows(definition, sender))) return undefined
  return TABLE.get(keyOf(state, signal, sender)) ?? TABLE.get(keyOf(state, lineOf(signal), sender))
}

/** Whether this event of a person does anything in this state. */
export function allowsPerson(state: DeliveryStateName, event: (typeof PERSON_EVENTS)[number]): boolean {
  return movesFor(state, event, 'person') !== undefined
}

function row(
  states: DeliveryStateName | readonly DeliveryStateName[],
  signals: DeliverySignal | readonly DeliverySignal[],
  senders: Sender | readonly Sender[],
  moves: readonly Move[],
): Row {
  return { states: [states].flat(), signals: [signals].flat(), senders: [senders].flat(), moves }
}

function keyOf(state: string, signal: string, sender: string): string {
  return `${state} ${signal} ${sender}`
}
