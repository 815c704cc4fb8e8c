import type { Socket } from 'node:net'
import type { LiveRow } from '../../events/live-row.ts'
import { Failure } from '../../platform/failure.ts'
import type { Cursor, Store } from '../store.ts'
import type { OwnerLock } from './owner-lock.ts'
import {
  decode,
  encode,
  onLines,
  STORE_METHODS,
  type StoreAnswer,
  type StoreMethod,
  type StoreRequest,
} from './store-protocol.ts'

/** A client that does not read its answers is disconnected before they fill the memory. */
const UNREAD_BYTES_MAX = 64 * 1024 * 1024

/** Lets the other processes of the machine work through the owner's store. */
export class StoreServer {
  readonly #store: Store
  readonly #sockets = new Set<Socket>()
  #working = 0
  #draining = false
  #idle: (() => void) | undefined

  constructor(store: Store, { server, early }: Pick<OwnerLock, 'server' | 'early'>) {
    this.#store = store
    server.removeAllListeners('connection')
    server.on('connection', (socket) => this.#welcome(socket))
    server.unref()
    for (const socket of early.splice(0)) this.#welcome(socket)
  }

  /** Accepts no more requests and answers those in progress; the clients stay connected. */
  async drain(): Promise<void> {
    this.#draining = true
    if (this.#working > 0) await new Promise<void>((resolve) => (this.#idle = resolve))
  }

  /** Disconnects all clients, so that they connect to the next owner. */
  dismiss(): void {
    for (const socket of this.#sockets) socket.destroySoon()
  }

  #welcome(socket: Socket): void {
    this.#sockets.add(socket)
    socket.unref()
    const feeds = new Map<number, AbortController>()
    const leave = () => {
      this.#sockets.delete(socket)
      for (const feed of feeds.values()) feed.abort()
    }
    socket.on('close', leave)
    socket.on('error', () => socket.destroy())
    onLines(socket, (line) => this.#take(socket, line, feeds))
    socket.resume()
  }

  #take(socket: Socket, line: string, feeds: Map<number, AbortController>): void {
    if (this.#draining) return
    const request = parseRequest(line)
    if (!request) {
      socket.destroy()
      return
    }
    if (request.method === 'feed' || request.method === 'live') {
      const controller = new AbortController()
      feeds.set(request.id, controller)
      void this.#stream(socket, request, controller.signal)
    } else if (request.method === 'stop-feed') {
      const id = Number(request.arguments[0])
      feeds.get(id)?.abort()
      feeds.delete(id)
    } else if (request.method === 'live-rows') {
      this.#store.publishLive(request.arguments[0] as readonly LiveRow[])
    } else {
      void this.#answer(socket, request.id, request.method, request.arguments)
    }
  }

  async #answer(socket: Socket, id: number, method: StoreMethod, given: readonly unknown[]): Promise<void> {
    this.#working += 1
    try {
      const call = this.#store[method] as (...values: readonly unknown[]) => Promise<unknown>
      this.#send(socket, { id, result: await call.apply(this.#store, given as unknown[]) })
    } catch (error) {
      this.#send(socket, { id, failure: describe(error) })
    } finally {
      this.#working -= 1
      if (this.#working === 0) this.#idle?.()
    }
  }

  async #stream(socket: Socket, request: StoreRequest, signal: AbortSignal): Promise<void> {
    const { id, method, arguments: given } = request
    const items: AsyncIterable<unknown> =
      method === 'live'
        ? this.#store.live(signal)
        : this.#store.feed((given[0] ?? undefined) as Cursor | undefined, signal)
    for await (const item of items) {
      this.#send(socket, { id, item })
      if (socket.writableNeedDrain)
        await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve))
    }
  }

  #send(socket: Socket, answer: StoreAnswer): void {
    if (socket.destroyed) return
    // A single answer may exceed the bound; several unread ones may not.
    if (socket.writableLength > UNREAD_BYTES_MAX) socket.destroy()
    else socket.write(`${encode(answer)}\n`)
  }
}

function parseRequest(line: string): StoreRequest | undefined {
  try {
    const request = decode(line) as StoreRequest
    const known = [...STORE_METHODS, 'feed', 'live', 'stop-feed', 'live-rows'] as readonly string[]
    if (!known.includes(request.method) || !Array.isArray(request.arguments)) return undefined
    return request.method === 'live-rows' && !Array.isArray(request.arguments[0]) ? undefined : request
  } catch {
    return undefined
  }
}

function describe(error: unknown): { code: string; message: string; hint: string; retryable: boolean } {
  if (error instanceof Failure) {
    const { code, message, hint, retryable } = error
    return { code, message, hint, retryable }
  }
  return {
    code: 'BUG',
    message: String(error),
    hint: 'this is a defect of AXIOM; please report it',
    retryable: false,
  }
}
