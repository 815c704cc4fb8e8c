import type { CaseId, Stage } from '../cases/case.ts'
import type { Signal } from '../signals/finding.ts'

/** A message from a person to an agent. */
export interface PersonsMessage {
  /** A message with the same id is delivered once, however often it is given. */
  readonly id?: string
  readonly by: string
  readonly text: string
}

/** The lease under which an agent works. */
export interface HeldLease {
  readonly id: CaseId
  readonly stage: Stage
  readonly fence: number
}

/** A person with more to say than this should write a file. */
const MESSAGES_WAITING_MAX = 100

type Listener = () => void

/** The handle through which people tell, pause, resume and stop a run. */
export class RunControl {
  readonly #waiting: PersonsMessage[] = []
  readonly #told = new Set<string>()
  readonly #stopping = new AbortController()
  readonly #ending = new AbortController()
  #isPaused = false
  #isFinishing = false
  #isClosed = false
  #isLeaseLost = false
  #lease: HeldLease | undefined
  #expiry: string | undefined
  #onMessage: Listener | undefined
  #onResume: Listener | undefined
  #onWord: ((signal: Signal) => void) | undefined

  /** Names the lease that is kept for the duration of the run. */
  holdLease(lease: HeldLease): void {
    this.#lease = lease
  }

  get lease(): HeldLease | undefined {
    return this.#lease
  }

  /** Another agent may hold the task by now: the run stops, and its result does not count. */
  loseLease(): void {
    this.#isLeaseLost = true
    this.stop()
  }

  get isLeaseLost(): boolean {
    return this.#isLeaseLost
  }

  /** False: too many messages wait already, or the run is over. */
  tell(message: PersonsMessage): boolean {
    if (message.id !== undefined && this.#told.has(message.id)) return true
    if (this.#isClosed || this.#waiting.length >= MESSAGES_WAITING_MAX) return false
    if (message.id !== undefined) this.#told.add(message.id)
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

  /** Stops the run as timed out. */
  expire(reason: string): void {
    this.#expiry ??= reason
    this.stop()
  }

  /** Why the run timed out, if it did. */
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

  /** Aborted as soon as no further iteration may begin: a run that only waits for one can stop waiting. */
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

  /** Passes a signal of the running agent to its listeners at once. */
  hear(signal: Signal): void {
    this.#onWord?.(signal)
  }

  listen(onWord: (signal: Signal) => void): void {
    this.#onWord = onWord
  }

  /** Takes all waiting messages, each only once. */
  takeMessages(): PersonsMessage[] {
    return this.#waiting.splice(0)
  }

  /** Takes the messages that no agent has read; no more are accepted from now on. */
  close(): PersonsMessage[] {
    this.#isClosed = true
    return this.takeMessages()
  }

  /**
   * Offers each message to a running agent as it arrives; one that it cannot take waits for the next prompt.
   */
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
