/** What may wait for one client. One that is further behind is let go, and comes back with its cursor or a new snapshot. */
const QUEUE_BYTES_MAX = 4 * 1024 * 1024

/** One open connection. What it has not read waits in its own queue, and never longer than the bound. */
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

  /** False: the client was too far behind, and is gone. */
  take(bytes: Uint8Array): boolean {
    if (!this.#controller) return false
    if ((this.#controller.desiredSize ?? 0) < bytes.length) {
      this.drop()
      return false
    }
    this.#controller.enqueue(bytes)
    return true
  }

  /** Only for a client that has read everything before: for the others a newer one will come. */
  takeIfIdle(bytes: Uint8Array): void {
    if (this.#controller?.desiredSize === QUEUE_BYTES_MAX) this.take(bytes)
  }

  /** Ends the connection at once; ending the stream alone would wait for a client that does not read. */
  drop(): void {
    this.#end()
    this.#cut()
  }

  /** Ends the connection after what was sent. */
  finish(): void {
    this.#controller?.close()
    this.#end()
  }

  #end(): void {
    this.#controller = undefined
    this.#leave(this)
  }
}
