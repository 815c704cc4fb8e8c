import type { Socket } from 'node:net'
import type { LiveRow } from '../../events/live-row.ts'
import { Failure } from '../../platform/failure.ts'
import type { CaseQuery, Committed, Cursor, FeedItem, LeaseKey, Reset, Store, Transaction } from '../store.ts'
import type { Owner } from './owner-lock.ts'
import { decode, encode, onLines, type StoreAnswer, type StoreMethod, type Stream } from './store-protocol.ts'

/** A stopped or stuck owner still holds the lock, but a command must not wait for it for ever. */
const ANSWER_MS_MAX = 30_000
/** Feed items that may wait for their reader; a reader further behind has to read everything again. */
const FEED_ITEMS_MAX = 10_000
/** Live rows are not worth a wait: while this much is unsent, they are dropped. */
const UNSENT_BYTES_MAX = 1024 * 1024

/** The owner exited before it answered: the request may be sent to the next owner. */
export const OWNER_GONE = 'STORE_OWNER_GONE'

interface Asked {
  resolve(result: unknown): void
  reject(failure: Failure): void
  item?(item: unknown): void
}

/** The store of another process of this machine. */
export class RemoteStore implements Store {
  readonly #socket: Socket
  readonly #owner: Owner
  readonly #answerMsMax: number
  readonly #asked = new Map<number, Asked>()
  #lastId = 0
  #gone = false

  constructor(socket: Socket, owner: Owner, answerMsMax = ANSWER_MS_MAX) {
    this.#socket = socket
    this.#owner = owner
    this.#answerMsMax = answerMsMax
    onLines(socket, (line) => this.#take(decode(line) as StoreAnswer))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#leave())
  }

  transact(transaction: Transaction): ReturnType<Store['transact']> {
    return this.#ask('transact', transaction)
  }
  query(query: CaseQuery): ReturnType<Store['query']> {
    return this.#ask('query', query)
  }
  history(id: string): ReturnType<Store['history']> {
    return this.#ask('history', id)
  }
  explain(id: string): Promise<string> {
    return this.#ask('explain', id)
  }
  renew(leases: readonly LeaseKey[], ttlMs: number): ReturnType<Store['renew']> {
    return this.#ask('renew', leases, ttlMs)
  }
  document(key: string): ReturnType<Store['document']> {
    return this.#ask('document', key)
  }
  allocate(prefix: string): Promise<number> {
    return this.#ask('allocate', prefix)
  }
  putBlob(bytes: Uint8Array): Promise<string> {
    return this.#ask('putBlob', bytes)
  }
  getBlob(digest: string): ReturnType<Store['getBlob']> {
    return this.#ask('getBlob', digest)
  }
  report(): ReturnType<Store['report']> {
    return this.#ask('report')
  }
  compact(options?: { readonly acceptDamage?: boolean }): ReturnType<Store['compact']> {
    return this.#ask('compact', options)
  }
  import(cases: Parameters<Store['import']>[0]): Promise<Committed> {
    return this.#ask('import', cases)
  }
  exported(): Promise<readonly string[]> {
    return this.#ask('exported')
  }
  now(): Promise<string> {
    return this.#ask('now')
  }

  async *feed(after: Cursor | undefined, signal: AbortSignal): AsyncGenerator<FeedItem | Reset> {
    const waiting: (FeedItem | Reset)[] = []
    const take = (next: FeedItem | Reset): void => {
      // Pausing the socket would also delay the answers that the reader may be waiting for.
      if (waiting.length >= FEED_ITEMS_MAX)
        waiting.splice(0, waiting.length, { reset: 'reset' in next ? next.reset : next.cursor })
      else waiting.push(next)
    }
    yield* this.#follow('feed', [after], signal, take, () => waiting.shift())
  }

  publishLive(rows: readonly LiveRow[]): void {
    if (this.#gone || this.#socket.writableLength > UNSENT_BYTES_MAX) return
    this.#socket.write(`${encode({ id: 0, method: 'live-rows', arguments: [rows] })}\n`)
  }

  async *live(signal: AbortSignal): AsyncGenerator<readonly LiveRow[]> {
    let waiting: Map<string, LiveRow> | undefined
    const take = (rows: readonly LiveRow[]): void => {
      waiting ??= new Map()
      for (const row of rows) waiting.set(row.agent, row)
    }
    const next = (): readonly LiveRow[] | undefined => {
      const rows = waiting && [...waiting.values()]
      waiting = undefined
      return rows
    }
    yield* this.#follow('live', [], signal, take, next)
  }

  /** Requests a stream; `take` buffers its items until the reader fetches them with `next`. */
  async *#follow<Item>(
    method: Stream,
    given: readonly unknown[],
    signal: AbortSignal,
    take: (item: Item) => void,
    next: () => Item | undefined,
  ): AsyncGenerator<Item> {
    let wake: (() => void) | undefined
    let ended: Failure | undefined
    const id = this.#send(method, given, {
      resolve: () => undefined,
      reject: (failure) => {
        ended = failure
        wake?.()
      },
      item: (item) => {
        take(item as Item)
        wake?.()
      },
    })
    const leave = (): void => wake?.()
    signal.addEventListener('abort', leave, { once: true })
    try {
      while (!signal.aborted) {
        const item = next()
        if (item) yield item
        else if (ended) throw ended
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      signal.removeEventListener('abort', leave)
      this.#asked.delete(id)
      if (!this.#gone) this.#socket.write(`${encode({ id: 0, method: 'stop-feed', arguments: [id] })}\n`)
    }
  }

  async close(): Promise<void> {
    this.#socket.end()
    this.#socket.unref()
  }

  #ask<Result>(method: StoreMethod, ...given: readonly unknown[]): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const silent = setTimeout(() => {
        const { pid, purpose } = this.#owner
        const failure = new Failure(
          'STORE_OWNER_SILENT',
          `process ${pid} (${purpose}) owns the store and does not answer`,
          {
            hint: `wait for it, or look at it: "ps -p ${pid}"`,
            retryable: true,
          },
        )
        reject(failure)
      }, this.#answerMsMax)
      const done =
        <Value>(act: (value: Value) => void) =>
        (value: Value) => {
          clearTimeout(silent)
          act(value)
        }
      this.#send(method, given, {
        resolve: done((result) => resolve(result as Result)),
        reject: done(reject),
      })
    })
  }

  #send(method: StoreMethod | Stream, given: readonly unknown[], asked: Asked): number {
    this.#lastId += 1
    const id = this.#lastId
    if (this.#gone) {
      asked.reject(this.#ownerGone())
      return id
    }
    this.#asked.set(id, asked)
    this.#socket.write(`${encode({ id, method, arguments: given })}\n`)
    return id
  }

  #take(answer: StoreAnswer): void {
    const asked = this.#asked.get(answer.id)
    if (!asked) return
    if ('item' in answer) {
      asked.item?.(answer.item)
      return
    }
    this.#asked.delete(answer.id)
    if ('failure' in answer) {
      const { code, message, hint, retryable } = answer.failure
      asked.reject(new Failure(code, message, { hint, retryable }))
    } else asked.resolve(answer.result)
  }

  #leave(): void {
    this.#gone = true
    for (const asked of this.#asked.values()) asked.reject(this.#ownerGone())
    this.#asked.clear()
  }

  #ownerGone(): Failure {
    return new Failure(OWNER_GONE, `process ${this.#owner.pid} (${this.#owner.purpose}) went away`, {
      hint: 'try again',
      retryable: true,
    })
  }
}
