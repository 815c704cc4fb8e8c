import { once } from 'node:events'
import type { LiveRow } from '../events/live-row.ts'
import { systemClock } from '../platform/clock.ts'

/** Agents whose last row is kept; the one that was silent longest makes room. */
const ROWS_MAX = 500
/** Rows that come within this time reach a reader together. */
const GATHER_MS = 50

/**
 * The last word of each agent. Readers hold a place, not a queue: whoever is slow misses what was overwritten, and
 * costs nothing.
 */
export class LiveBoard {
  readonly #rows = new Map<string, { readonly row: LiveRow; readonly version: number }>()
  readonly #changes = new EventTarget()
  #version = 0

  publish(rows: readonly LiveRow[]): void {
    for (const row of rows) {
      this.#version += 1
      this.#rows.delete(row.agent)
      this.#rows.set(row.agent, { row, version: this.#version })
      if (this.#rows.size > ROWS_MAX) this.#rows.delete(this.#rows.keys().next().value ?? '')
    }
    if (rows.length > 0) this.#changes.dispatchEvent(new Event('change'))
  }

  /** First everything, even if that is nothing; then what changed. */
  async *read(signal: AbortSignal): AsyncGenerator<readonly LiveRow[]> {
    let seen = this.#version
    yield [...this.#rows.values()].map(({ row }) => row)
    while (!signal.aborted) {
      if (seen === this.#version && !(await this.#changed(signal))) return
      await systemClock.sleepUntil(systemClock.now() + GATHER_MS, signal)
      const after = seen
      seen = this.#version
      yield [...this.#rows.values()].filter(({ version }) => version > after).map(({ row }) => row)
    }
  }

  async #changed(signal: AbortSignal): Promise<boolean> {
    try {
      await once(this.#changes, 'change', { signal })
      return true
    } catch {
      return false
    }
  }
}
