import { randomUUID } from 'node:crypto'
import { Failure } from '../platform/failure.ts'
import { FileStore, type FileStoreOptions } from './file-store.ts'
import { acquireOwnerLock, connectTo, isOwner, type OwnerLock, socketPath } from './owner-lock.ts'
import { OWNER_GONE, RemoteStore } from './remote-store.ts'
import type { Cursor, FeedItem, Reset, Store, Transaction } from './store.ts'
import { StoreFolder } from './store-folder.ts'
import { StoreServer } from './store-server.ts'

export interface OpenStoreOptions extends FileStoreOptions {
  /** What the other processes are told about this one, such as `axiom run`. */
  readonly purpose: string
}

/** Owners that may come and go while one question is asked; each stays at least for a command's time. */
const OWNERS_MAX = 200

/**
 * Opens a project's store: as its owner, or through the process that owns it now. When that process goes away
 * in between, the question is asked again, of the next owner or as the owner; a transaction carries a key, so
 * that it is carried out once.
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const shared = new SharedStore(options)
  await shared.now()
  return shared
}

interface Connection {
  readonly store: Store
  close(): Promise<void>
}

class SharedStore implements Store {
  readonly #options: OpenStoreOptions
  #connection: Promise<Connection> | undefined

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

  async *feed(after: Cursor | undefined, signal: AbortSignal): AsyncGenerator<FeedItem | Reset> {
    let at = after
    while (!signal.aborted) {
      try {
        const { store } = await this.#connect()
        for await (const item of store.feed(at, signal)) {
          at = 'reset' in item ? item.reset : item.cursor
          yield item
        }
      } catch (error) {
        if (!ownerGone(error)) throw error
        this.#connection = undefined
      }
    }
  }

  async close(): Promise<void> {
    const connection = await this.#connection
    this.#connection = undefined
    await connection?.close()
  }

  async #ask<Result>(question: (store: Store) => Promise<Result>): Promise<Result> {
    for (let owners = 0; owners < OWNERS_MAX; owners += 1) {
      const { store } = await this.#connect()
      try {
        return await question(store)
      } catch (error) {
        if (!ownerGone(error)) throw error
        this.#connection = undefined
      }
    }
    throw new Failure('STORE_BUSY', `the store changed its owner ${OWNERS_MAX} times`, {
      hint: 'try again',
      retryable: true,
    })
  }

  #connect(): Promise<Connection> {
    this.#connection ??= connectOrOwn(this.#options).catch((error) => {
      this.#connection = undefined
      throw error
    })
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
    const store = new RemoteStore(socket, lock)
    return { store, close: () => store.close() }
  }
  throw new Failure('STORE_BUSY', `the store changed its owner ${OWNERS_MAX} times`, {
    hint: 'try again',
    retryable: true,
  })
}

/** The lock is given up last, when nothing of ours can reach the file any more. */
async function own(options: OpenStoreOptions, lock: OwnerLock): Promise<Connection> {
  try {
    const store = new FileStore(options)
    if (store.wantsCompaction) await store.compact()
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

function ownerGone(error: unknown): boolean {
  return error instanceof Failure && error.code === OWNER_GONE
}
