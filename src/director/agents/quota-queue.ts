import type { CaseId } from '../../cases/case.ts'
import { chooseWakes, type Sleeper, wakeAt } from '../../health/sleep/choose-wakes.ts'
import type { QuietHours } from '../../health/sleep/quiet-hours.ts'
import type { QuotaPlace, RunClock } from '../../runs/run-ports.ts'
import type { Role } from '../../signals/definition.ts'
import { WakeSignal } from '../wake-signal.ts'

/** A shorter wait is a pause of the service, not a quota that is gone: whoever is at work goes on through the night. */
const SLEEP_MIN_MS = 10 * 60_000
/** The first tells whether the quota is really back; the others follow as fast as a service can be asked. */
const WAKES_AT_ONCE = 2
const WAKE_GAP_MS = 2_000

/** The same order in which roles get free slots; whoever is not named here comes last. */
const ORDER: readonly Role[] = [
  'resolver',
  'remediator',
  'health-auditor',
  'critic',
  'auditor',
  'expert',
  'analyst',
]
const POINTS_PER_ROLE = 1e12

export interface QueuedAgent {
  readonly agent: string
  readonly task: CaseId
  readonly role: Role
}

interface Resting extends QueuedAgent {
  readonly sinceMs: number
  readonly dueMs: number
  readonly wake: () => void
}

/**
 * Where agents sleep while their provider's quota is spent. They keep their tasks, and wake when it is back: those
 * first whose work is most urgent at that moment, a few at a time. Nothing of it is written down: whoever sleeps when
 * a director ends is dispatched anew by the next one.
 */
export class QuotaQueue {
  readonly #clock: RunClock
  readonly #quiet: QuietHours
  readonly #resting = new Set<Resting>()
  readonly #wakeSignal = new WakeSignal()
  #priorityOf: (task: CaseId) => number = () => 0
  #wokenAtMs = Number.NEGATIVE_INFINITY
  #isWatched = false

  constructor(clock: RunClock, quiet: QuietHours) {
    this.#clock = clock
    this.#quiet = quiet
  }

  /** Who decides which task is more urgent. */
  rankBy(priorityOf: (task: CaseId) => number): void {
    this.#priorityOf = priorityOf
  }

  placeFor(queued: QueuedAgent): QuotaPlace {
    return {
      wakeAt: (resetAtMs) => this.#dueAt(resetAtMs),
      sleep: (resetAtMs, signal) => this.#sleep(queued, resetAtMs, signal),
    }
  }

  #dueAt(resetAtMs: number): number {
    const nowMs = this.#clock.now()
    return resetAtMs - nowMs < SLEEP_MIN_MS ? resetAtMs : wakeAt(nowMs, resetAtMs, this.#quiet)
  }

  #sleep(queued: QueuedAgent, resetAtMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const resting: Resting = {
        ...queued,
        sinceMs: this.#clock.now(),
        dueMs: this.#dueAt(resetAtMs),
        wake: () => {
          this.#resting.delete(resting)
          signal.removeEventListener('abort', resting.wake)
          this.#wakeSignal.raise()
          resolve()
        },
      }
      this.#resting.add(resting)
      signal.addEventListener('abort', resting.wake)
      if (this.#isWatched) this.#wakeSignal.raise()
      else void this.#watch()
    })
  }

  async #watch(): Promise<void> {
    this.#isWatched = true
    while (this.#resting.size > 0) await this.#wakeSignal.wait(this.#clock, this.#wakeDue())
    this.#isWatched = false
  }

  /** Wakes whose turn it is, and says when to look again. */
  #wakeDue(): number {
    const nowMs = this.#clock.now()
    const gapEndsMs = this.#wokenAtMs + WAKE_GAP_MS
    if (nowMs < gapEndsMs) return gapEndsMs
    const byAgent = new Map([...this.#resting].map((resting) => [resting.agent, resting]))
    const { wake, nextAtMs } = chooseWakes(
      [...this.#resting].map((resting) => this.#sleeperOf(resting)),
      // The hours were reckoned with when it fell asleep: whoever only waits a moment sleeps through none.
      { nowMs, atOnceMax: WAKES_AT_ONCE, gapMs: WAKE_GAP_MS, quiet: {} },
    )
    if (wake.length > 0) this.#wokenAtMs = nowMs
    for (const { agent } of wake) byAgent.get(agent)?.wake()
    return nextAtMs ?? nowMs
  }

  #sleeperOf({ agent, task, role, sinceMs, dueMs }: Resting): Sleeper {
    const rank = ORDER.includes(role) ? ORDER.length - ORDER.indexOf(role) : 0
    return {
      agent,
      task,
      sinceMs,
      resetAtMs: dueMs,
      priority: rank * POINTS_PER_ROLE + this.#priorityOf(task),
    }
  }
}
