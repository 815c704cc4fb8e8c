import type { Applied } from '../cases/execute.ts'
import { deriveEvents, type StateEvent } from '../events/state-event.ts'
import type { Cursor, FeedItem, Reset, Seq } from './store.ts'

/** Commits kept for readers that reconnect; a reader that is further behind reads everything again. */
const ITEMS_MAX = 4_096

/**
 * The commits that are on disk, in order. A reader holds a cursor, not a queue: a slow one costs nothing and
 * gets a reset when it falls behind. Events are derived on read, so that a commit without readers costs
 * nothing.
 */
export class Feed {
  #epoch: string
  /** The changes of each commit, up to the newest; commit numbers have no gaps. */
  #published: (readonly Applied[])[] = []
  #seq: Seq
  readonly #waiting = new Set<() => void>()

  constructor(epoch: string, seq: Seq) {
    this.#epoch = epoch
    this.#seq = seq
  }

  get cursor(): Cursor {
    return { epoch: this.#epoch, seq: this.#seq }
  }

  publish(seq: Seq, applied: readonly Applied[]): void {
    this.#seq = seq
    this.#published.push(applied)
    // Dropping the older half at once keeps the cost of a commit constant.
    if (this.#published.length > 2 * ITEMS_MAX) this.#published = this.#published.slice(-ITEMS_MAX)
    this.#wake()
  }

  /** Begins a new epoch: earlier numbers no longer mean the same commits. */
  restart(epoch: string): void {
    this.#epoch = epoch
    this.#published = []
    this.#wake()
  }

  async *read(after: Cursor | undefined, signal: AbortSignal): AsyncGenerator<FeedItem | Reset> {
    let at = after ?? { epoch: '', seq: 0 }
    while (!signal.aborted) {
      const next = this.#next(at)
      if (next) {
        at = 'reset' in next ? next.reset : next.cursor
        yield next
      } else {
        await this.#changed(signal)
      }
    }
  }

  #next(at: Cursor): FeedItem | Reset | undefined {
    const { epoch, seq } = this.cursor
    if (at.epoch !== epoch || at.seq > seq) return { reset: this.cursor }
    if (at.seq === seq) return undefined
    const next = this.#published.at(at.seq - seq)
    return next ? { cursor: { epoch, seq: at.seq + 1 }, events: eventsOf(next) } : { reset: this.cursor }
  }

  /** Resolves at the next change, or when the reader aborts. */
  #changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake)
    })
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
  }
}

function eventsOf(applied: readonly Applied[]): StateEvent[] {
  return applied.flatMap(({ before, after, entries }) => deriveEvents(before, after, entries))
}
