import type { CommandAnswer, ErrorAnswer, PersonCommand, Snapshot } from '../../../src/server/contract.ts'
import { parsePlain } from './plain-text.ts'

/** An unsuccessful answer, with the server's message. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly hint: string

  constructor(status: number, { code, message, hint }: ErrorAnswer['error']) {
    super(message)
    this.status = status
    this.code = code
    this.hint = hint
  }
}

const UNREACHABLE = {
  code: 'UNREACHABLE',
  message: 'AXIOM does not answer.',
  hint: 'Start it again with: axiom serve',
}

/** All requests of the pages to the server. */
export class Client {
  readonly #token: string

  constructor(token: string) {
    this.#token = token
  }

  get headers(): Record<string, string> {
    return { authorization: `Bearer ${this.#token}` }
  }

  snapshot(signal?: AbortSignal): Promise<Snapshot> {
    return this.get('/api/snapshot', signal)
  }

  async get<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
    return this.#ask(path, { headers: this.headers, ...(signal ? { signal } : {}) })
  }

  /** The key makes a second click, or a retry after a lost answer, the same command. */
  command(command: PersonCommand, key: string = crypto.randomUUID()): Promise<CommandAnswer> {
    return this.#ask('/api/commands', {
      method: 'POST',
      headers: { ...this.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ key, command }),
    })
  }

  async #ask<Answer>(path: string, request: RequestInit): Promise<Answer> {
    const response = await fetch(path, request).catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') throw error
      throw new ApiError(0, UNREACHABLE)
    })
    const body = await response
      .text()
      .then(parsePlain)
      .catch(() => undefined)
    // A refusal is an answer, not an error: it says what is allowed instead.
    if (response.ok || (response.status === 409 && isRefusal(body))) return body as Answer
    throw new ApiError(response.status, (body as ErrorAnswer | undefined)?.error ?? UNREACHABLE)
  }
}

function isRefusal(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'kind' in body && body.kind === 'refused'
}
