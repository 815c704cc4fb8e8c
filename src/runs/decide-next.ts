import type { Feedback } from '../personas/prompt-input.ts'
import type { Role } from '../signals/definition.ts'
import type { Signal } from '../signals/finding.ts'
import { answerSilence } from '../signals/recover-silence.ts'
import { explainFault, type ProofOutcome } from '../verification/prove-completion.ts'
import { isRed } from '../verification/run-checks.ts'
import type { IterationResult } from './iteration-result.ts'
import type { RunLimits } from './run-limits.ts'
import type { HandedOver, Question } from './verdict.ts'
import { type Wait, waitUntil } from './wait-until.ts'

/** What a run carries from one iteration to the next. */
export interface RunTally {
  readonly role: Role
  readonly startedAtMs: number
  /** Time spent waiting for the model's service or for a person; it does not count against the limit. */
  readonly waitedMs: number
  /** Of this run; iterations that only waited are not counted. */
  readonly iterations: number
  /** Restarts of the task before this run. */
  readonly restarts: number
  readonly failuresInRow: number
  readonly waitsInRow: number
  readonly withoutCommit: number
  readonly silentInRow: number
  readonly unknownSignals: number
  readonly lastOutput: string
  readonly sameOutputs: number
}

export interface Warning {
  readonly kind: 'stuck' | 'loop' | 'silent' | 'failed-attempt'
  readonly message: string
}

/** What follows an iteration. */
export type Next =
  | {
      readonly kind: 'iterate'
      readonly feedback: readonly Feedback[]
      /** How the last attempt went wrong, for the next prompt. */
      readonly recovery?: string
      readonly warnings: readonly Warning[]
    }
  | ({ readonly kind: 'wait'; readonly reason: string } & Wait)
  | ({ readonly kind: 'deliver'; readonly proof: Extract<ProofOutcome, { kind: 'proven' }> } & HandedOver)
  | {
      readonly kind: 'block'
      readonly reason: string
      readonly warning?: Warning
      readonly signal?: Signal
    }
  | { readonly kind: 'ask'; readonly question: Question; readonly signal: Signal }
  | { readonly kind: 'refer'; readonly signal: Signal; readonly reason: string }
  | { readonly kind: 'fail'; readonly reason: string }
  | { readonly kind: 'time-out'; readonly reason: string }
  /** Back to pending for another agent, with one more restart counted. */
  | { readonly kind: 'restart'; readonly cause: 'crashed' | 'silent'; readonly reason: string }
  | { readonly kind: 'stop' }

export interface Decision {
  readonly next: Next
  readonly tally: RunTally
}

export function newTally(role: Role, startedAtMs: number, restarts: number): RunTally {
  return {
    role,
    startedAtMs,
    waitedMs: 0,
    iterations: 0,
    restarts,
    failuresInRow: 0,
    waitsInRow: 0,
    withoutCommit: 0,
    silentInRow: 0,
    unknownSignals: 0,
    lastOutput: '',
    sameOutputs: 0,
  }
}

/**
 * What follows one iteration. Pure: `chance` (0 to 1) spreads the waits of many runs, and is the only random
 * input. A step that ends the run is taken before the limits apply, so that a proof in the last minute
 * counts.
 */
export function decideNext(
  before: RunTally,
  result: IterationResult,
  limits: RunLimits,
  nowMs: number,
  chance: number,
): Decision {
  const { end } = result
  if (end.kind === 'stopped') return { next: { kind: 'stop' }, tally: before }
  if (end.kind === 'rate-limited') return decideWait(before, end, limits, nowMs, chance)
  const tally = count(before, result)
  if (end.kind === 'timed-out') return { next: timeOut(limits), tally }
  if (end.kind === 'crashed') return { next: restart(tally, limits, 'crashed', end.reason), tally }
  if (end.kind === 'failed')
    return { next: bounded(tally, afterFailure(tally, end, limits), limits, nowMs), tally }
  const { next, unknownSignals } = afterWords(tally, result, limits)
  const counted = { ...tally, unknownSignals }
  return { next: bounded(counted, next, limits, nowMs), tally: counted }
}

function decideWait(
  before: RunTally,
  end: { readonly reason: string; readonly resetAtMs: number | undefined },
  limits: RunLimits,
  nowMs: number,
  chance: number,
): Decision {
  const tally = { ...before, waitsInRow: before.waitsInRow + 1 }
  if (tally.waitsInRow > limits.waitsMax) {
    return {
      next: { kind: 'block', reason: `the model's service did not come back: ${end.reason}` },
      tally,
    }
  }
  const wait = waitUntil(tally.waitsInRow, end.resetAtMs, nowMs, chance)
  return { next: { kind: 'wait', ...wait, reason: end.reason }, tally }
}

function count(before: RunTally, { end, committed, signalled, outputDigest }: IterationResult): RunTally {
  const isSame = before.iterations > 0 && !committed && outputDigest === before.lastOutput
  const isSilent = !signalled && !committed
  return {
    ...before,
    iterations: before.iterations + 1,
    waitsInRow: 0,
    failuresInRow: end.kind === 'failed' ? before.failuresInRow + 1 : 0,
    withoutCommit: committed ? 0 : before.withoutCommit + 1,
    silentInRow: isSilent ? before.silentInRow + 1 : 0,
    unknownSignals: isSilent ? before.unknownSignals : 0,
    lastOutput: outputDigest,
    sameOutputs: isSame ? before.sameOutputs + 1 : 1,
  }
}

function afterFailure(
  tally: RunTally,
  end: { readonly reason: string; readonly needsPerson: boolean },
  limits: RunLimits,
): Next {
  if (end.needsPerson) return { kind: 'block', reason: end.reason }
  if (tally.failuresInRow > limits.retriesMax) return { kind: 'fail', reason: end.reason }
  const message = `attempt ${tally.failuresInRow} of ${limits.retriesMax + 1} failed: ${end.reason}`
  return { ...goOn(), recovery: end.reason, warnings: [{ kind: 'failed-attempt', message }] }
}

function afterWords(
  tally: RunTally,
  { verdict, gate }: IterationResult,
  limits: RunLimits,
): { next: Next; unknownSignals: number } {
  if (verdict === undefined) return afterSilence(tally, limits)
  const heard = { unknownSignals: 0 }
  switch (verdict.kind) {
    case 'complete':
      return { next: gate ? afterGate(gate, verdict) : goOn(), ...heard }
    case 'blocked':
      return { next: { kind: 'block', reason: verdict.reason, signal: verdict.signal }, ...heard }
    case 'question':
      return { next: { kind: 'ask', question: verdict.question, signal: verdict.signal }, ...heard }
    case 'referral':
      return { next: { kind: 'refer', signal: verdict.signal, reason: verdict.reason }, ...heard }
  }
}

function afterSilence(tally: RunTally, limits: RunLimits): { next: Next; unknownSignals: number } {
  const answer = answerSilence({
    role: tally.role,
    unknownBefore: tally.unknownSignals,
    idleIterations: tally.silentInRow,
  })
  switch (answer.kind) {
    case 'iterate':
      return { next: goOn(), unknownSignals: tally.unknownSignals }
    case 'request-checkpoint': {
      const message = `no signal and no commit, ${tally.silentInRow} iterations in a row`
      const next: Next = { ...goOn([CHECKPOINT]), warnings: [{ kind: 'silent', message }] }
      return { next, unknownSignals: answer.unknownCount }
    }
    case 'redispatch':
      return {
        next: restart(tally, limits, 'silent', 'the agent gave no signal that could be understood'),
        unknownSignals: answer.unknownCount,
      }
  }
}

const CHECKPOINT: Feedback = {
  kind: 'finding',
  title: 'A checkpoint is asked of you',
  origin: 'the director',
  text: 'Nothing that you said so far could be understood as a signal, and there is no commit. End with a signal in exactly one of the forms given in your rules: that you are done, that you are blocked, or how far you are.',
}

function afterGate(gate: ProofOutcome, { handover }: HandedOver): Next {
  switch (gate.kind) {
    case 'proven':
      return { kind: 'deliver', proof: gate, ...(handover ? { handover } : {}) }
    case 'refused':
      return goOn([finding('Your work could not be accepted', gate.faults.map(explainFault).join('\n'))])
    case 'set-up-failed':
      return goOn([output(`The set-up command fails on a fresh checkout: ${gate.command}`, gate.output)])
    case 'red':
      return goOn(
        gate.checks
          .filter(isRed)
          .map(({ name, environment, reason, feedback }) =>
            output(
              `The check "${name}"${environment ? ` (${environment})` : ''} is red. ${reason}`,
              feedback,
            ),
          ),
      )
  }
}

function finding(title: string, text: string): Feedback {
  return { kind: 'finding', title, origin: 'the proof of completion', text }
}

function output(title: string, text: string): Feedback {
  return { kind: 'output', title, origin: 'its output on a fresh checkout of your commit', text }
}

function goOn(feedback: readonly Feedback[] = []): Extract<Next, { kind: 'iterate' }> {
  return { kind: 'iterate', feedback, warnings: [] }
}

/** After a crash, or without a readable signal, another agent gets a chance; but not forever. */
function restart(tally: RunTally, limits: RunLimits, cause: 'crashed' | 'silent', reason: string): Next {
  if (tally.restarts < limits.retriesMax) return { kind: 'restart', cause, reason }
  return cause === 'crashed' ? { kind: 'fail', reason } : { kind: 'time-out', reason }
}

/** Applies the limits, which only stop what would continue. */
function bounded(tally: RunTally, next: Next, limits: RunLimits, nowMs: number): Next {
  if (next.kind !== 'iterate') return next
  if (tally.sameOutputs >= limits.sameOutputsMax) {
    const message = `the same output ${tally.sameOutputs} times in a row`
    return { kind: 'block', reason: message, warning: { kind: 'loop', message } }
  }
  if (tally.iterations >= limits.iterationsMax || isLate(tally, limits, nowMs)) return timeOut(limits)
  if (tally.withoutCommit === 0 || tally.withoutCommit % limits.stuckIterations !== 0) return next
  const message = `${tally.withoutCommit} iterations without a commit`
  return { ...next, warnings: [...next.warnings, { kind: 'stuck', message }] }
}

/** When the running iteration has to end. */
export function deadlineMs(tally: RunTally, limits: RunLimits): number {
  return tally.startedAtMs + tally.waitedMs + limits.durationMaxMs
}

function isLate(tally: RunTally, limits: RunLimits, nowMs: number): boolean {
  return nowMs >= deadlineMs(tally, limits)
}

function timeOut({ iterationsMax, durationMaxMs }: RunLimits): Next {
  const minutes = Math.round(durationMaxMs / 60_000)
  return {
    kind: 'time-out',
    reason: `the limit of ${iterationsMax} iterations or ${minutes} minutes is reached`,
  }
}
