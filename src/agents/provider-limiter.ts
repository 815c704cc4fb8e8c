import type { DriverState } from './choose-driver.ts'
import { chooseWait } from './choose-wait.ts'

/** The outcome of one agent's requests to a provider. */
export type ProviderOutcome =
  /** It answered: the service works, even if the answer was an error. */
  | { readonly kind: 'answered' }
  /** The quota is spent, or the service is overloaded or unreachable. */
  | { readonly kind: 'refused'; readonly resetAtMs?: number | undefined }
  /** The agent ended without any evidence about the service. */
  | { readonly kind: 'unknown' }

/** The right to start one agent; its outcome is reported with it. */
export interface Permit {
  readonly provider: string
  /** The number of refusals before it was issued: outcomes of an older epoch bring no news. */
  readonly epoch: number
  readonly atMs: number
}

export type Permission =
  | { readonly kind: 'start'; readonly permit: Permit }
  /** Not yet, but within seconds: starts are spread, or another agent is just trying the service. */
  | { readonly kind: 'soon'; readonly atMs: number }
  /** No agent uses the provider until then. */
  | { readonly kind: 'closed'; readonly untilMs: number }

/** This many agents may start at once; after them, one per interval. */
const STARTS_AT_ONCE = 6
const START_EVERY_MS = 250
/** When to ask again after the answer "soon". */
const ASK_AGAIN_MS = 500
/** An agent without an outcome for this long no longer counts as unanswered. */
const UNANSWERED_MAX_MS = 120_000
/** Upper bound of unanswered starts; a larger window would limit nothing. */
const WINDOW_MAX = 64
/** Quotas return within a week; a later reset is an error in the provider's message. */
const RESET_MAX_MS = 8 * 24 * 60 * 60_000

interface Provider {
  /** No agent starts before this time. */
  readonly closedUntilMs: number
  readonly epoch: number
  readonly refusalsInRow: number
  /** How many agents may be unanswered at the same time; one after a refusal, doubled by each answer. */
  readonly window: number
  readonly unanswered: readonly Permit[]
  /** When the next start is due if all were evenly spread. */
  readonly dueMs: number
}

const FRESH: Provider = {
  closedUntilMs: 0,
  epoch: 0,
  refusalsInRow: 0,
  window: WINDOW_MAX,
  unanswered: [],
  dueMs: 0,
}

/**
 * Shared by all agents of an orchestrator. When a provider refuses one of them, all pause for a doubling,
 * jittered time; then a single one tries; when it is answered, two may, then four. Only decides: it starts
 * nothing and has no clock.
 */
export class ProviderLimiter {
  readonly #providers = new Map<string, Provider>()
  readonly #random: () => number

  /** `random` returns numbers from 0 up to, not including, 1. */
  constructor(random: () => number) {
    this.#random = random
  }

  mayStart(provider: string, nowMs: number): Permission {
    const known = this.#of(provider)
    if (known.closedUntilMs > nowMs) return { kind: 'closed', untilMs: known.closedUntilMs }
    const unanswered = known.unanswered.filter(({ atMs }) => nowMs - atMs < UNANSWERED_MAX_MS)
    if (known.window < WINDOW_MAX && unanswered.length >= known.window)
      return { kind: 'soon', atMs: nowMs + ASK_AGAIN_MS }
    const dueMs = Math.max(known.dueMs, nowMs)
    const earliestMs = dueMs - (STARTS_AT_ONCE - 1) * START_EVERY_MS
    if (earliestMs > nowMs) return { kind: 'soon', atMs: earliestMs }
    const permit: Permit = { provider, epoch: known.epoch, atMs: nowMs }
    this.#providers.set(provider, {
      ...known,
      unanswered: [...unanswered, permit],
      dueMs: dueMs + START_EVERY_MS,
    })
    return { kind: 'start', permit }
  }

  /** May be called more than once for one permit, as soon as something is known. */
  report(permit: Permit, outcome: ProviderOutcome, nowMs: number): void {
    const before = this.#of(permit.provider)
    const isNews = permit.epoch === before.epoch
    const isFirst = before.unanswered.includes(permit)
    const known = { ...before, unanswered: before.unanswered.filter((other) => other !== permit) }
    this.#providers.set(permit.provider, known)
    if (outcome.kind === 'answered' && isNews && isFirst) {
      const window = Math.min(WINDOW_MAX, known.window * 2)
      this.#providers.set(permit.provider, { ...known, window, refusalsInRow: 0, closedUntilMs: 0 })
    }
    if (outcome.kind === 'refused') this.#close(permit.provider, known, isNews, outcome.resetAtMs, nowMs)
  }

  /** The state of a provider, for `chooseDriver`. */
  stateOf(provider: string, nowMs: number): DriverState {
    const { closedUntilMs } = this.#of(provider)
    return closedUntilMs > nowMs ? { kind: 'spent', resetAtMs: closedUntilMs } : { kind: 'ready' }
  }

  /** Refusals of one wave count once: all agents that ran at the first refusal get the same answer. */
  #close(
    provider: string,
    known: Provider,
    isNews: boolean,
    resetAtMs: number | undefined,
    nowMs: number,
  ): void {
    const reset = resetAtMs !== undefined && resetAtMs <= nowMs + RESET_MAX_MS ? resetAtMs : undefined
    if (!isNews && (reset === undefined || reset <= known.closedUntilMs)) return
    const refusalsInRow = known.refusalsInRow + (isNews ? 1 : 0)
    const closedUntilMs = chooseWait({
      attempt: Math.max(1, refusalsInRow),
      nowMs,
      resetAtMs: reset,
      random: this.#random(),
    })
    const epoch = known.epoch + (isNews ? 1 : 0)
    this.#providers.set(provider, { ...known, closedUntilMs, refusalsInRow, epoch, window: 1 })
  }

  #of(provider: string): Provider {
    return this.#providers.get(provider) ?? FRESH
  }
}
