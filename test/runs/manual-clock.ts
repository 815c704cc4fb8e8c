import { setImmediate as turn } from 'node:timers/promises'
import type { RunClock } from '../../src/runs/run-ports.ts'

interface Sleeper {
  readonly atMs: number
  wake(): void
}

/** A clock that stands until it is moved. */
export class ManualClock implements RunClock {
  #nowMs: number
  readonly #sleepers = new Set<Sleeper>()

  constructor(nowMs: number) {
    this.#nowMs = nowMs
  }

  now(): number {
    return this.#nowMs
  }

  sleepUntil(atMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const sleeper = {
        atMs,
        wake: () => {
          this.#sleepers.delete(sleeper)
          signal.removeEventListener('abort', sleeper.wake)
          resolve()
        },
      }
      if (signal.aborted || atMs <= this.#nowMs) {
        resolve()
        return
      }
      this.#sleepers.add(sleeper)
      signal.addEventListener('abort', sleeper.wake)
    })
  }

  /** Moves in steps, and lets what wakes in each of them do its work before the next. */
  async advance(ms: number, stepMs: number, settle: () => Promise<void> = () => turn()): Promise<void> {
    const untilMs = this.#nowMs + ms
    while (this.#nowMs < untilMs) {
      this.#nowMs = Math.min(untilMs, this.#nowMs + stepMs)
      for (const sleeper of [...this.#sleepers]) if (sleeper.atMs <= this.#nowMs) sleeper.wake()
      await settle()
    }
  }
}
