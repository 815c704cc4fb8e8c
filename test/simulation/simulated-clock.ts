import type { RunClock } from '../../src/runs/run-ports.ts'

interface Sleeper {
  readonly atMs: number
  readonly serial: number
  wake(): void
}

/** Time that passes when somebody says so. */
export class SimulatedClock implements RunClock {
  #nowMs = Date.parse('2026-01-01T00:00:00.000Z')
  #serial = 0
  readonly #sleepers = new Set<Sleeper>()

  now(): number {
    return this.#nowMs
  }

  instant(): string {
    return new Date(this.#nowMs).toISOString()
  }

  sleepUntil(atMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || atMs <= this.#nowMs) return Promise.resolve()
    return new Promise((resolve) => {
      const sleeper: Sleeper = {
        atMs,
        serial: ++this.#serial,
        wake: () => {
          this.#sleepers.delete(sleeper)
          signal.removeEventListener('abort', sleeper.wake)
          resolve()
        },
      }
      this.#sleepers.add(sleeper)
      signal.addEventListener('abort', sleeper.wake)
    })
  }

  /** To the next moment for which somebody waits, at most this far; wakes one sleeper. */
  advance(atMostMs: number): void {
    const next = [...this.#sleepers].toSorted((a, b) => a.atMs - b.atMs || a.serial - b.serial)[0]
    const limitMs = this.#nowMs + atMostMs
    if (next === undefined || next.atMs > limitMs) this.#nowMs = limitMs
    else {
      this.#nowMs = Math.max(this.#nowMs, next.atMs)
      next.wake()
    }
  }

  /** Nobody of a process that is dead wakes any more. */
  forgetAll(): void {
    this.#sleepers.clear()
  }
}
