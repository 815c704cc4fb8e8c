import { LineFramer } from '../platform/process/line-framer.ts'
import type { AgentEvent } from './driver.ts'

/** A tool result is one line; a file of a few megabytes is ordinary, more is not worth the memory. */
const LINE_BYTES_MAX = 8 * 1024 * 1024
const SHOWN_LENGTH_MAX = 200

export type JsonObject = Readonly<Record<string, unknown>>

/** Parses bytes into JSON objects; any other line is reported as a problem and skipped. */
export class JsonLines {
  /** How many lines could be used. */
  understood = 0
  readonly #framer = new LineFramer(LINE_BYTES_MAX)
  readonly #take: (object: JsonObject, raw: string) => void
  readonly #emit: (event: AgentEvent) => void
  #oversize = 0

  constructor(take: (object: JsonObject, raw: string) => void, emit: (event: AgentEvent) => void) {
    this.#take = take
    this.#emit = emit
  }

  push(chunk: Buffer): void {
    this.#read(this.#framer.push(chunk))
  }

  flush(): void {
    this.#read(this.#framer.flush())
  }

  #read(lines: readonly Buffer[]): void {
    for (const line of lines) {
      const raw = line.toString('utf8')
      if (raw.trim() === '') continue
      const object = parseObject(raw)
      if (object) {
        this.understood += 1
        this.#take(object, raw)
      } else {
        const detail = raw.slice(0, SHOWN_LENGTH_MAX)
        this.#emit({ type: 'problem', code: 'AGENT_LINE_NOT_JSON', detail })
      }
    }
    if (this.#framer.oversize === this.#oversize) return
    const dropped = this.#framer.oversize - this.#oversize
    this.#oversize = this.#framer.oversize
    this.#emit({ type: 'problem', code: 'AGENT_LINE_TOO_LONG', detail: `${dropped} dropped` })
  }
}

function parseObject(text: string): JsonObject | undefined {
  try {
    return objectOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

export function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}

export function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(objectOf).filter((item) => item !== undefined) : []
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0
}
