/**
 * The bound of one client's queue. A client that falls further behind is disconnected, and returns with its
 * cursor or for a new snapshot.
 */
const QUEUE_BYTES_MAX = 4 * 1024 * 1024

/** One open connection, with a bounded queue of unread messages. */
export class StreamClient {
  readonly body: ReadableStream<Uint8Array>
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  readonly #cut: () => void
  readonly #leave: (client: StreamClient) => void

  constructor(cut: () => void, leave: (client: StreamClient) => void) {
    this.#cut = cut
    this.#leave = leave
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        cancel: () => this.#end(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: QUEUE_BYTES_MAX }),
    )
  }

  /** False if the client was too far behind and is disconnected. */
  take(bytes: Uint8Array): boolean {
    if (!this.#controller) return false
    if ((this.#controller.desiredSize ?? 0) < bytes.length) {
      this.drop()
      return false
    }
    this.#controller.enqueue(bytes)
    return true
  }

  /** Only for a client that has read everything before; the others get a newer message later. */
  takeIfIdle(bytes: Uint8Array): void {
    if (this.#controller?.desiredSize === QUEUE_BYTES_MAX) this.take(bytes)
  }

  /** Ends the connection at once; ending the stream alone would wait for a client that does not read. */
  drop(): void {
    this.#end()
    this.#cut()
  }

  /** Ends the connection after the queued messages. */
  finish(): void {
    this.#controller?.close()
    this.#end()
  }

  #end(): void {
    this.#controller = undefined
    this.#leave(this)
  }
}
