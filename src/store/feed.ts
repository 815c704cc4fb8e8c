import type { Applied } from '../cases/execute.ts'
import { deriveEvents, type StateEvent } from '../events/state-event.ts'
import type { Cursor, FeedItem, Reset, Seq } from './store.ts'

/** Commits kept for readers that come back; one that was away longer reads everything anew. */
const ITEMS_MAX = 4_096

interface Published {
  readonly seq: Seq
  readonly applied: readonly Applied[]
}

/**
 * The commits that are on disk, in their order. Readers hold a place, not a queue: a slow one costs nothing
 * and learns that it fell behind. Events are derived when they are read, so that a commit nobody follows pays nothing.
 */
export class Feed {
  #epoch: string
  #published: Published[] = []
  #seq: Seq
  readonly #waiting = new Set<() => void>()

  constructor(epoch: string, seq: Seq) {
    this.#epoch = epoch
    this.#seq = seq
  }

  get cursor(): Cursor {
    return { epoch: this.#epoch, seq: this.#seq }
  }

  publish(commit: Published): void {
    this.#seq = commit.seq
    this.#published.push(commit)
    // Dropping the older half at once keeps the cost of a commit constant.
    if (this.#published.length > 2 * ITEMS_MAX) this.#published = this.#published.slice(-ITEMS_MAX)
    this.#wake()
  }

  /** Earlier numbers no longer mean the same commits. */
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
    const first = this.#published[0]?.seq ?? seq + 1
    const next = this.#published[at.seq + 1 - first]
    return next ? { cursor: { epoch, seq: next.seq }, events: eventsOf(next) } : { reset: this.cursor }
  }

  /** Resolves at the next change, or when the reader has gone. */
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

function eventsOf({ applied }: Published): StateEvent[] {
  return applied.flatMap(({ before, after, entries }) => deriveEvents(before, after, entries))
}
