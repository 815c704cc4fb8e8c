import type { Case, CaseId, Instant } from '../cases/case.ts'
import { taskMetadata } from '../cases/metadata.ts'
import type { Role } from '../signals/definition.ts'
import type { DeliveryState, DeliveryStateName, Wait } from './delivery-state.ts'
import { WORK } from './delivery-table.ts'
import { TRAITS } from './delivery-traits.ts'
import { chooseExpert, type RegisteredExpert } from './escalation.ts'
import type { Occurrence } from './occurrence.ts'
import type { ChangedLines, Complaint, Judgement, ReviewFinding } from './review-contract.ts'
import { judgeComplaint } from './review-contract.ts'
import type { ReviewRules } from './review-mode.ts'

/** The part of the configuration that bounds delivery. */
export interface DeliveryLimits extends ReviewRules {
  readonly reviewRounds: number
  readonly auditRounds: number
  readonly remediationAttempts: number
  readonly ownTries: number
  readonly expertTries: number
}

/** Everything that a decision depends on besides the state and the signal, as values. */
export interface DeliveryContext {
  readonly task: Case
  readonly limits: DeliveryLimits
  readonly changedLines: ChangedLines
  /** Every finding so far, read from the blob that the state names. */
  readonly findings: readonly ReviewFinding[]
  readonly experts: readonly RegisteredExpert[]
  /** The task whose report is being repaired at this moment. */
  readonly repairLedBy: CaseId | null
  /** The result of AXIOM's own run of the required checks, where it ran them. */
  readonly checksGreen: boolean
  /** The parent of drafts made from findings that do not block. */
  readonly draftParent: CaseId | null
  /** The answer to this signal's question that applies if no person gives one. */
  readonly fallback: string | null
  /** A person has given a standing answer to this question before: there is no wait. */
  readonly isStanding?: boolean
  /** How long this signal's question waits for its answer; a day when absent. */
  readonly questionMs?: number
}

/** A change that cannot be merged or stays red after merging goes back this often. */
export const LANDING_ROUNDS_MAX = 3
export const LOSSES_MAX = 3
export const FILE_CONFLICTS_MAX = 5

const EXPERT_WAIT_MS = 30 * 60_000
const FILE_WAIT_MS = 10 * 60_000
const QUESTION_WAIT_MS = 24 * 60 * 60_000
const CHECKPOINT_WAIT_MS = 2 * 60_000

export function criteriaOf({ task }: DeliveryContext): readonly string[] {
  return taskMetadata(task.metadata).acceptanceCriteria ?? []
}

/** The judgement of a failed verdict under the review contract. */
export function judge(delivery: DeliveryState, occurrence: Occurrence, context: DeliveryContext): Judgement {
  return judgeComplaint(complaintOf(occurrence), {
    criteria: criteriaOf(context),
    changedLines: context.changedLines,
    by: occurrence.agent,
    commit: delivery.commit,
  })
}

const NOTHING_NAMED = 'The review failed the work and named nothing. Look at the change as a reviewer would.'
/** A longer text is in the log of the reviewer that said it. */
const UNREAD_CHARACTERS_MAX = 4_000

function complaintOf({ said }: Occurrence): Complaint {
  if (said?.name === 'REVIEW_FAILED') {
    const { issues = [], requiredFixes = [], notes = NOTHING_NAMED } = said.body ?? {}
    return { issues, requiredFixes, failedCriteria: [], unread: notes.slice(0, UNREAD_CHARACTERS_MAX) }
  }
  if (said?.name === 'AUDIT_FAILED') {
    const { issues = [], requiredFixes = [], failedCriteria = [] } = said.body ?? {}
    return { issues, requiredFixes, failedCriteria }
  }
  return { issues: [], requiredFixes: [], failedCriteria: [] }
}

/** The expert for this signal: asked for by name, or matched by the text of the signal and the findings. */
export function expertFor(
  delivery: DeliveryState,
  occurrence: Occurrence,
  context: DeliveryContext,
): RegisteredExpert | undefined {
  const body = occurrence.said?.name === 'EXPERT_REQUEST' ? occurrence.said.body : null
  const asking = delivery.state === 'consulting' ? delivery.resume.at(-1) : delivery.state
  return chooseExpert(context.experts, {
    task: context.task.id,
    role: roleAsking(asking, occurrence),
    named: body?.targetAgent ?? delivery.request?.expert ?? null,
    text: [
      body?.prompt ?? '',
      occurrence.text ?? '',
      ...judge(delivery, occurrence, context).blocking.map(({ text }) => text),
      ...context.findings.filter(({ kind }) => kind === undefined).map(({ text }) => text),
    ].join('\n'),
  })
}

/** Findings of any role go to the developer, so an expert answers the developer's question. */
function roleAsking(asking: DeliveryStateName | undefined, { signal, sender }: Occurrence): Role {
  if (signal === 'EXPERT_REQUEST' && sender !== 'person') return sender
  if (signal !== 'AGENT_LOST' && signal !== 'WAIT_ENDED') return 'developer'
  return (asking && WORK[asking]?.role) ?? 'developer'
}

export function waitFor(
  state: DeliveryStateName,
  now: Instant,
  {
    fallback,
    isStanding = false,
    questionMs = QUESTION_WAIT_MS,
  }: Pick<DeliveryContext, 'fallback' | 'isStanding' | 'questionMs'>,
): Wait | null {
  const kind = TRAITS[state].waitsFor
  switch (kind) {
    case 'expert':
      return { kind, until: after(now, EXPERT_WAIT_MS), fallback: null }
    case 'question':
      return { kind, until: after(now, isStanding ? 0 : questionMs), fallback }
    case 'file':
      return { kind, until: after(now, FILE_WAIT_MS), fallback: null }
    case null:
      return null
  }
}

export function checkpointWait(now: Instant): Wait {
  return { kind: 'checkpoint', until: after(now, CHECKPOINT_WAIT_MS), fallback: null }
}

function after(now: Instant, ms: number): Instant {
  return new Date(Date.parse(now) + ms).toISOString()
}
