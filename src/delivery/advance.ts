import { createHash } from 'node:crypto'
import type { Instant } from '../cases/case.ts'
import { checkpointWait, type DeliveryContext, expertFor, judge, waitFor } from './delivery-context.ts'
import { type DeliveryState, type DeliveryStateName, newDelivery, withVerdict } from './delivery-state.ts'
import type { Move } from './delivery-table.ts'
import { TRAITS } from './delivery-traits.ts'
import { lineOf, type Occurrence } from './occurrence.ts'
import type { ReviewFinding } from './review-contract.ts'
import { notesOf } from './take-notes.ts'

export interface Advanced {
  readonly delivery: DeliveryState
  /** Every finding, the new ones last; the blob that `delivery.findings` names holds exactly this. */
  readonly findings: readonly ReviewFinding[]
}

/** Findings kept for the developer; the oldest, which were answered longest ago, are dropped first. */
const FINDINGS_MAX = 400
/** Enough to keep all requests of one task distinct. */
const REQUEST_MARK_CHARACTERS = 12
const REWORK_SIGNALS: readonly string[] = [
  'REVIEW_FAILED',
  'AUDIT_FAILED',
  'LANDING_FAILED',
  'CHANGES_REQUESTED',
]
const STOPS: readonly string[] = ['TASK_INCOMPLETE', 'SEEKING_DIVINE_CLARIFICATION']

export function isRemark({ flags }: Move): boolean {
  return flags.includes('remarks')
}

/** The state after a move: where it is, what it waits for, and everything that is counted. */
export function advance(
  before: DeliveryState,
  move: Move,
  occurrence: Occurrence,
  context: DeliveryContext,
  now: Instant,
): Advanced {
  if (move.flags.includes('asks-for-sign'))
    return { delivery: { ...before, wait: checkpointWait(now) }, findings: context.findings }
  if (isRemark(move)) return { delivery: afterRemark(before, now), findings: context.findings }
  const placed = place(before, move)
  const findings = gather(before, placed, move, occurrence, context)
  const counted = count(before, placed, move, occurrence, context)
  const delivery: DeliveryState = {
    ...counted,
    ...commits(before, placed, occurrence),
    repairCommit: repairCommit(before, placed.state, occurrence),
    ...placed,
    // A decision about a claim may be made without reading the blob.
    findings: findings === context.findings ? before.findings : digestOf(findings),
    request: requestAfter(before, placed.state, occurrence, context),
    file: placed.state === 'file-waiting' ? fileOf(occurrence) : null,
    wait: waitFor(placed.state, now, context),
    hadStop: before.hadStop || STOPS.includes(lineOf(occurrence.signal)),
  }
  const { id, signal, sender, agent, commit } = occurrence
  return { delivery: withVerdict(delivery, { id, signal, sender, agent, commit, at: now }), findings }
}

/** The exact content of the blob. */
export function findingsText(findings: readonly ReviewFinding[]): string {
  return JSON.stringify(findings)
}

export function digestOf(findings: readonly ReviewFinding[]): string {
  return createHash('sha256').update(findingsText(findings)).digest('hex')
}

/** An agent that gave the sign it was asked for is no longer waited for. */
function afterRemark(before: DeliveryState, now: Instant): DeliveryState {
  if (before.wait?.kind !== 'checkpoint') return before
  return { ...before, wait: waitFor(before.state, now, { fallback: null }) }
}

function place(before: DeliveryState, move: Move): Pick<DeliveryState, 'state' | 'resume'> {
  if (move.to === 'stay') return { state: before.state, resume: before.resume }
  if (move.to === 'resume')
    return { state: before.resume.at(-1) ?? 'queued', resume: before.resume.slice(0, -1) }
  if (move.drops) return { state: move.to, resume: before.resume.slice(0, -1) }
  if (move.back === undefined) return { state: move.to, resume: before.resume }
  return { state: move.to, resume: [...before.resume, move.back === 'here' ? before.state : move.back] }
}

function gather(
  before: DeliveryState,
  placed: Pick<DeliveryState, 'state' | 'resume'>,
  move: Move,
  occurrence: Occurrence,
  context: DeliveryContext,
): readonly ReviewFinding[] {
  const notes = notesOf({ before, placed, move, occurrence, context })
  const found = findingsOf(before, move, occurrence, context)
  if (notes.length + found.length === 0) return context.findings
  return [...context.findings, ...found, ...notes].slice(-FINDINGS_MAX)
}

function findingsOf(
  before: DeliveryState,
  move: Move,
  occurrence: Occurrence,
  context: DeliveryContext,
): readonly ReviewFinding[] {
  if (!REWORK_SIGNALS.includes(occurrence.signal) || move.to === 'stay') return []
  if (before.state === 'repair-landing') return []
  const { blocking } = judge(before, occurrence, context)
  const told: ReviewFinding[] =
    occurrence.text === null
      ? []
      : [
          {
            text: occurrence.text,
            file: null,
            line: null,
            criterion: null,
            by: occurrence.agent,
            commit: before.commit,
          },
        ]
  return [...blocking, ...told]
}

const LOST: readonly string[] = ['AGENT_LOST', 'WAIT_ENDED']

function count(
  before: DeliveryState,
  { state }: Pick<DeliveryState, 'state'>,
  move: Move,
  occurrence: Occurrence,
  context: DeliveryContext,
): DeliveryState {
  const { signal, sender } = occurrence
  const one = (isCounted: boolean) => (isCounted ? 1 : 0)
  const fresh = startsAnew(before, occurrence)
  const isUnproven = isAuditorsFault(before, move, occurrence, context)
  const isRefused = REWORK_SIGNALS.includes(signal) && !isUnproven && move.when !== 'nothing-blocks'
  const isFruitless = ['commit-unchanged', 'untestable', 'no-expert-fits', 'fruitless-for-good'].includes(
    move.when,
  )
  const { rounds } = fresh
  return {
    ...fresh,
    rounds: {
      review: rounds.review + one(isRefused && signal === 'REVIEW_FAILED'),
      audit: rounds.audit + one(isRefused && signal === 'AUDIT_FAILED'),
      landing: rounds.landing + one(signal === 'LANDING_FAILED' && before.state === 'integrating'),
      person: rounds.person + one(signal === 'CHANGES_REQUESTED'),
    },
    ownTries: fresh.ownTries + one((isRefused && sender !== 'person') || isFruitless),
    expertTries: fresh.expertTries + one(move.flags.includes('counts-expert')),
    auditorFaults: state === 'developing' ? 0 : fresh.auditorFaults + one(isUnproven),
    losses: state === before.state && LOST.includes(signal) ? fresh.losses + 1 : 0,
    fileConflicts: fresh.fileConflicts + one(signal === 'FILE CONFLICT'),
    repairAttempts: repairAttempts(fresh, state, move),
  }
}

/** A person's retry resets all counters; a person's answer resets the ladder, but not the rounds. */
function startsAnew(before: DeliveryState, { signal, sender }: Occurrence): DeliveryState {
  if (signal === 'RETRY' && before.state === 'failed' && sender === 'person') {
    const { findings, verdicts, hadStop, refusedCommit } = before
    return { ...newDelivery(), findings, verdicts, hadStop, refusedCommit }
  }
  if (signal === 'RETRY') return { ...before, repairAttempts: 0 }
  if (signal === 'ANSWERED') return { ...before, ownTries: 0, expertTries: 0, auditorFaults: 0 }
  return before
}

function isAuditorsFault(
  before: DeliveryState,
  move: Move,
  occurrence: Occurrence,
  context: DeliveryContext,
): boolean {
  if (move.when.startsWith('unproven')) return true
  return occurrence.signal === 'AUDIT_FAILED' && judge(before, occurrence, context).blocking.length === 0
}

function repairAttempts(before: DeliveryState, state: DeliveryStateName, move: Move): number {
  if (move.flags.includes('counts-repair')) return before.repairAttempts + 1
  const { isRepair, waitsFor } = TRAITS[state]
  return isRepair || waitsFor !== null ? before.repairAttempts : 0
}

/**
 * A new commit comes under review; a rejected one is remembered, so that it is not accepted again unchanged.
 */
function commits(
  before: DeliveryState,
  placed: Pick<DeliveryState, 'state' | 'resume'>,
  { signal, commit }: Occurrence,
): Pick<DeliveryState, 'commit' | 'refusedCommit'> {
  if (placed.state === 'critique' && before.state === 'developing') return { commit, refusedCommit: null }
  if (before.state === 'repair-landing' && placed.state === 'developing')
    return { commit: null, refusedCommit: before.commit }
  if (REWORK_SIGNALS.includes(signal) && isSentBack(placed))
    return { commit: null, refusedCommit: before.commit }
  return { commit: before.commit, refusedCommit: before.refusedCommit }
}

/** The remediator's commit, while it is being judged and landed. */
function repairCommit(
  before: DeliveryState,
  state: DeliveryStateName,
  { signal, commit }: Occurrence,
): string | null {
  if (signal === 'REMEDIATION_COMPLETE') return commit
  const { judgesRepair, waitsFor } = TRAITS[state]
  return judgesRepair || waitsFor !== null ? before.repairCommit : null
}

function isSentBack({ state, resume }: Pick<DeliveryState, 'state' | 'resume'>): boolean {
  return state === 'developing' || state === 'failed' || resume.at(-1) === 'developing'
}

const PATH_CHARACTERS_MAX = 400
const AGENT_ID = /^[a-z][a-z0-9-]{0,78}$/

function fileOf({ said, payload }: Occurrence): DeliveryState['file'] {
  const path = (said?.payload ?? payload ?? '').slice(0, PATH_CHARACTERS_MAX)
  const holder = said?.name === 'FILE CONFLICT' ? said.body?.assignedTo?.trim() : undefined
  return { path, holder: holder !== undefined && AGENT_ID.test(holder) ? holder : null }
}

function requestAfter(
  before: DeliveryState,
  state: DeliveryStateName,
  occurrence: Occurrence,
  context: DeliveryContext,
): DeliveryState['request'] {
  if (state !== 'consulting') return null
  const expert = expertFor(before, occurrence, context)
  const mark = createHash('sha256').update(occurrence.id).digest('hex').slice(0, REQUEST_MARK_CHARACTERS)
  return expert ? { id: `${context.task.id}-${mark}`, expert: expert.name } : before.request
}
