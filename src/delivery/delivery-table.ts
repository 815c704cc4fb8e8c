import type { Stage } from '../cases/case.ts'
import type { Role } from '../signals/definition.ts'
import { allows, definitionOf } from '../signals/registry.ts'
import type { DeliveryStateName } from './delivery-state.ts'
import { type DeliverySignal, lineOf, type Sender } from './occurrence.ts'

/** Facts that part one row from another; `decide-delivery` finds which hold. The first that does is taken. */
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

export type EffectKind =
  | 'dispatch-analyst'
  | 'dispatch-developer'
  | 'dispatch-critic'
  | 'dispatch-auditor'
  | 'ask-auditor-again'
  | 'dispatch-expert'
  | 'dispatch-remediator'
  | 'dispatch-health-auditor'
  | 'rerun-commands'
  | 'enqueue-integration'
  | 'ask-person'
  | 'show-for-review'
  | 'raise-escalation'
  | 'deliver-advice'
  | 'deliver-answer'
  | 'report-no-expert'
  | 'record-progress'
  | 'request-checkpoint'
  | 'notify-when-free'
  | 'coordinate-file'
  | 'hold-new-work'
  | 'release-new-work'
  | 'pause-project'

/**
 * Where the next work is done: where it was done before, in a throwaway copy of exactly the commit to be judged,
 * or, for a repair, in a workspace of its own at the target.
 */
export type Workspace = 'same' | 'copy' | 'own' | 'none'

export interface Move {
  readonly when: Condition
  /** `stay`: the state does not change. `resume`: back to what the wait interrupted. */
  readonly to: DeliveryStateName | 'stay' | 'resume'
  /** What a wait returns to; `here` is the present state. Without it the places to return to stay as they are. */
  readonly back?: DeliveryStateName | 'here'
  /** The place to return to is given up: it no longer holds what it was left for. */
  readonly drops?: true
  /** The speaker's own lease ends. Leases also end with every status but active and review. */
  readonly frees: boolean
  readonly effects: readonly EffectKind[]
}

interface Row {
  readonly states: readonly DeliveryStateName[]
  readonly signals: readonly DeliverySignal[]
  readonly senders: readonly Sender[]
  readonly moves: readonly Move[]
}

/** Which lease an agent of this role works under. An expert has none: its word counts by the request's id. */
export const STAGE_OF_ROLE: Readonly<Partial<Record<Sender, Stage>>> = {
  developer: 'develop',
  critic: 'critique',
  auditor: 'audit',
  analyst: 'plan',
  remediator: 'remediate',
  'health-auditor': 'remediate',
}

interface Work {
  readonly role: Role
  readonly stage: Stage | null
  readonly workspace: Workspace
  readonly dispatch: EffectKind
}

/** The states in which an agent is at work on the task, and how it is sent there. */
export const WORK: Readonly<Partial<Record<DeliveryStateName, Work>>> = {
  specifying: { role: 'analyst', stage: 'plan', workspace: 'none', dispatch: 'dispatch-analyst' },
  developing: { role: 'developer', stage: 'develop', workspace: 'same', dispatch: 'dispatch-developer' },
  critique: { role: 'critic', stage: 'critique', workspace: 'copy', dispatch: 'dispatch-critic' },
  audit: { role: 'auditor', stage: 'audit', workspace: 'copy', dispatch: 'dispatch-auditor' },
  consulting: { role: 'expert', stage: null, workspace: 'none', dispatch: 'dispatch-expert' },
  remediating: {
    role: 'remediator',
    stage: 'remediate',
    workspace: 'own',
    dispatch: 'dispatch-remediator',
  },
  'health-check': {
    role: 'health-auditor',
    stage: 'remediate',
    workspace: 'copy',
    dispatch: 'dispatch-health-auditor',
  },
}

type Options = Pick<Move, 'back'> & { readonly keeps?: true }

function move(
  when: Condition,
  to: Move['to'],
  effects: readonly EffectKind[] = [],
  { back, keeps }: Options = {},
): Move {
  return { when, to, ...(back === undefined ? {} : { back }), frees: keeps !== true, effects }
}

const HERE = { back: 'here' } as const
const KEEPS = { keeps: true } as const
const QUEUED = { back: 'queued' } as const

const askFromHere = (when: Condition = 'always') => move(when, 'asking', ['ask-person'], HERE)
/** A developer that cannot go on gives its slot and its claim away; whoever comes next finds its workspace. */
const askAndFree = (when: Condition = 'always') => move(when, 'asking', ['ask-person'], QUEUED)

/** Back to the same developer, same claim, same workspace: unless the rounds or the ladder say otherwise. */
const REWORK: readonly Move[] = [
  move('rounds-spent', 'failed', ['raise-escalation']),
  move('ladder-at-expert', 'consulting', ['dispatch-expert'], { back: 'developing' }),
  move('ladder-at-person', 'asking', ['ask-person'], { back: 'developing' }),
  move('always', 'developing', ['dispatch-developer']),
]

/** An audit that proves nothing: asked again, then replaced, then put before a person. */
const UNPROVEN: readonly Move[] = [
  move('unproven-for-good', 'asking', ['ask-person'], { back: 'audit' }),
  move('unproven-again', 'audit', ['dispatch-auditor']),
]

const repairFor = (back: DeliveryStateName): readonly Move[] => [
  move('repaired-elsewhere', 'awaiting-repair', [], { back }),
  move('always', 'remediating', ['hold-new-work', 'dispatch-remediator'], { back }),
]

const consult = (asked: Move): readonly Move[] => [
  { ...asked, when: 'ladder-at-person' },
  move('no-expert-fits', 'stay', ['report-no-expert'], KEEPS),
  move('always', 'consulting', ['dispatch-expert'], { ...HERE, ...KEEPS }),
]

const FILE_CONFLICT: readonly Move[] = [
  move('conflicts-spent', 'asking', ['ask-person'], QUEUED),
  move('can-wait', 'file-waiting', ['notify-when-free'], { ...HERE, ...KEEPS }),
  move('always', 'stay', ['coordinate-file'], KEEPS),
]

const lostAt = (dispatch: EffectKind): readonly Move[] => [
  askFromHere('losses-spent'),
  move('always', 'stay', [dispatch]),
]

const ASK = ['SEEKING_DIVINE_CLARIFICATION', 'PENDING'] as const
const LOST = ['AGENT_LOST', 'WAIT_ENDED'] as const

const LINE: readonly Row[] = [
  row('queued', 'CLAIMED', 'director', [move('always', 'developing', ['dispatch-developer'])]),
  row('queued', 'UNDERSPECIFIED', 'director', [move('always', 'specifying', ['dispatch-analyst'])]),

  row('specifying', 'EXPANDED_TASK_SPECIFICATION', 'analyst', [
    askFromHere('low-confidence'),
    askFromHere('fruitless-for-good'),
    move('untestable', 'stay', ['dispatch-analyst']),
    move('always', 'queued'),
  ]),
  row('specifying', [...ASK, 'BLOCKED'], 'analyst', [askFromHere()]),
  row('specifying', 'EXPERT_REQUEST', 'analyst', consult(askFromHere())),
  row('specifying', LOST, 'director', lostAt('dispatch-analyst')),

  row('developing', 'READY_FOR_REVIEW', 'developer', [
    askAndFree('fruitless-for-good'),
    move('commit-unchanged', 'stay', ['dispatch-developer'], KEEPS),
    move('always', 'critique', ['dispatch-critic'], KEEPS),
  ]),
  row('developing', 'TASK_INCOMPLETE', 'developer', [askAndFree()]),
  row('developing', ASK, 'developer', [askAndFree()]),
  row('developing', 'INFRA_BLOCKED', 'developer', repairFor('queued')),
  row('developing', 'EXPERT_REQUEST', 'developer', consult(askAndFree())),
  row('developing', 'FILE CONFLICT', 'developer', FILE_CONFLICT),
  row('developing', 'RUN_FAILED', 'director', [move('always', 'failed', ['raise-escalation'])]),
  row('developing', ['RUN_TIMED_OUT', 'WAIT_ENDED'], 'director', [move('always', 'timed-out')]),
  row('developing', ['AGENT_LOST', 'STOPPED'], 'director', [move('always', 'queued')]),

  row('critique', 'REVIEW_PASSED', 'critic', [move('always', 'audit', ['dispatch-auditor'])]),
  row('critique', 'REVIEW_FAILED', 'critic', [
    move('nothing-blocks', 'audit', ['dispatch-auditor']),
    ...REWORK,
  ]),
  row('critique', 'PENDING', 'critic', [askFromHere()]),
  row('critique', LOST, 'director', lostAt('dispatch-critic')),

  row('audit', 'AUDIT_PASSED', 'auditor', [
    ...UNPROVEN,
    move('unproven-first', 'stay', ['ask-auditor-again'], KEEPS),
    move('always', 'confirming', ['rerun-commands']),
  ]),
  row('audit', 'AUDIT_FAILED', 'auditor', [
    ...UNPROVEN,
    move('unproven-first', 'stay', ['ask-auditor-again'], KEEPS),
    ...REWORK,
  ]),
  row('audit', 'AUDIT_BLOCKED', 'auditor', repairFor('audit')),
  row('audit', ASK, 'auditor', [askFromHere()]),
  row('audit', 'EXPERT_REQUEST', 'auditor', consult(askFromHere())),
  row('audit', LOST, 'director', lostAt('dispatch-auditor')),

  row('confirming', 'CONFIRMED', 'director', [
    move('person-wanted', 'person-review', ['show-for-review']),
    move('always', 'integrating', ['enqueue-integration']),
  ]),
  row('confirming', 'REFUTED', 'director', [
    ...UNPROVEN,
    move('unproven-first', 'audit', ['dispatch-auditor']),
  ]),
  row('person-review', 'APPROVED', 'person', [move('always', 'integrating', ['enqueue-integration'])]),
  row('person-review', 'CHANGES_REQUESTED', 'person', [move('always', 'developing', ['dispatch-developer'])]),
  row('integrating', 'LANDED', 'director', [move('always', 'landed')]),
  row('integrating', 'LANDING_FAILED', 'director', REWORK),
  row('integrating', ['CONFLICTED', 'PUSH_STUCK'], 'director', [askFromHere()]),
  row('failed', 'RETRY', 'person', [move('always', 'queued')]),
  row('timed-out', 'RETRY', 'person', [move('always', 'queued')]),
]

const WAITS: readonly Row[] = [
  row('consulting', 'EXPERT_ADVICE', 'expert', [move('always', 'resume', ['deliver-advice'])]),
  row('consulting', ['EXPERT_UNSUCCESSFUL', 'PENDING'], 'expert', [move('always', 'asking', ['ask-person'])]),
  row('consulting', LOST, 'director', [
    move('ladder-at-person', 'asking', ['ask-person']),
    move('no-expert-fits', 'asking', ['ask-person']),
    move('always', 'stay', ['dispatch-expert']),
  ]),
  row('asking', 'ANSWERED', 'person', [move('always', 'resume', ['deliver-answer'])]),
  row('asking', 'WAIT_ENDED', 'director', [
    move('has-fallback', 'resume', ['deliver-answer']),
    move('always', 'stay', ['ask-person']),
  ]),
  row('file-waiting', 'FILE_FREE', 'director', [move('always', 'resume')]),
  row('file-waiting', 'WAIT_ENDED', 'director', [move('always', 'resume', ['coordinate-file'])]),
  row('awaiting-repair', 'REPAIRED', 'director', [move('always', 'resume')]),
]

const RETRY_REPAIR: readonly Move[] = [
  move('attempts-spent', 'repair-escalated', ['ask-person']),
  move('always', 'remediating', ['dispatch-remediator']),
]

const REPAIR: readonly Row[] = [
  row('remediating', 'REMEDIATION_COMPLETE', 'remediator', [
    move('always', 'health-check', ['dispatch-health-auditor']),
  ]),
  row('remediating', [...ASK, 'BLOCKED'], 'remediator', [askFromHere()]),
  row('remediating', 'EXPERT_REQUEST', 'remediator', consult(askFromHere())),
  row('remediating', 'FILE CONFLICT', 'remediator', [
    askFromHere('conflicts-spent'),
    ...FILE_CONFLICT.slice(1),
  ]),
  row('remediating', LOST, 'director', RETRY_REPAIR),
  row('health-check', 'HEALTH_AUDIT: HEALTHY', 'health-auditor', [
    move('red-and-spent', 'repair-escalated', ['ask-person']),
    move('checks-red', 'remediating', ['dispatch-remediator']),
    move('repair-changed-code', 'repair-landing', ['enqueue-integration']),
    move('always', 'resume', ['release-new-work']),
  ]),
  // What was audited does not have the repair: its developer takes it in and hands the work in again.
  row('repair-landing', 'LANDED', 'director', [
    { ...move('audit-interrupted', 'developing', ['release-new-work', 'dispatch-developer']), drops: true },
    move('always', 'resume', ['release-new-work']),
  ]),
  row('repair-landing', 'LANDING_FAILED', 'director', RETRY_REPAIR),
  row('health-check', 'HEALTH_AUDIT: UNHEALTHY', 'health-auditor', RETRY_REPAIR),
  row('health-check', ASK, 'health-auditor', [askFromHere()]),
  row('health-check', 'EXPERT_REQUEST', 'health-auditor', consult(askFromHere())),
  row('health-check', LOST, 'director', lostAt('dispatch-health-auditor')),
  row(['repair-escalated', 'halted'], 'RETRY', 'person', [
    move('always', 'remediating', ['dispatch-remediator']),
  ]),
  row(['repair-escalated', 'halted'], 'OVERRIDE', 'person', [move('always', 'resume', ['release-new-work'])]),
  row('repair-escalated', 'HALT', 'person', [move('always', 'halted', ['pause-project'])]),
]

/**
 * Said by whoever is at work, when it is asked for a sign, without moving anything. Whoever works without a lease is
 * waited for with a deadline of its own already.
 */
const REMARKS: readonly Row[] = Object.entries(WORK).flatMap(([state, { role, stage }]) => {
  const at = state as DeliveryStateName
  if (stage === null) return []
  return [
    row(at, ['CHECKPOINT', 'PROGRESS'], role, [move('always', 'stay', ['record-progress'], KEEPS)]),
    row(at, 'CHECKPOINT_ASKED', 'director', [move('always', 'stay', ['request-checkpoint'], KEEPS)]),
    row(at, 'SIGN_SEEN', 'director', [move('always', 'stay', ['record-progress'], KEEPS)]),
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

/** What a word of this sender does in this state; nothing where the pair is not defined. */
export function movesFor(
  state: DeliveryStateName,
  signal: DeliverySignal,
  sender: Sender,
): readonly Move[] | undefined {
  const definition = definitionOf(signal)
  if (definition !== undefined && (sender === 'person' || !allows(definition, sender))) return undefined
  return TABLE.get(keyOf(state, signal, sender)) ?? TABLE.get(keyOf(state, lineOf(signal), sender))
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
