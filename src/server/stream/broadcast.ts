import type { LiveRow, StreamMessage } from '../contract.ts'
import { encodeEvent, encodeText } from './encode-event.ts'
import { FrameLog } from './frame-log.ts'
import { StreamClient } from './stream-client.ts'

/** Enough for the tabs of a few users; more are refused, so that connections cannot exhaust the memory. */
const CLIENTS_MAX = 64
const BEAT_MS = 10_000
/** For a larger change all clients take a new snapshot instead. */
const FRAME_BYTES_MAX = 512 * 1024

/** An encoded delta without its type and cursor. */
export type DeltaText = string

/** Sends every message to every client, encoded once. */
export class Broadcast {
  readonly #log: FrameLog
  readonly #clients = new Set<StreamClient>()
  readonly #now: () => number
  readonly #beats: NodeJS.Timeout
  #closed = false

  constructor(epoch: string, now: () => number) {
    this.#log = new FrameLog(epoch)
    this.#now = now
    this.#beats = setInterval(() => this.#beat(), BEAT_MS)
    this.#beats.unref()
  }

  get cursor(): string {
    return this.#log.cursor
  }

  get clients(): number {
    return this.#clients.size
  }

  /** Opens a stream after a cursor; undefined when there are too many clients. */
  join(cursor: string | undefined, cut: () => void): ReadableStream<Uint8Array> | undefined {
    if (this.#closed || this.#clients.size >= CLIENTS_MAX) return undefined
    const client = new StreamClient(cut, (gone) => this.#clients.delete(gone))
    this.#clients.add(client)
    const missed = this.#log.after(cursor)
    client.take(encodeEvent({ type: 'hello', cursor: this.cursor, beatMs: BEAT_MS }))
    if (missed.kind === 'lost') client.take(this.#reset(missed.reason))
    else for (const frame of missed.frames) client.take(frame)
    return client.body
  }

  publish(delta: DeltaText): void {
    if (delta.length > FRAME_BYTES_MAX) {
      this.restart('too-old')
      return
    }
    const frame = this.#log.append((cursor) =>
      encodeText('delta', `{"type":"delta","cursor":"${cursor}",${delta}}`, cursor),
    )
    this.#send(frame)
  }

  /** Makes all clients take a new snapshot. */
  restart(reason: Extract<StreamMessage, { type: 'reset' }>['reason']): void {
    this.#log.skip()
    this.#send(this.#reset(reason))
  }

  publishLive(rows: readonly LiveRow[], gone: readonly string[]): void {
    if (this.#clients.size === 0) return
    const bytes = encodeEvent({ type: 'live', rows, gone })
    for (const client of [...this.#clients]) client.takeIfIdle(bytes)
  }

  close(): void {
    this.#closed = true
    clearInterval(this.#beats)
    for (const client of [...this.#clients]) client.finish()
  }

  #reset(reason: Extract<StreamMessage, { type: 'reset' }>['reason']): Uint8Array {
    return encodeEvent({ type: 'reset', cursor: this.cursor, reason })
  }

  #beat(): void {
    this.#send(encodeEvent({ type: 'beat', now: new Date(this.#now()).toISOString() }))
  }

  #send(bytes: Uint8Array): void {
    for (const client of [...this.#clients]) client.take(bytes)
  }
}
