import { randomUUID } from 'node:crypto'
import type { LiveRow } from '../events/live-row.ts'
import { Failure } from '../platform/failure.ts'
import { FileStore, type FileStoreOptions } from './jsonl/file-store.ts'
import { StoreFolder } from './jsonl/store-folder.ts'
import { acquireOwnerLock, connectTo, isOwner, type OwnerLock, socketPath } from './sharing/owner-lock.ts'
import { OWNER_GONE, RemoteStore } from './sharing/remote-store.ts'
import { StoreServer } from './sharing/store-server.ts'
import type { Cursor, FeedItem, Reset, Store, Transaction } from './store.ts'

export interface OpenStoreOptions extends FileStoreOptions {
  /** The description of this process that the others see, such as `axiom case list`. */
  readonly purpose: string
  /** How long an owner may take to answer before it counts as stopped. */
  readonly answerMsMax?: number
}

/** Owners that may come and go during one request; each stays at least as long as a command runs. */
const OWNERS_MAX = 200

/**
 * Opens a project's store: as its owner, or through the process that owns it now. When that process exits in
 * between, the request is sent again to the next owner, or handled as the owner; a transaction carries a key,
 * so that it is applied once.
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const shared = new SharedStore(options)
  try {
    await shared.now()
    return shared
  } catch (error) {
    // A connection to an owner that does not answer would keep this process from ending.
    await shared.close()
    throw error
  }
}

interface Connection {
  readonly store: Store
  close(): Promise<void>
}

class SharedStore implements Store {
  readonly #options: OpenStoreOptions
  readonly #closing = new AbortController()
  #connection: Promise<Connection> | undefined
  /** The store once connected: live rows are published through it, or dropped. */
  #standing: Store | undefined

  constructor(options: OpenStoreOptions) {
    this.#options = options
  }

  transact(transaction: Transaction): ReturnType<Store['transact']> {
    const keyed = { ...transaction, key: transaction.key ?? randomUUID() }
    return this.#ask((store) => store.transact(keyed))
  }
  query(...given: Parameters<Store['query']>): ReturnType<Store['query']> {
    return this.#ask((store) => store.query(...given))
  }
  history(...given: Parameters<Store['history']>): ReturnType<Store['history']> {
    return this.#ask((store) => store.history(...given))
  }
  explain(...given: Parameters<Store['explain']>): ReturnType<Store['explain']> {
    return this.#ask((store) => store.explain(...given))
  }
  renew(...given: Parameters<Store['renew']>): ReturnType<Store['renew']> {
    return this.#ask((store) => store.renew(...given))
  }
  document(...given: Parameters<Store['document']>): ReturnType<Store['document']> {
    return this.#ask((store) => store.document(...given))
  }
  allocate(...given: Parameters<Store['allocate']>): ReturnType<Store['allocate']> {
    return this.#ask((store) => store.allocate(...given))
  }
  putBlob(...given: Parameters<Store['putBlob']>): ReturnType<Store['putBlob']> {
    return this.#ask((store) => store.putBlob(...given))
  }
  getBlob(...given: Parameters<Store['getBlob']>): ReturnType<Store['getBlob']> {
    return this.#ask((store) => store.getBlob(...given))
  }
  report(): ReturnType<Store['report']> {
    return this.#ask((store) => store.report())
  }
  compact(...given: Parameters<Store['compact']>): ReturnType<Store['compact']> {
    return this.#ask((store) => store.compact(...given))
  }
  import(...given: Parameters<Store['import']>): ReturnType<Store['import']> {
    return this.#ask((store) => store.import(...given))
  }
  exported(): ReturnType<Store['exported']> {
    return this.#ask((store) => store.exported())
  }
  now(): ReturnType<Store['now']> {
    return this.#ask((store) => store.now())
  }

  publishLive(rows: readonly LiveRow[]): void {
    this.#standing?.publishLive(rows)
  }

  live(signal: AbortSignal): AsyncIterable<readonly LiveRow[]> {
    return this.#follow(signal, (store, until) => store.live(until))
  }

  async *feed(after: Cursor | undefined, signal: AbortSignal): AsyncGenerator<FeedItem | Reset> {
    let at = after
    for await (const item of this.#follow(signal, (store, until) => store.feed(at, until))) {
      at = 'reset' in item ? item.reset : item.cursor
      yield item
    }
  }

  /** Continues with the next owner when one exits. */
  async *#follow<Item>(
    signal: AbortSignal,
    open: (store: Store, until: AbortSignal) => AsyncIterable<Item>,
  ): AsyncGenerator<Item> {
    const until = AbortSignal.any([signal, this.#closing.signal])
    while (!until.aborted) {
      const connection = this.#connect()
      try {
        yield* open((await connection).store, until)
      } catch (error) {
        if (!until.aborted) this.#forget(connection, error)
      }
    }
  }

  async close(): Promise<void> {
    const connection = this.#connection
    this.#connection = undefined
    this.#standing = undefined
    this.#closing.abort()
    await (await connection?.catch(() => undefined))?.close()
  }

  async #ask<Result>(question: (store: Store) => Promise<Result>): Promise<Result> {
    for (let owners = 0; owners < OWNERS_MAX; owners += 1) {
      const connection = this.#connect()
      const { store } = await connection
      try {
        return await question(store)
      } catch (error) {
        this.#forget(connection, error)
      }
    }
    throw new Failure('STORE_BUSY', `the store changed its owner ${OWNERS_MAX} times`, {
      hint: 'try again',
      retryable: true,
    })
  }

  /** Many requests fail at once when the owner is gone; only the first may drop the shared connection. */
  #forget(connection: Promise<Connection>, error: unknown): void {
    if (!(error instanceof Failure && error.code === OWNER_GONE)) throw error
    if (this.#connection !== connection) return
    this.#connection = undefined
    this.#standing = undefined
  }

  #connect(): Promise<Connection> {
    if (this.#closing.signal.aborted) {
      return Promise.reject(new Failure('STORE_CLOSED', 'the store is closed', { hint: 'open it again' }))
    }
    if (!this.#connection) {
      const connection = connectOrOwn(this.#options)
      this.#connection = connection
      connection.then(
        ({ store }) => {
          if (this.#connection === connection) this.#standing = store
        },
        () => {
          if (this.#connection === connection) this.#connection = undefined
        },
      )
    }
    return this.#connection
  }
}

async function connectOrOwn(options: OpenStoreOptions): Promise<Connection> {
  const folder = new StoreFolder(options.folder).lock
  for (let owners = 0; owners < OWNERS_MAX; owners += 1) {
    const lock = await acquireOwnerLock(folder, options.purpose, new Date().toISOString())
    if (!isOwner(lock)) return own(options, lock)
    const socket = await connectTo(socketPath(folder, lock.socket))
    if (!socket) continue
    const store = new RemoteStore(socket, lock, options.answerMsMax)
    return { store, close: () => store.close() }
  }
  throw new Failure('STORE_BUSY', `the store changed its owner ${OWNERS_MAX} times`, {
    hint: 'try again',
    retryable: true,
  })
}

/** The lock is released last, when this process can no longer write to the file. */
async function own(options: OpenStoreOptions, lock: OwnerLock): Promise<Connection> {
  try {
    const store = new FileStore(options)
    // A disk too full to compact can still be read.
    if (store.wantsCompaction) await store.compact().catch(() => undefined)
    const service = new StoreServer(store, lock)
    return {
      store,
      close: async () => {
        await service.drain()
        try {
          await store.close()
        } finally {
          lock.release()
          service.dismiss()
        }
      },
    }
  } catch (error) {
    lock.release()
    for (const socket of lock.early) socket.destroy()
    throw error
  }
}
