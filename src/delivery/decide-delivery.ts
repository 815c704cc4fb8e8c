import type { Instant, Status } from '../cases/case.ts'
import type { CaseCommand } from '../cases/command.ts'
import { advance, isRemark } from './advance.ts'
import { type DeliveryContext, judge } from './delivery-context.ts'
import { DELIVERY_KEY, type DeliveryState } from './delivery-state.ts'
import { type Move, movesFor, STAGE_OF_ROLE, WORK } from './delivery-table.ts'
import { statusOf } from './delivery-traits.ts'
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

export type DeliveryDecision =
  | {
      readonly kind: 'moved'
      readonly delivery: DeliveryState
      /** To be kept as the blob that `delivery.findings` names, before the commands are committed. */
      readonly findings: readonly ReviewFinding[]
      readonly commands: readonly CaseCommand[]
    }
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly message: string }

/** Signals about a commit count only for the commit under review. */
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
 * What one event does to a task in delivery. Pure: the commands are committed in one batch, and what is to be
 * done next follows from the state. An event that is late, repeated, out of order or about something else
 * changes nothing.
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

/** An expert holds no lease: its answer counts only if it names the request that it was sent with. */
function answersRequest({ request }: DeliveryState, occurrence: Occurrence): boolean {
  if (request === null || occurrence.request !== request.id) return false
  return !occurrence.signal.startsWith('EXPERT_') || occurrence.payload === request.id
}

/** Enough for a history entry to say why something happened. */
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
  const isAsked = move.flags.some((flag) => flag === 'asks-person' || flag === 'escalates')
  const isReminder = before.state === 'asking'
  // A finding of an unproven audit does not count yet: the auditor is asked again.
  const aside = move.when.startsWith('unproven') ? [] : judge(before, occurrence, context).aside
  return [
    ...draftCommands(aside, context),
    ...(isAsked && !isReminder ? [questionCommand(after, occurrence, context)] : []),
  ]
}
