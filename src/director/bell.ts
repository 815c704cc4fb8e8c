import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RunClock } from '../runs/run-ports.ts'

/** Wakes one sleeper, also when it is rung before he lies down. */
export class Bell {
  #isRung = false
  #sleep: AbortController | undefined

  ring(): void {
    this.#isRung = true
    // A reason of our own, for the usual one is an error with a stack that nobody reads.
    this.#sleep?.abort('rung')
  }

  /** Until it is rung, at the latest at the given moment. */
  async sleep(clock: RunClock, untilMs: number): Promise<void> {
    if (!this.#isRung) {
      this.#sleep = new AbortController()
      await clock.sleepUntil(untilMs, this.#sleep.signal)
      this.#sleep = undefined
    }
    // Much is committed together, and each commit rings: they are all looked at once.
    await nextTurn()
    this.#isRung = false
  }
}
