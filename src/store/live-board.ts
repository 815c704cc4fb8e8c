import { once } from 'node:events'
import type { LiveRow } from '../events/live-row.ts'
import { systemClock } from '../platform/clock.ts'

/** Agents whose last row is kept; beyond this, the row with the oldest update is dropped. */
const ROWS_MAX = 500
/** Rows that come within this time reach a reader together. */
const GATHER_MS = 50

/**
 * The latest row of each agent. A reader holds a version, not a queue: a slow reader misses overwritten rows
 * and costs nothing.
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

  /** Yields all rows first, even if there are none, then the changed ones. */
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
