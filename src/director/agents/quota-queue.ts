import type { CaseId } from '../../cases/case.ts'
import { chooseWakes, type Sleeper, wakeAt } from '../../health/sleep/choose-wakes.ts'
import type { QuietHours } from '../../health/sleep/quiet-hours.ts'
import type { QuotaPlace, RunClock } from '../../runs/run-ports.ts'
import type { Role } from '../../signals/definition.ts'
import { ROLE_TRAITS } from '../../signals/role-traits.ts'
import { WakeSignal } from '../wake-signal.ts'

/** A shorter wait is a pause of the service, not a spent quota: the agent continues, also in quiet hours. */
const SLEEP_MIN_MS = 10 * 60_000
/** The first shows whether the quota is really back; the others follow as fast as the service allows. */
const WAKES_AT_ONCE = 2
const WAKE_GAP_MS = 2_000

/** The urgency of the role decides, then that of the task. */
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
 * Agents wait here while their provider's quota is spent. They keep their tasks and wake when it is back: the
 * most urgent work first, a few at a time. The queue is not persisted: the next director dispatches the tasks
 * of agents that were waiting when the last one ended.
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

  /** Sets the function that ranks tasks by urgency. */
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

  /** Wakes the agents that are due, and returns the time of the next check. */
  #wakeDue(): number {
    const nowMs = this.#clock.now()
    const gapEndsMs = this.#wokenAtMs + WAKE_GAP_MS
    if (nowMs < gapEndsMs) return gapEndsMs
    const byAgent = new Map([...this.#resting].map((resting) => [resting.agent, resting]))
    const { wake, nextAtMs } = chooseWakes(
      [...this.#resting].map((resting) => this.#sleeperOf(resting)),
      // Quiet hours were already applied when the agent was queued; a short wait ignores them.
      { nowMs, atOnceMax: WAKES_AT_ONCE, gapMs: WAKE_GAP_MS, quiet: {} },
    )
    if (wake.length > 0) this.#wokenAtMs = nowMs
    for (const { agent } of wake) byAgent.get(agent)?.wake()
    return nextAtMs ?? nowMs
  }

  #sleeperOf({ agent, task, role, sinceMs, dueMs }: Resting): Sleeper {
    return {
      agent,
      task,
      sinceMs,
      resetAtMs: dueMs,
      priority: ROLE_TRAITS[role].urgency * POINTS_PER_ROLE + this.#priorityOf(task),
    }
  }
}
