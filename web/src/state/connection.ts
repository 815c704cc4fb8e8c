import type { StreamCursor } from '../../../src/server/contract.ts'
import { ApiError, type Client } from '../api/client.ts'
import { readEvents } from '../api/read-events.ts'
import type { RowStore } from './row-store.ts'

export type Standing =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  /** Rows are as of the loss of the connection; it is retried. */
  | { readonly kind: 'lost'; readonly tries: number }
  /** The token is not, or no longer, valid. */
  | { readonly kind: 'refused'; readonly message: string }

const RETRY_MS_MIN = 250
const RETRY_MS_MAX = 8_000
const BEATS_MISSED_MAX = 3

/**
 * Keeps the rows current: a snapshot, then the changes after it; every reconnect resumes at the last cursor.
 */
export class Connection {
  readonly #client: Client
  readonly #rows: RowStore
  readonly #listeners = new Set<() => void>()
  #standing: Standing = { kind: 'connecting' }
  #cursor: StreamCursor | undefined

  constructor(client: Client, rows: RowStore) {
    this.#client = client
    this.#rows = rows
  }

  get standing(): Standing {
    return this.#standing
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async keep(signal: AbortSignal): Promise<void> {
    for (let tries = 0; !signal.aborted; tries += 1) {
      try {
        await this.#follow(signal, () => {
          tries = 0
        })
      } catch (error) {
        if (error instanceof ApiError && (error.status === 401 || error.status === 403)) {
          this.#stand({ kind: 'refused', message: error.message })
          return
        }
      }
      if (signal.aborted) return
      this.#stand({ kind: 'lost', tries: tries + 1 })
      await pause(Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** tries), signal)
    }
  }

  async #follow(signal: AbortSignal, onOpen: () => void): Promise<void> {
    if (this.#cursor === undefined) await this.#readAnew(signal)
    const watch = new AbortController()
    const stop = () => watch.abort()
    signal.addEventListener('abort', stop, { once: true })
    let silence: ReturnType<typeof setTimeout> | undefined
    try {
      const response = await fetch('/api/stream', {
        headers: { ...this.#client.headers, 'last-event-id': this.#cursor ?? '' },
        signal: watch.signal,
      })
      if (!response.ok || response.body === null) {
        throw new ApiError(response.status, { code: 'STREAM', message: 'The stream was refused.', hint: '' })
      }
      let silenceMsMax = 60_000
      for await (const message of readEvents(response.body)) {
        clearTimeout(silence)
        silence = setTimeout(stop, silenceMsMax)
        if (message.type === 'hello') {
          silenceMsMax = message.beatMs * BEATS_MISSED_MAX
          this.#stand({ kind: 'open' })
          onOpen()
        } else if (message.type === 'delta') {
          this.#rows.takeDelta(message)
          this.#cursor = message.cursor
        } else if (message.type === 'live') this.#rows.takeLive(message)
        else if (message.type === 'reset') await this.#readAnew(signal)
      }
    } finally {
      clearTimeout(silence)
      signal.removeEventListener('abort', stop)
      watch.abort()
    }
  }

  async #readAnew(signal: AbortSignal): Promise<void> {
    const snapshot = await this.#client.snapshot(signal)
    this.#rows.takeSnapshot(snapshot)
    this.#cursor = snapshot.cursor
  }

  #stand(standing: Standing): void {
    this.#standing = standing
    for (const listener of this.#listeners) listener()
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
