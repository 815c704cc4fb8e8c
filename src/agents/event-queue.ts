/** Events wait here for their reader; past the bound the writer waits for room. One writer, one reader. */
export class EventQueue<T> implements AsyncIterable<T> {
  readonly #lengthMax: number
  #items: T[] = []
  #closed = false
  #bounded = true
  /** The reader has left: further events are dropped. */
  #abandoned = false
  #wakeReader: (() => void) | undefined
  #wakeWriter: (() => void) | undefined

  constructor(lengthMax: number) {
    this.#lengthMax = lengthMax
  }

  put(item: T): void {
    if (this.#abandoned || this.#closed) return
    this.#items.push(item)
    this.#wakeReader?.()
  }

  /** Resolves when the reader has caught up. */
  async room(): Promise<void> {
    while (this.#bounded && this.#items.length >= this.#lengthMax && !this.#abandoned)
      await new Promise<void>((resolve) => {
        this.#wakeWriter = resolve
      })
  }

  close(): void {
    this.#closed = true
    this.#wakeReader?.()
  }

  /** From now on the writer never waits: used when the process is gone and only its last output is left. */
  unbound(): void {
    this.#bounded = false
    this.#wakeWriter?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    try {
      for (;;) {
        const batch = this.#items
        this.#items = []
        this.#wakeWriter?.()
        yield* batch
        if (this.#items.length > 0) continue
        if (this.#closed) return
        await new Promise<void>((resolve) => {
          this.#wakeReader = resolve
        })
      }
    } finally {
      this.#abandoned = true
      this.#items = []
      this.#wakeWriter?.()
    }
  }
}
