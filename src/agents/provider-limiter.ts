import type { DriverState } from './choose-driver.ts'
import { chooseWait } from './choose-wait.ts'

/** What a provider said to one agent. */
export type ProviderOutcome =
  /** It answered: whatever came of it, the service works. */
  | { readonly kind: 'answered' }
  /** The quota is spent, the service overloaded or out of reach. */
  | { readonly kind: 'refused'; readonly resetAtMs?: number | undefined }
  /** The agent ended without a word about the service. */
  | { readonly kind: 'unknown' }

/** The right to start one agent; what becomes of it is reported with it. */
export interface Permit {
  readonly provider: string
  /** Refusals before it was given: one that comes later tells nothing new about them. */
  readonly epoch: number
  readonly atMs: number
}

export type Permission =
  | { readonly kind: 'start'; readonly permit: Permit }
  /** Not yet, but within seconds: starts are spread, or somebody else is just trying the service. */
  | { readonly kind: 'soon'; readonly atMs: number }
  /** The provider is left alone until then, by all. */
  | { readonly kind: 'closed'; readonly untilMs: number }

/** So many agents may start at once; after them one each so many milliseconds. */
const STARTS_AT_ONCE = 6
const START_EVERY_MS = 250
/** When somebody who was told "soon" may ask again. */
const ASK_AGAIN_MS = 500
/** Whoever has heard nothing for so long is no longer waited for. */
const UNANSWERED_MAX_MS = 120_000
/** Beyond so many unanswered starts there is nothing left to be careful about. */
const WINDOW_MAX = 64
/** Quotas return within a week; a time beyond it is a mistake of the provider's word. */
const RESET_MAX_MS = 8 * 24 * 60 * 60_000

interface Provider {
  /** Nobody asks it before. */
  readonly closedUntilMs: number
  readonly epoch: number
  readonly refusalsInRow: number
  /** How many may be without an answer at the same time; one after a refusal, doubled by each answer. */
  readonly window: number
  readonly unanswered: readonly Permit[]
  /** When the next start would be in time if all were evenly spread. */
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
 * One for all agents of an orchestrator. When a provider refuses one of them, all stay away, for a time that doubles
 * and is spread; then a single one tries; when it is answered, two may, then four. Decides only: it starts nothing and
 * knows no clock.
 */
export class ProviderLimiter {
  readonly #providers = new Map<string, Provider>()
  readonly #random: () => number

  /** `random` gives numbers from 0 to below 1. */
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

  /** May be told more than once for one permit, as soon as something is known. */
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

  /** What `chooseDriver` has to know of it. */
  stateOf(provider: string, nowMs: number): DriverState {
    const { closedUntilMs } = this.#of(provider)
    return closedUntilMs > nowMs ? { kind: 'spent', resetAtMs: closedUntilMs } : { kind: 'ready' }
  }

  /** Refusals of one wave count once: all who were under way when the first came learn the same. */
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
