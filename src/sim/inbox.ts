import { isObject } from './check.ts'

export type Answer = { readonly allowed: boolean; readonly message: string }

/** The input of a running agent: messages, answers to its questions, and the end of both. */
export class Inbox {
  readonly #messages: string[] = []
  readonly #waiting: ((message: string | undefined) => void)[] = []
  readonly #answers = new Map<string, (answer: Answer) => void>()
  #ended = false

  take(line: string, control: (request: Record<string, unknown>, id: string) => void): void {
    const value = parse(line)
    if (value?.type === 'user') this.#deliver(textOf(value.message))
    else if (value?.type === 'control_request' && isObject(value.request)) {
      control(value.request, String(value.request_id ?? ''))
    } else if (value?.type === 'control_response' && isObject(value.response)) this.#resolve(value.response)
  }

  end(): void {
    this.#ended = true
    for (const resolve of this.#waiting.splice(0)) resolve(undefined)
    for (const resolve of this.#answers.values())
      resolve({ allowed: false, message: 'nobody is there to ask' })
    this.#answers.clear()
  }

  /** The next message; undefined after the end of the input or when the wait is aborted. */
  async next(giveUp: AbortSignal): Promise<string | undefined> {
    const ready = this.#messages.shift()
    if (ready !== undefined || this.#ended || giveUp.aborted) return ready
    return new Promise((resolve) => {
      const done = (message: string | undefined): void => {
        const place = this.#waiting.indexOf(done)
        if (place >= 0) this.#waiting.splice(place, 1)
        giveUp.removeEventListener('abort', gaveUp)
        resolve(message)
      }
      const gaveUp = (): void => done(undefined)
      giveUp.addEventListener('abort', gaveUp)
      this.#waiting.push(done)
    })
  }

  /** Settles when the answer to this request arrives. */
  async answerTo(requestId: string): Promise<Answer> {
    if (this.#ended) return { allowed: false, message: 'nobody is there to ask' }
    return new Promise((resolve) => this.#answers.set(requestId, resolve))
  }

  #deliver(message: string): void {
    const waiting = this.#waiting.shift()
    if (waiting) waiting(message)
    else this.#messages.push(message)
  }

  #resolve(response: Record<string, unknown>): void {
    const id = String(response.request_id ?? '')
    const answer = isObject(response.response) ? response.response : {}
    this.#answers.get(id)?.({
      allowed: response.subtype === 'success' && answer.behavior === 'allow',
      message: String(answer.message ?? response.error ?? ''),
    })
    this.#answers.delete(id)
  }
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function textOf(message: unknown): string {
  if (!isObject(message)) return ''
  if (typeof message.content === 'string') return message.content
  if (!Array.isArray(message.content)) return ''
  return message.content.map((block) => (isObject(block) ? String(block.text ?? '') : '')).join('\n')
}
