import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RunClock } from '../runs/run-ports.ts'

/** Lets a loop wait for the next change; a change that arrives before the wait ends it at once. */
export class WakeSignal {
  #isRaised = false
  #waiting: AbortController | undefined

  raise(): void {
    this.#isRaised = true
    // A plain reason: the default one is an error, whose stack costs time and is never read.
    this.#waiting?.abort('raised')
  }

  /** Returns when the signal is raised, at the latest at the given moment. */
  async wait(clock: RunClock, untilMs: number): Promise<void> {
    if (!this.#isRaised) {
      this.#waiting = new AbortController()
      await clock.sleepUntil(untilMs, this.#waiting.signal)
      this.#waiting = undefined
    }
    // Commits come in groups, and each raises the signal: one turn later they are seen together.
    await nextTurn()
    this.#isRaised = false
  }
}
