import type { Signal } from '../signals/finding.ts'

/** A word from a person to an agent. */
export interface PersonsMessage {
  readonly by: string
  readonly text: string
}

/** A person who says more than this at once had better write a file. */
const MESSAGES_WAITING_MAX = 100

type Listener = () => void

/** The handle by which people reach a run: whoever holds it may tell, pause, resume and stop. */
export class RunControl {
  readonly #waiting: PersonsMessage[] = []
  readonly #stopping = new AbortController()
  readonly #ending = new AbortController()
  #isPaused = false
  #isFinishing = false
  #expiry: string | undefined
  #onMessage: Listener | undefined
  #onResume: Listener | undefined
  #onWord: ((signal: Signal) => void) | undefined

  /** False: too many messages wait already. */
  tell(message: PersonsMessage): boolean {
    if (this.#waiting.length >= MESSAGES_WAITING_MAX) return false
    this.#waiting.push(message)
    this.#onMessage?.()
    return true
  }

  /** Takes effect at the end of the running iteration. */
  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    this.#onResume?.()
  }

  /** The running iteration is the last one. */
  finish(): void {
    this.#isFinishing = true
    this.#ending.abort()
    this.#onResume?.()
  }

  /** Stops it as one whose time is up. */
  expire(reason: string): void {
    this.#expiry ??= reason
    this.stop()
  }

  /** Why its time is up, where it is. */
  get expiry(): string | undefined {
    return this.#expiry
  }

  stop(): void {
    this.#stopping.abort()
    this.#ending.abort()
    this.#onResume?.()
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  /** Whether no further iteration may begin. */
  get isEnding(): boolean {
    return this.#isFinishing || this.stopping.aborted
  }

  /** Given as soon as no further iteration may begin: whoever only waits for one need not wait any more. */
  get ending(): AbortSignal {
    return this.#ending.signal
  }

  get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  /** Resolves when the run may go on, or is stopped. */
  async resumed(): Promise<void> {
    while (this.#isPaused && !this.isEnding) {
      await new Promise<void>((resolve) => {
        this.#onResume = resolve
      })
    }
    this.#onResume = undefined
  }

  /** What the agent says while it works, for whoever wants to hear it at once. */
  hear(signal: Signal): void {
    this.#onWord?.(signal)
  }

  listen(onWord: (signal: Signal) => void): void {
    this.#onWord = onWord
  }

  /** Everything that waits, and nothing twice. */
  takeMessages(): PersonsMessage[] {
    return this.#waiting.splice(0)
  }

  /** Offers each message to a running agent as it comes; what it cannot take waits for the next prompt. */
  deliverTo(send: (text: string) => Promise<boolean>): AsyncDisposable {
    const offer = async (): Promise<void> => {
      const messages = this.takeMessages()
      const refused: PersonsMessage[] = []
      for (const message of messages) {
        const taken = refused.length === 0 && (await send(`A message from ${message.by}:\n${message.text}`))
        if (!taken) refused.push(message)
      }
      this.#waiting.unshift(...refused)
    }
    let offering = Promise.resolve()
    this.#onMessage = () => {
      offering = offering.then(offer)
    }
    return {
      [Symbol.asyncDispose]: () => {
        this.#onMessage = undefined
        return offering
      },
    }
  }
}
