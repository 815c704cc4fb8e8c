import type { Feedback } from '../personas/prompt-input.ts'
import type { Role } from '../signals/definition.ts'
import type { Signal } from '../signals/finding.ts'
import { answerSilence } from '../signals/recover-silence.ts'
import type { IterationEnd } from './iteration-result.ts'
import type { RunLimits } from './run-limits.ts'
import { type Wait, waitUntil } from './wait-until.ts'

/** How the run of an agent ends whose result is one signal: a verdict, a specification, advice. */
export type RoleEnd =
  | { readonly kind: 'spoke'; readonly signal: Signal }
  /** It brought no result; another agent has to be sent. */
  | {
      readonly kind: 'lost'
      readonly cause: 'crashed' | 'failed' | 'silent' | 'timed-out'
      readonly reason: string
    }
  | { readonly kind: 'stopped' }

export interface RoleTally {
  readonly role: Role
  readonly startedAtMs: number
  /** Time spent waiting for the model's service or for a person; it does not count against the limit. */
  readonly waitedMs: number
  readonly iterations: number
  readonly failuresInRow: number
  readonly waitsInRow: number
  /** Iterations in a row that ended without a readable signal. */
  readonly unknownSignals: number
}

export interface RoleResult {
  readonly end: IterationEnd
  readonly said: Signal | null
  /** Reasons not to accept the signal as it is: uncommitted files of a repair, for example. */
  readonly objections: readonly Feedback[]
}

export type RoleNext =
  | {
      readonly kind: 'iterate'
      readonly feedback: readonly Feedback[]
      readonly recovery?: string
      readonly warning?: string
    }
  | ({ readonly kind: 'wait'; readonly reason: string } & Wait)
  | { readonly kind: 'end'; readonly end: RoleEnd }

export interface RoleDecision {
  readonly next: RoleNext
  readonly tally: RoleTally
}

export function newRoleTally(role: Role, startedAtMs: number): RoleTally {
  return {
    role,
    startedAtMs,
    waitedMs: 0,
    iterations: 0,
    failuresInRow: 0,
    waitsInRow: 0,
    unknownSignals: 0,
  }
}

export function roleDeadlineMs({ startedAtMs, waitedMs }: RoleTally, { durationMaxMs }: RunLimits): number {
  return startedAtMs + waitedMs + durationMaxMs
}

/** What follows one iteration of an agent that owes a signal. Pure; `chance` (0 to 1) spreads the waits. */
export function decideRole(
  before: RoleTally,
  { end, said, objections }: RoleResult,
  limits: RunLimits,
  nowMs: number,
  chance: number,
): RoleDecision {
  if (end.kind === 'stopped') return { next: { kind: 'end', end: { kind: 'stopped' } }, tally: before }
  if (end.kind === 'rate-limited') return afterLimit(before, end, limits, nowMs, chance)
  const tally: RoleTally = {
    ...before,
    iterations: before.iterations + 1,
    waitsInRow: 0,
    failuresInRow: end.kind === 'failed' ? before.failuresInRow + 1 : 0,
  }
  if (end.kind === 'timed-out') return { next: lost('timed-out', 'its time was up'), tally }
  if (end.kind === 'crashed') return { next: lost('crashed', end.reason), tally }
  if (end.kind === 'failed') return bounded({ next: afterFailure(tally, end, limits), tally }, limits, nowMs)
  if (said !== null && objections.length === 0)
    return {
      next: { kind: 'end', end: { kind: 'spoke', signal: said } },
      tally: { ...tally, unknownSignals: 0 },
    }
  return bounded(afterSilence(tally, said === null ? [CHECKPOINT] : objections), limits, nowMs)
}

function lost(cause: Extract<RoleEnd, { kind: 'lost' }>['cause'], reason: string): RoleNext {
  return { kind: 'end', end: { kind: 'lost', cause, reason } }
}

function afterLimit(
  before: RoleTally,
  end: { readonly reason: string; readonly resetAtMs: number | undefined },
  limits: RunLimits,
  nowMs: number,
  chance: number,
): RoleDecision {
  const tally = { ...before, waitsInRow: before.waitsInRow + 1 }
  if (tally.waitsInRow > limits.waitsMax)
    return { next: lost('failed', `the model's service did not come back: ${end.reason}`), tally }
  const wait = waitUntil(tally.waitsInRow, end.resetAtMs, nowMs, chance)
  return { next: { kind: 'wait', ...wait, reason: end.reason }, tally }
}

function afterFailure(
  tally: RoleTally,
  end: { readonly reason: string; readonly needsPerson: boolean },
  limits: RunLimits,
): RoleNext {
  if (end.needsPerson || tally.failuresInRow > limits.retriesMax) return lost('failed', end.reason)
  return { kind: 'iterate', feedback: [], recovery: end.reason, warning: end.reason }
}

const CHECKPOINT: Feedback = {
  kind: 'finding',
  title: 'A checkpoint is asked of you',
  origin: 'the director',
  text: 'Nothing that you said could be understood as your verdict. Say how far you are, and if you are done, end with your verdict in exactly one of the forms given in your rules, at the beginning of a line.',
}

/** A signal that cannot be accepted counts like none: either is requested again twice. */
function afterSilence(tally: RoleTally, feedback: readonly Feedback[]): RoleDecision {
  const { role, unknownSignals, iterations } = tally
  const answer = answerSilence({ role, unknownBefore: unknownSignals, idleIterations: iterations })
  switch (answer.kind) {
    case 'iterate':
      return { next: { kind: 'iterate', feedback }, tally }
    case 'request-checkpoint': {
      const warning = `no verdict that could be taken, ${answer.unknownCount} in a row`
      return {
        next: { kind: 'iterate', feedback, warning },
        tally: { ...tally, unknownSignals: answer.unknownCount },
      }
    }
    case 'redispatch':
      return {
        next: lost('silent', 'the agent gave no verdict that could be taken, three times in a row'),
        tally: { ...tally, unknownSignals: answer.unknownCount },
      }
  }
}

/** Applies the limits, which only stop what would continue. */
function bounded({ next, tally }: RoleDecision, limits: RunLimits, nowMs: number): RoleDecision {
  const isSpent = tally.iterations >= limits.iterationsMax || nowMs >= roleDeadlineMs(tally, limits)
  if (next.kind !== 'iterate' || !isSpent) return { next, tally }
  return {
    next: lost('timed-out', `its limit of ${limits.iterationsMax} iterations or its time is reached`),
    tally,
  }
}
