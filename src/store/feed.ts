import { once } from 'node:events'
import type { StateEvent } from '../events/state-event.ts'
import type { Cursor, FeedItem, Reset } from './store.ts'

/** Commits kept for readers that come back; one that was away longer reads everything anew. */
const ITEMS_MAX = 4_096

/**
 * The commits that are on disk, in their order. Readers hold a place, not a queue: a slow one costs nothing
 * and learns that it fell behind.
 */
export class Feed {
  #epoch: string
  #items: FeedItem[] = []
  #seq: number
  readonly #changes = new EventTarget()

  constructor(epoch: string, seq: number) {
    this.#epoch = epoch
    this.#seq = seq
  }

  get cursor(): Cursor {
    return { epoch: this.#epoch, seq: this.#seq }
  }

  publish(seq: number, events: readonly StateEvent[]): void {
    this.#seq = seq
    this.#items.push({ cursor: { epoch: this.#epoch, seq }, events })
    // Dropping the older half at once keeps the cost of a commit constant.
    if (this.#items.length > 2 * ITEMS_MAX) this.#items = this.#items.slice(-ITEMS_MAX)
    this.#changes.dispatchEvent(new Event('change'))
  }

  /** Earlier numbers no longer mean the same commits. */
  restart(epoch: string): void {
    this.#epoch = epoch
    this.#items = []
    this.#changes.dispatchEvent(new Event('change'))
  }

  async *read(after: Cursor | undefined, signal: AbortSignal): AsyncGenerator<FeedItem | Reset> {
    let at = after ?? { epoch: '', seq: 0 }
    while (!signal.aborted) {
      const next = this.#next(at)
      if (next) {
        at = 'reset' in next ? next.reset : next.cursor
        yield next
        continue
      }
      try {
        await once(this.#changes, 'change', { signal })
      } catch {
        return
      }
    }
  }

  #next(at: Cursor): FeedItem | Reset | undefined {
    const { epoch, seq } = this.cursor
    if (at.epoch !== epoch || at.seq > seq) return { reset: this.cursor }
    if (at.seq === seq) return undefined
    const first = this.#items[0]?.cursor.seq ?? seq + 1
    return this.#items[at.seq + 1 - first] ?? { reset: this.cursor }
  }
}
