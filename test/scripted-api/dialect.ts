import type { Turn } from './script.ts'

export interface Answer {
  readonly contentType: string
  /** Written one after the other; a fault in the stream comes after the first of `head`. */
  readonly head: readonly string[]
  readonly rest: readonly string[]
}

/** How one vendor's interface is read and written. */
export interface Dialect {
  readonly name: string
  matches(path: string): boolean
  /** How often the model has spoken; undefined for a request that the script does not answer. */
  countTurns(body: Body): number | undefined
  modelOf(body: Body, path: string): string
  answer(turn: Turn, body: Body, number: number, path: string): Answer
  errorBody(status: number): Body
  errorFrame(): string
}

export type Body = Record<string, unknown>

export const INPUT_TOKENS = 1_000
export const OUTPUT_TOKENS = 50

const CHUNK_CHARACTERS = 17

/** Speech in small pieces, so that a signal is always torn over several of them. */
export function pieces(text: string): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${CHUNK_CHARACTERS}}`, 'g')) ?? []
}

export function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function bodies(value: unknown): Body[] {
  return Array.isArray(value) ? value.filter(isBody) : []
}

export function sse(value: unknown, event?: string): string {
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(value)}\n\n`
}
