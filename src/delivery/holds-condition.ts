import { taskMetadata } from '../cases/metadata.ts'
import {
  criteriaOf,
  type DeliveryContext,
  expertFor,
  FILE_CONFLICTS_MAX,
  judge,
  LANDING_ROUNDS_MAX,
  LOSSES_MAX,
} from './delivery-context.ts'
import type { DeliveryState } from './delivery-state.ts'
import type { Condition } from './delivery-table.ts'
import { isUnderspecified, nextStep } from './escalation.ts'
import type { Occurrence } from './occurrence.ts'
import { criteriaWithoutEvidence } from './review-contract.ts'
import { personsPart } from './review-mode.ts'

interface Scene {
  readonly delivery: DeliveryState
  readonly occurrence: Occurrence
  readonly context: DeliveryContext
}

const HOLDS: Readonly<Record<Condition, (scene: Scene) => boolean>> = {
  always: () => true,
  'commit-unchanged': isUnchanged,
  'fruitless-for-good': (scene) =>
    (isUnchanged(scene) || isUntestable(scene)) && stepAfterTry(scene, false) === 'person',
  'nothing-blocks': (scene) => !hasBlocking(scene),
  'rounds-spent': areRoundsSpent,
  'ladder-at-expert': (scene) => stepAfterTry(scene, hasExpert(scene)) === 'expert',
  'ladder-at-person': isLadderAtPerson,
  'no-expert-fits': (scene) => !hasExpert(scene),
  'unproven-first': isUnproven,
  'unproven-again': (scene) => isUnproven(scene) && scene.delivery.auditorFaults === 1,
  'unproven-for-good': (scene) => isUnproven(scene) && scene.delivery.auditorFaults > 1,
  'low-confidence': ({ occurrence: { said } }) =>
    said?.name === 'EXPANDED_TASK_SPECIFICATION' && said.body?.confidence === 'LOW',
  untestable: isUntestable,
  'losses-spent': ({ delivery }) => delivery.losses + 1 >= LOSSES_MAX,
  'conflicts-spent': ({ delivery }) => delivery.fileConflicts >= FILE_CONFLICTS_MAX,
  'can-wait': ({ occurrence: { said } }) => said?.name === 'FILE CONFLICT' && said.body?.canWait === 'YES',
  'repaired-elsewhere': ({ context }) =>
    context.repairLedBy !== null && context.repairLedBy !== context.task.id,
  'attempts-spent': areAttemptsSpent,
  'checks-red': ({ context }) => !context.checksGreen,
  'red-and-spent': (scene) => !scene.context.checksGreen && areAttemptsSpent(scene),
  'repair-changed-code': ({ delivery }) => delivery.repairCommit !== null,
  'audit-interrupted': ({ delivery }) => delivery.resume.at(-1) === 'audit',
  'person-wanted': ({ delivery, context }) =>
    personsPart(context.task.tags ?? [], passageOf(delivery, context), context.limits) !== 'none',
  'has-fallback': ({ delivery }) => delivery.wait?.fallback != null,
}

export function holdsCondition(condition: Condition, scene: Scene): boolean {
  return HOLDS[condition](scene)
}

/** The analyst's specification, as acceptance criteria for the task. */
export function expandedCriteria({ said }: Occurrence): readonly string[] {
  if (said?.name !== 'EXPANDED_TASK_SPECIFICATION') return []
  return (said.body?.acceptanceCriteria ?? []).map(({ text }) => text)
}

function isUntestable({ occurrence }: Scene): boolean {
  return occurrence.signal === 'EXPANDED_TASK_SPECIFICATION' && isUnderspecified(expandedCriteria(occurrence))
}

/** Whether the rejected commit was submitted again. */
function isUnchanged({ delivery, occurrence }: Scene): boolean {
  return occurrence.commit !== null && occurrence.commit === delivery.refusedCommit
}

function hasBlocking({ delivery, occurrence, context }: Scene): boolean {
  return judge(delivery, occurrence, context).blocking.length > 0
}

function hasExpert({ delivery, occurrence, context }: Scene): boolean {
  return expertFor(delivery, occurrence, context) !== undefined
}

/** The next step of the ladder, with the try that just failed counted. */
function stepAfterTry({ delivery, context }: Scene, expertFits: boolean) {
  return nextStep({ ...delivery, ownTries: delivery.ownTries + 1 }, expertFits, context.limits)
}

/** An agent may ask an expert before its own tries are spent; only the number of requests is bounded. */
function isLadderAtPerson(scene: Scene): boolean {
  const { delivery, occurrence, context } = scene
  const isAsking = delivery.state === 'consulting' || occurrence.signal === 'EXPERT_REQUEST'
  if (isAsking && hasExpert(scene)) return delivery.expertTries >= context.limits.expertTries
  return stepAfterTry(scene, hasExpert(scene)) === 'person'
}

function areRoundsSpent({ delivery: { rounds }, occurrence, context: { limits } }: Scene): boolean {
  switch (occurrence.signal) {
    case 'REVIEW_FAILED':
      return rounds.review + 1 >= limits.reviewRounds
    case 'AUDIT_FAILED':
      return rounds.audit + 1 >= limits.auditRounds
    case 'LANDING_FAILED':
      return rounds.landing + 1 >= LANDING_ROUNDS_MAX
    default:
      return false
  }
}

/**
 * A passed audit without evidence for each criterion, a failed one without a finding that counts, or one whose
 * commands fail for AXIOM. A failed review without such a finding passes with notes; an audit cannot, for
 * nothing would then have shown the criteria.
 */
function isUnproven(scene: Scene): boolean {
  const { occurrence, context } = scene
  switch (occurrence.signal) {
    case 'AUDIT_PASSED': {
      const shown = occurrence.said?.name === 'AUDIT_PASSED' ? (occurrence.said.body?.criteria ?? []) : []
      return criteriaWithoutEvidence(criteriaOf(context), shown).length > 0
    }
    case 'AUDIT_FAILED':
      return !hasBlocking(scene)
    case 'REFUTED':
      return true
    default:
      return false
  }
}

function areAttemptsSpent({ delivery, context }: Scene): boolean {
  return delivery.repairAttempts >= context.limits.remediationAttempts
}

function passageOf({ hadStop }: DeliveryState, { task, checksGreen }: DeliveryContext) {
  const iterations = taskMetadata(task.metadata).execution?.iterations ?? 0
  return { iterations, checksGreen, hadStop }
}
