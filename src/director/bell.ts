import type { RunClock } from '../runs/run-ports.ts'

/** Wakes one sleeper, also when it is rung before he lies down. */
export class Bell {
  #isRung = false
  #sleep: AbortController | undefined

  ring(): void {
    this.#isRung = true
    this.#sleep?.abort()
  }

  /** Until it is rung, at the latest at the given moment. */
  async sleep(clock: RunClock, untilMs: number): Promise<void> {
    if (!this.#isRung) {
      this.#sleep = new AbortController()
      await clock.sleepUntil(untilMs, this.#sleep.signal)
      this.#sleep = undefined
    }
    this.#isRung = false
  }
}
