import type { Instant, Stage, Status } from '../cases/case.ts'
import type { CaseCommand } from '../cases/command.ts'
import type { Role } from '../signals/definition.ts'
import type { Signal } from '../signals/finding.ts'
import { advance, isRemark } from './advance.ts'
import { type DeliveryContext, judge } from './delivery-context.ts'
import { DELIVERY_KEY, type DeliveryState, statusOf } from './delivery-state.ts'
import {
  type EffectKind,
  type Move,
  movesFor,
  STAGE_OF_ROLE,
  WORK,
  type Workspace,
} from './delivery-table.ts'
import { expandedCriteria, holdsCondition } from './holds-condition.ts'
import { draftCommands, questionCommand } from './new-cases.ts'
import type { Occurrence } from './occurrence.ts'
import type { ReviewFinding } from './review-contract.ts'

export type RefusalReason =
  | 'undefined-here'
  | 'foreign-task'
  | 'stale-fence'
  | 'foreign-commit'
  | 'foreign-request'
  | 'duplicate'
  | 'not-yet'

/** Something for the director to do, once the commands are committed. Dispatches say who, where and under which lease. */
export interface DeliveryEffect {
  readonly kind: EffectKind
  readonly task: string
  readonly role: Role | null
  /** The lease that the agent to be sent claims before it starts; a developer in rework still has it. */
  readonly stage: Stage | null
  readonly workspace: Workspace
  readonly commit: string | null
  readonly request: DeliveryState['request']
  /** What led to it, for the prompt or the screen: the agent's signal, or the words of person and director. */
  readonly said: Signal | null
  readonly text: string | null
}

export type DeliveryDecision =
  | {
      readonly kind: 'moved'
      readonly delivery: DeliveryState
      /** To be kept as the blob that `delivery.findings` names, before the commands are committed. */
      readonly findings: readonly ReviewFinding[]
      readonly commands: readonly CaseCommand[]
      readonly effects: readonly DeliveryEffect[]
    }
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly message: string }

/** Words about a commit count only for the one under review. */
const ABOUT_A_COMMIT: readonly string[] = [
  'REVIEW_PASSED',
  'REVIEW_FAILED',
  'AUDIT_PASSED',
  'AUDIT_FAILED',
  'CONFIRMED',
  'REFUTED',
  'APPROVED',
  'CHANGES_REQUESTED',
  'LANDED',
  'LANDING_FAILED',
]
const HANDS_IN: readonly string[] = ['READY_FOR_REVIEW', 'COMPLETE']
const NO_LEASE_NEEDED: readonly string[] = ['expert', 'director', 'person']

/**
 * What one word does to a task in delivery. Pure: the director commits the commands in one batch and then carries
 * out the effects. A word that is late, doubled, out of order or about something else changes nothing.
 */
export function decideDelivery(
  delivery: DeliveryState,
  occurrence: Occurrence,
  context: DeliveryContext,
  now: Instant,
): DeliveryDecision {
  const moves = movesFor(delivery.state, occurrence.signal, occurrence.sender)
  if (moves === undefined) return refuse('undefined-here', delivery, occurrence)
  const fault = faultOf(delivery, occurrence, context, now)
  if (fault !== undefined) return refuse(fault, delivery, occurrence)
  const scene = { delivery, occurrence, context }
  const move = moves.find(({ when }) => holdsCondition(when, scene))
  if (move === undefined) return refuse('undefined-here', delivery, occurrence)
  const advanced = advance(delivery, move, occurrence, context, now)
  const after = advanced.delivery
  return {
    kind: 'moved',
    ...advanced,
    commands: commandsOf(delivery, after, move, occurrence, { ...context, findings: advanced.findings }),
    effects: effectsOf(delivery, after, move, occurrence, context),
  }
}

function refuse(
  reason: RefusalReason,
  { state }: DeliveryState,
  { signal, sender, agent }: Occurrence,
): DeliveryDecision {
  return { kind: 'refused', reason, message: `${signal} of ${agent} (${sender}) in ${state}: ${reason}` }
}

function faultOf(
  delivery: DeliveryState,
  occurrence: Occurrence,
  context: DeliveryContext,
  now: Instant,
): RefusalReason | undefined {
  const { id, signal, sender, task, fence, commit } = occurrence
  if (task !== null && task !== context.task.id) return 'foreign-task'
  if (delivery.verdicts.some((verdict) => verdict.id === id)) return 'duplicate'
  const stage = STAGE_OF_ROLE[sender]
  const lease = stage && context.task.leases?.[stage]
  if (!NO_LEASE_NEEDED.includes(sender) && (fence === null || lease?.fence !== fence)) return 'stale-fence'
  if (signal === 'CLAIMED' && context.task.leases?.develop === undefined) return 'not-yet'
  if (sender === 'expert' && !answersRequest(delivery, occurrence)) return 'foreign-request'
  const judged = delivery.state === 'repair-landing' ? delivery.repairCommit : delivery.commit
  if (ABOUT_A_COMMIT.includes(signal) && (commit === null || commit !== judged)) return 'foreign-commit'
  if (HANDS_IN.includes(signal) && commit === null) return 'foreign-commit'
  if (signal === 'WAIT_ENDED' && (delivery.wait === null || delivery.wait.until > now)) return 'not-yet'
  return undefined
}

/** An expert holds no lease: it counts by the request it was sent with, which its answer must name. */
function answersRequest({ request }: DeliveryState, occurrence: Occurrence): boolean {
  if (request === null || occurrence.request !== request.id) return false
  return !occurrence.signal.startsWith('EXPERT_') || occurrence.payload === request.id
}

/** Enough to tell in a history why something happened. */
const REASON_CHARACTERS_MAX = 200

/** Statuses in which leases outlive a move; every other one ends them all. */
const LEASES_STAY: readonly Status[] = ['active', 'review']

function commandsOf(
  before: DeliveryState,
  after: DeliveryState,
  move: Move,
  occurrence: Occurrence,
  context: DeliveryContext,
): CaseCommand[] {
  if (after === before) return []
  const { task } = context
  const under = occurrence.fence === null ? {} : { fence: occurrence.fence }
  const why =
    occurrence.text === null
      ? ''
      : ` (${occurrence.text.trim().split('\n')[0]?.slice(0, REASON_CHARACTERS_MAX)})`
  const reason = `${occurrence.signal} by ${occurrence.agent}: ${before.state} → ${after.state}${why}`
  const metadata = { [DELIVERY_KEY]: after, ...specification(after, occurrence) }
  const commands: CaseCommand[] = [{ kind: 'update', id: task.id, metadata, reason, ...under }]
  if (isRemark(move)) return commands
  const status = statusOf(after.state, after.resume)
  const hasMoved = task.status !== status
  if (hasMoved && occurrence.signal === 'AGENT_LOST' && before.state === 'developing')
    commands.push({ kind: 'recover', id: task.id, reason, holderDead: true })
  else if (hasMoved) commands.push({ kind: 'move', id: task.id, status, reason, ...under })
  const stage = WORK[before.state]?.stage
  const lease = stage && task.leases?.[stage]
  if (move.frees && stage && lease && stage !== 'develop' && (!hasMoved || LEASES_STAY.includes(status)))
    commands.push({ kind: 'release', id: task.id, stage, fence: lease.fence, reason })
  return [...commands, ...newCases(before, after, move, occurrence, context)]
}

function specification({ state }: DeliveryState, occurrence: Occurrence): Record<string, unknown> {
  const { said } = occurrence
  if (said?.name !== 'EXPANDED_TASK_SPECIFICATION' || state !== 'queued') return {}
  const files = said.body?.targetFiles ?? []
  return {
    acceptanceCriteria: expandedCriteria(occurrence),
    ...(files.length > 0 ? { fileHints: files } : {}),
  }
}

function newCases(
  before: DeliveryState,
  after: DeliveryState,
  move: Move,
  occurrence: Occurrence,
  context: DeliveryContext,
): CaseCommand[] {
  const isAsked = move.effects.some((kind) => kind === 'ask-person' || kind === 'raise-escalation')
  const isReminder = before.state === 'asking'
  // A finding of an audit that proved nothing is no finding yet: the auditor is asked again.
  const aside = move.when.startsWith('unproven') ? [] : judge(before, occurrence, context).aside
  return [
    ...draftCommands(aside, context),
    ...(isAsked && !isReminder ? [questionCommand(after, occurrence, context)] : []),
  ]
}

/** What is judged and landed here is the repair, not the task's own work. */
const REPAIR_STATES: readonly DeliveryState['state'][] = ['health-check', 'repair-landing']

/** These reach the agent that spoke, in its next iteration. */
const TO_THE_SAME_AGENT: readonly EffectKind[] = ['ask-auditor-again', 'report-no-expert', 'coordinate-file']

function effectsOf(
  before: DeliveryState,
  after: DeliveryState,
  move: Move,
  occurrence: Occurrence,
  { task }: DeliveryContext,
): DeliveryEffect[] {
  const work = WORK[after.state]
  const resumed = move.to === 'resume' && work !== undefined ? [work.dispatch] : []
  return [...move.effects, ...resumed].map((kind) => {
    const isWork = work !== undefined && (kind === work.dispatch || TO_THE_SAME_AGENT.includes(kind))
    return {
      kind,
      task: task.id,
      role: isWork ? work.role : null,
      stage: isWork ? work.stage : null,
      workspace: isWork ? work.workspace : 'none',
      commit: REPAIR_STATES.includes(after.state) ? after.repairCommit : after.commit,
      request: after.request,
      said: occurrence.said,
      text: occurrence.text ?? (move.when === 'has-fallback' ? (before.wait?.fallback ?? null) : null),
    }
  })
}
