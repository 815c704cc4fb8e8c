import { cleanLine } from './clean-text.ts'
import { BLOCK_BYTES_MAX, LINE_BYTES_MAX } from './limits.ts'
import { closesFence, type Fence, fenceOpenedBy, SHAPING_BYTES, shapeOf } from './line-shape.ts'

/** A paragraph of the agent's own words; its lines are clean and lie one after the other from `firstLine`. */
export interface Block {
  readonly lines: readonly string[]
  readonly firstLine: number
  /** The one line of this block was longer than a line may be, so nothing in it is a signal. */
  readonly isCut: boolean
}

export type AsideKind = 'blank' | 'quote' | 'fence' | 'code'

export interface SpeechListener {
  /** While true every line is reported; otherwise only blocks that may hold a signal. */
  wantsEverything(): boolean
  hearBlock(block: Block): void
  /** A line that is not the agent's own words. */
  hearAside(kind: AsideKind, text: string): void
}

/** How the scanner knows a line that deserves a closer look. */
export interface Cues {
  /** The word of the tags, in lower case. */
  readonly tag: string
  readonly markerInitials: readonly string[]
  readonly lineNames: readonly string[]
}

const LINE_FEED = 0x0a
const ESCAPE = 0x1b
const OPENING_BRACKET = 0x5b
const LESS = 0x3c
const SPACE = 0x20
const BYTE_ORDER_MARK_FIRST = 0xef
const LOWER_CASE_BIT = 0x20
/** A block and a line are held at most, so about half of the window is free once it has been cleared. */
const WINDOW_BYTES = 2 * (LINE_BYTES_MAX + BLOCK_BYTES_MAX)
/** Clearing later than at half means that each clearing drops at least as much as a quarter: linear in all. */
const WINDOW_REFILL_BYTES = 0.75 * WINDOW_BYTES

const PLAIN = 0
const SHAPING = 1
const NAMING = 2

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()

/**
 * Cuts the bytes of messages into lines and paragraphs and leaves out what cannot matter. Every byte is looked at
 * once; only blocks with a cue are decoded. What it reports does not depend on how the bytes were chunked.
 */
export class SpeechScanner {
  readonly #listener: SpeechListener
  readonly #cueBytes: ReadonlySet<number>
  readonly #nameStarts: ReadonlySet<number>
  /** Bytes at which the inner loop stops. */
  readonly #stops = new Uint8Array(256)
  readonly #lineStarts = new Uint8Array(256)

  readonly #window = new Uint8Array(WINDOW_BYTES)
  #filled = 0
  #position = 0
  #lineStart = 0
  #lineNumber = 1
  #lineHasCue = false
  #lineHasEscape = false
  #blockStart = 0
  #blockFirstLine = 1
  #blockHasCue = false
  #fence: Fence | null = null
  /** Inside the dropped rest of a line that was cut. */
  #isSkipping = false
  #hasSpoken = false

  constructor(cues: Cues, listener: SpeechListener) {
    this.#listener = listener
    for (const byte of [LINE_FEED, ESCAPE, OPENING_BRACKET, LESS]) this.#stops[byte] = 1
    for (const byte of SHAPING_BYTES) this.#lineStarts[byte] = SHAPING
    for (const name of cues.lineNames) this.#lineStarts[name.charCodeAt(0)] = NAMING
    this.#cueBytes = new Set(
      [cues.tag, ...cues.markerInitials].map((word) => word.charCodeAt(0) | LOWER_CASE_BIT),
    )
    this.#nameStarts = new Set(cues.lineNames.map((name) => nameKey(encoder.encode(name), 0)))
  }

  feed(chunk: Uint8Array): void {
    let offset = 0
    while (offset < chunk.length) {
      if (this.#isSkipping) {
        const end = chunk.indexOf(LINE_FEED, offset)
        if (end === -1) return
        this.#isSkipping = false
        offset = end + 1
        continue
      }
      const taken = Math.min(chunk.length - offset, WINDOW_BYTES - this.#filled)
      this.#window.set(chunk.subarray(offset, offset + taken), this.#filled)
      this.#filled += taken
      offset += taken
      this.#scan()
      this.#makeRoom()
    }
  }

  /** Ends the message; says whether there was anything but blanks in it. */
  endMessage(): boolean {
    if (this.#lineStart < this.#filled) this.#endLine(this.#filled, this.#filled, false)
    this.#flushBlock(this.#lineStart)
    const hasSpoken = this.#hasSpoken
    this.#filled = 0
    this.#position = 0
    this.#lineStart = 0
    this.#blockStart = 0
    this.#lineNumber = 1
    this.#lineHasCue = false
    this.#lineHasEscape = false
    this.#fence = null
    this.#isSkipping = false
    this.#hasSpoken = false
    return hasSpoken
  }

  #scan(): void {
    const bytes = this.#window
    const stops = this.#stops
    const filled = this.#filled
    let i = this.#position
    for (;;) {
      const bound = this.#lineStart + LINE_BYTES_MAX + 1
      const limit = Math.min(bound, filled)
      while (i < limit && stops[bytes[i] as number] === 0) i += 1
      if (i >= limit) {
        if (limit !== bound) break
        i = this.#cutLine()
        if (this.#isSkipping) break
      } else if (bytes[i] === LINE_FEED) {
        this.#passLine(i)
        i += 1
      } else {
        this.#noticeCue(i)
        i += 1
      }
    }
    this.#position = Math.min(i, this.#filled)
  }

  #noticeCue(at: number): void {
    const byte = this.#window[at]
    if (byte === ESCAPE) {
      this.#lineHasEscape = true
      this.#lineHasCue = true
      return
    }
    // The byte behind the last one is not known yet: a closer look never changes the result, only the cost.
    if (at + 1 >= this.#filled) this.#lineHasCue = true
    else if (this.#cueBytes.has((this.#window[at + 1] as number) | LOWER_CASE_BIT)) this.#lineHasCue = true
  }

  #passLine(end: number): void {
    if (this.#lineHasEscape || this.#lineNumber === 1 || !this.#isDull(end)) {
      this.#endLine(end, end + 1, false)
      return
    }
    this.#hasSpoken = true
    this.#lineNumber += 1
    this.#lineStart = end + 1
    this.#lineHasCue = false
    if (this.#fence !== null) this.#beginBlock(end + 1)
  }

  /** The common case: more code inside a fence, or a line of plain text that continues a paragraph. */
  #isDull(end: number): boolean {
    const bytes = this.#window
    let at = this.#lineStart
    if (this.#fence !== null) {
      if (this.#listener.wantsEverything()) return false
      while (bytes[at] === SPACE) at += 1
      return bytes[at] !== this.#fence.byte
    }
    if (this.#lineHasCue || end - this.#blockStart > BLOCK_BYTES_MAX) return false
    const kind = this.#lineStarts[bytes[at] as number]
    return kind === PLAIN || (kind === NAMING && !this.#nameStarts.has(nameKey(bytes, at)))
  }

  /** Handles a line that is too long: what is kept counts as the line, the rest is dropped up to its end. */
  #cutLine(): number {
    const cutAt = this.#lineStart + LINE_BYTES_MAX
    const lineFeed = this.#window.subarray(0, this.#filled).indexOf(LINE_FEED, cutAt)
    const next = lineFeed === -1 ? this.#filled : lineFeed + 1
    this.#isSkipping = lineFeed === -1
    this.#endLine(cutAt, next, true)
    return next
  }

  #endLine(end: number, next: number, isCut: boolean): void {
    const start = this.#lineStart
    const isFirst = this.#lineNumber === 1 && this.#window[start] === BYTE_ORDER_MARK_FIRST
    if (this.#lineHasEscape || isFirst) {
      const line = encoder.encode(this.#lineText(start, end))
      this.#placeLine(line, 0, line.length, end, next, isCut)
    } else this.#placeLine(this.#window, start, end, end, next, isCut)
    this.#lineNumber += 1
    this.#lineStart = next
    this.#lineHasCue = false
    this.#lineHasEscape = false
    if (this.#blockStart === next) this.#blockFirstLine = this.#lineNumber
  }

  /** `bytes` from `from` to `to` is the line as it is judged; `end` and `next` are places in the window. */
  #placeLine(bytes: Uint8Array, from: number, to: number, end: number, next: number, isCut: boolean): void {
    const start = this.#lineStart
    if (this.#fence !== null) {
      const closes = closesFence(this.#fence, bytes, from, to)
      this.#aside(closes ? 'fence' : 'code', start, end)
      if (closes) this.#fence = null
      this.#hasSpoken = true
      this.#beginBlock(next)
      return
    }
    const shape = shapeOf(bytes, from, to)
    if (shape !== 'blank') this.#hasSpoken = true
    const fence = shape === 'text' || shape === 'item' ? fenceOpenedBy(bytes, from, to) : null
    if (shape === 'blank' || shape === 'quote' || fence !== null) {
      this.#flushBlock(start)
      this.#fence = fence
      this.#aside(fence === null ? (shape === 'quote' ? 'quote' : 'blank') : 'fence', start, end)
      this.#beginBlock(next)
      return
    }
    if (shape !== 'text' || isCut || end - this.#blockStart > BLOCK_BYTES_MAX) this.#flushBlock(start)
    if (isCut) {
      this.#report(end, true)
      this.#beginBlock(next)
      return
    }
    this.#blockHasCue ||= this.#lineHasCue || this.#nameStarts.has(nameKey(bytes, from))
    if (shape === 'single') this.#flushBlock(next)
  }

  #beginBlock(at: number): void {
    this.#blockStart = at
    this.#blockFirstLine = this.#lineNumber
    this.#blockHasCue = false
  }

  #flushBlock(end: number): void {
    if (end > this.#blockStart && (this.#blockHasCue || this.#listener.wantsEverything()))
      this.#report(end, false)
    this.#beginBlock(end)
  }

  #report(end: number, isCut: boolean): void {
    if (isCut && !this.#listener.wantsEverything()) return
    const text = decoder.decode(this.#window.subarray(this.#blockStart, end))
    const firstLine = this.#blockFirstLine
    const lines = text.split('\n')
    if (lines.length > 1 && lines.at(-1) === '') lines.pop()
    this.#listener.hearBlock({
      lines: lines.map((line, i) => cleanLine(line, firstLine + i === 1)),
      firstLine,
      isCut,
    })
  }

  #aside(kind: AsideKind, start: number, end: number): void {
    if (this.#listener.wantsEverything()) this.#listener.hearAside(kind, this.#lineText(start, end))
  }

  #lineText(start: number, end: number): string {
    return cleanLine(decoder.decode(this.#window.subarray(start, end)), this.#lineNumber === 1)
  }

  /** Moves what is still needed to the front once most of the window is used. */
  #makeRoom(): void {
    if (this.#isSkipping) {
      this.#filled = 0
      this.#position = 0
      this.#lineStart = 0
      this.#blockStart = 0
      return
    }
    if (this.#filled < WINDOW_REFILL_BYTES) return
    const keep = this.#blockStart
    this.#window.copyWithin(0, keep, this.#filled)
    this.#filled -= keep
    this.#position -= keep
    this.#lineStart -= keep
    this.#blockStart = 0
  }
}

/** The first three bytes of a line signal's name, as one number. */
function nameKey(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
}
