/** The life of one process: every step it takes in the world goes through here, and one of them may be the last. */
export class Life {
  readonly #over = new AbortController()
  readonly #lastStep: number
  readonly #diesBefore: boolean
  #steps = 0
  #underWay = 0
  #activity = 0

  /** Dies at a step: before it is taken, or when it is taken and nobody was told yet. */
  constructor(lastStep: number, diesBefore: boolean) {
    this.#lastStep = lastStep
    this.#diesBefore = diesBefore
  }

  get isOver(): boolean {
    return this.#over.signal.aborted
  }

  get steps(): number {
    return this.#steps
  }

  /** A step that ends by itself. */
  pass<T>(step: () => Promise<T>): Promise<T> {
    return this.act(() => this.watch(step))
  }

  /** A step in which simulated time passes. */
  async act<T>(step: () => Promise<T>): Promise<T> {
    if (this.isOver) return never()
    this.#steps += 1
    const isLast = this.#steps === this.#lastStep
    if (isLast && this.#diesBefore) this.#over.abort()
    if (this.isOver) return never()
    const result = await step()
    if (isLast) this.#over.abort()
    return this.isOver ? never() : result
  }

  /** Counted as something that has to come to rest before time goes on. */
  async watch<T>(step: () => Promise<T>): Promise<T> {
    this.#underWay += 1
    this.#activity += 1
    try {
      return await step()
    } finally {
      this.#underWay -= 1
      this.#activity += 1
    }
  }

  /** Waiting for simulated time keeps nobody from resting. */
  async wait(sleep: () => Promise<void>): Promise<void> {
    await sleep()
    this.#activity += 1
    if (this.isOver) await never()
  }

  /** Until everything that can happen without time has happened. */
  async rest(): Promise<void> {
    for (let calm = 0; calm < CALM_ROUNDS; ) {
      const before = this.#activity
      await new Promise((resolve) => setImmediate(resolve))
      calm = this.#activity === before && (this.#underWay === 0 || this.isOver) ? calm + 1 : 0
    }
  }
}

/** A step may lead to the next over the loop of the feed, which takes a round or two. */
const CALM_ROUNDS = 3

function never<T>(): Promise<T> {
  return new Promise(() => undefined)
}
