import { cleanLine } from './clean-text.ts'
import { BLOCK_BYTES_MAX, LINE_BYTES_MAX } from './limits.ts'
import {
  CODE_INDENT,
  closesFence,
  DASH,
  DOT,
  type Fence,
  fenceOpenedBy,
  isDigit,
  SHAPING_BYTES,
  SPACE,
  STAR,
  shapeOf,
} from './line-shape.ts'

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
  /** A byte behind `<` or `[`, in lower case, that makes a cue of it. */
  readonly inside: Uint8Array
  /** What the first byte of a line may be the beginning of. */
  readonly lineStarts: Uint8Array
  /** The first three bytes of each line signal. */
  readonly nameStarts: ReadonlySet<number>
}

export function makeCues(bracketed: readonly string[], lineNames: readonly string[]): Cues {
  const inside = new Uint8Array(256)
  const lineStarts = new Uint8Array(256)
  for (const word of bracketed) inside[word.charCodeAt(0) | LOWER_CASE_BIT] = 1
  for (const byte of SHAPING_BYTES) lineStarts[byte] = SHAPING
  for (const name of lineNames) lineStarts[name.charCodeAt(0)] = NAMING
  return {
    inside,
    lineStarts,
    nameStarts: new Set(lineNames.map((name) => nameKey(encoder.encode(name), 0))),
  }
}

const LINE_FEED = 0x0a
const ESCAPE = 0x1b
const LESS = 0x3c
const OPENING_BRACKET = 0x5b
const BYTE_ORDER_MARK_FIRST = 0xef
const LOWER_CASE_BIT = 0x20
/** Most messages are short; the window grows with the ones that are not. */
const WINDOW_START_BYTES = 1024
/** A block and a line are held at most, so about half of the window is free once it has been cleared. */
const WINDOW_BYTES_MAX = 2 * (LINE_BYTES_MAX + BLOCK_BYTES_MAX)
/** Clearing later than at half means that each clearing drops at least as much as a quarter: linear in all. */
const WINDOW_REFILL_BYTES = 0.75 * WINDOW_BYTES_MAX

const NO_BYTES = new Uint8Array(0)
const SHAPING = 1
const NAMING = 2

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()

/**
 * Cuts the bytes of messages into lines and paragraphs and leaves out what cannot matter. Only blocks with a cue are
 * decoded; everything else is passed over by native searches. What it reports does not depend on how the bytes were
 * chunked.
 */
export class SpeechScanner {
  readonly #listener: SpeechListener
  readonly #cues: Cues

  #window: Uint8Array = NO_BYTES
  #filled = 0
  /** Up to here the window has been searched for line feeds and cues. */
  #searched = 0
  /** The next of each kind of cue, or where the search for it ended. One that lies before its line is outdated. */
  #nextLess = 0
  #nextBracket = 0
  #nextEscape = 0
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
    this.#cues = cues
  }

  feed(chunk: Uint8Array): void {
    let offset = 0
    while (offset < chunk.length) {
      if (this.#isSkipping) {
        const end = chunk.indexOf(LINE_FEED, offset)
        if (end === -1) return
        this.#isSkipping = false
        offset = end + 1
      } else if (this.#filled === 0) {
        this.#scanInPlace(chunk.subarray(offset))
        return
      } else offset += this.#takeIn(chunk.subarray(offset))
    }
  }

  /** With nothing left over from before there is no need to copy what arrives, but for its unfinished end. */
  #scanInPlace(chunk: Uint8Array): void {
    const own = this.#window
    this.#window = asFastest(chunk)
    this.#filled = chunk.length
    this.#scan()
    const rest = this.#isSkipping ? chunk.subarray(0, 0) : chunk.subarray(this.#blockStart)
    this.#window = own
    if (this.#isSkipping) this.#forget()
    else this.#shift(this.#blockStart)
    this.#filled = 0
    this.#grow(rest.length)
    this.#window.set(rest)
    this.#filled = rest.length
  }

  #takeIn(chunk: Uint8Array): number {
    this.#grow(chunk.length)
    const taken = Math.min(chunk.length, this.#window.length - this.#filled)
    this.#window.set(chunk.subarray(0, taken), this.#filled)
    this.#filled += taken
    this.#scan()
    this.#makeRoom()
    return taken
  }

  /** Ends the message; says whether there was anything but blanks in it. */
  endMessage(): boolean {
    if (this.#lineStart < this.#filled) this.#passLastLine()
    this.#flushBlock(this.#lineStart)
    const hasSpoken = this.#hasSpoken
    this.#forget()
    this.#blockFirstLine = 1
    this.#lineNumber = 1
    this.#fence = null
    this.#isSkipping = false
    this.#hasSpoken = false
    return hasSpoken
  }

  /** Without a line feed behind it the last line was not looked at yet, so it counts as one with every cue. */
  #passLastLine(): void {
    this.#lineHasCue = true
    this.#lineHasEscape = true
    this.#endLine(this.#filled, this.#filled, false)
  }

  #scan(): void {
    const view = this.#window.subarray(0, this.#filled)
    const searched = this.#searched
    if (this.#nextLess >= searched) this.#nextLess = this.#findCue(view, LESS, searched)
    if (this.#nextBracket >= searched) this.#nextBracket = this.#findCue(view, OPENING_BRACKET, searched)
    if (this.#nextEscape >= searched) this.#nextEscape = this.#findCue(view, ESCAPE, searched)
    let from = searched
    while (!this.#isSkipping) {
      let found = view.indexOf(LINE_FEED, from)
      found = this.#fence === null ? this.#passText(view, found) : this.#passCode(view, this.#fence, found)
      const end = found === -1 ? view.length : found
      if (end - this.#lineStart > LINE_BYTES_MAX) this.#cutLine(view, found)
      else if (found === -1) break
      else this.#lookAtLine(view, found)
      from = found + 1
    }
    this.#searched = view.length
  }

  /**
   * Passes over lines that cannot matter: plain text that continues a paragraph without any cue, and blank lines.
   * Takes and returns the end of the line under way, -1 when it has not arrived.
   */
  #passText(view: Uint8Array, firstEnd: number): number {
    if (this.#blockHasCue || this.#lineNumber === 1 || this.#listener.wantsEverything()) return firstEnd
    const lineStarts = this.#cues.lineStarts
    const nextCue = this.#nextCue(view)
    let start = this.#lineStart
    let end = firstEnd
    let lines = 0
    let blockStart = this.#blockStart
    let blockLines = 0
    while (end !== -1 && end < nextCue) {
      if (start === end) {
        blockStart = end + 1
        blockLines = lines + 1
      } else {
        const kind = lineStarts[view[start] as number]
        if (kind === NAMING && this.#cues.nameStarts.has(nameKey(view, start))) break
        if (kind === SHAPING) {
          const shape = plainShapeOf(view, start, lineStarts)
          if (shape === null) break
          if (shape === 'item') {
            blockStart = start
            blockLines = lines
          }
        }
        if (end - blockStart > BLOCK_BYTES_MAX) break
        this.#hasSpoken = true
      }
      lines += 1
      start = end + 1
      end = view.indexOf(LINE_FEED, start)
    }
    if (blockStart !== this.#blockStart) this.#blockFirstLine = this.#lineNumber + blockLines
    this.#blockStart = blockStart
    this.#lineNumber += lines
    this.#lineStart = start
    return end
  }

  /** Passes over the code inside a fence up to a line that may close it. */
  #passCode(view: Uint8Array, fence: Fence, firstEnd: number): number {
    if (this.#listener.wantsEverything()) return firstEnd
    let start = this.#lineStart
    if (this.#nextEscape < start) this.#nextEscape = this.#findCue(view, ESCAPE, start)
    const nextEscape = this.#nextEscape
    let end = firstEnd
    let lines = 0
    while (end !== -1 && end < nextEscape && end - start <= LINE_BYTES_MAX) {
      let at = start
      while (view[at] === SPACE) at += 1
      if (view[at] === fence.byte) break
      lines += 1
      start = end + 1
      end = view.indexOf(LINE_FEED, start)
    }
    this.#lineNumber += lines
    this.#lineStart = start
    if (lines > 0) this.#beginBlock(start)
    return end
  }

  #nextCue(view: Uint8Array): number {
    const start = this.#lineStart
    if (this.#nextLess < start) this.#nextLess = this.#findCue(view, LESS, start)
    if (this.#nextBracket < start) this.#nextBracket = this.#findCue(view, OPENING_BRACKET, start)
    if (this.#nextEscape < start) this.#nextEscape = this.#findCue(view, ESCAPE, start)
    return Math.min(this.#nextLess, this.#nextBracket, this.#nextEscape)
  }

  /** The next cue of one kind, or the end of what has arrived. */
  #findCue(view: Uint8Array, byte: number, from: number): number {
    let at = view.indexOf(byte, from)
    if (byte === ESCAPE) return at === -1 ? view.length : at
    while (at !== -1) {
      const next = view[at + 1]
      // The byte behind the last one is not known yet: a closer look never changes the result, only the cost.
      if (next === undefined || this.#cues.inside[next | LOWER_CASE_BIT] === 1) return at
      at = view.indexOf(byte, at + 1)
    }
    return view.length
  }

  #lookAtLine(view: Uint8Array, end: number): void {
    this.#lineHasCue = this.#nextCue(view) < end
    this.#lineHasEscape = this.#lineHasCue && this.#nextEscape < end
    this.#endLine(end, end + 1, false)
  }

  /** A line that is too long: what is kept counts as the line, the rest is dropped up to its end. */
  #cutLine(view: Uint8Array, lineFeed: number): void {
    this.#isSkipping = lineFeed === -1
    if (this.#nextEscape < this.#lineStart) this.#nextEscape = this.#findCue(view, ESCAPE, this.#lineStart)
    const end = this.#lineStart + LINE_BYTES_MAX
    this.#lineHasEscape = this.#nextEscape < end
    this.#endLine(end, this.#isSkipping ? view.length : lineFeed + 1, true)
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
    this.#blockHasCue ||= this.#lineHasCue || this.#cues.nameStarts.has(nameKey(bytes, from))
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
    const text = decode(this.#window, this.#blockStart, end)
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
    return cleanLine(decode(this.#window, start, end), this.#lineNumber === 1)
  }

  #grow(coming: number): void {
    const wanted = Math.min(this.#filled + coming, WINDOW_BYTES_MAX)
    if (wanted <= this.#window.length) return
    const larger = allocate(
      Math.min(Math.max(wanted, 2 * this.#window.length, WINDOW_START_BYTES), WINDOW_BYTES_MAX),
    )
    larger.set(this.#window.subarray(0, this.#filled))
    this.#window = larger
  }

  /** Moves what is still needed to the front once most of the window is used. */
  #makeRoom(): void {
    if (this.#isSkipping) this.#forget()
    if (this.#filled < WINDOW_REFILL_BYTES) return
    const keep = this.#blockStart
    this.#window.copyWithin(0, keep, this.#filled)
    this.#filled -= keep
    this.#shift(keep)
  }

  #shift(bytes: number): void {
    this.#searched -= bytes
    this.#nextLess -= bytes
    this.#nextBracket -= bytes
    this.#nextEscape -= bytes
    this.#lineStart -= bytes
    this.#blockStart -= bytes
  }

  #forget(): void {
    this.#filled = 0
    this.#searched = 0
    this.#nextLess = 0
    this.#nextBracket = 0
    this.#nextEscape = 0
    this.#lineStart = 0
    this.#blockStart = 0
  }
}

/** A `Buffer` where there is one: its searches are more than twice as fast as those of a plain array. */
function allocate(bytes: number): Uint8Array {
  return typeof Buffer === 'undefined' ? new Uint8Array(bytes) : Buffer.allocUnsafeSlow(bytes)
}

function asFastest(bytes: Uint8Array): Uint8Array {
  if (typeof Buffer === 'undefined' || bytes instanceof Buffer) return bytes
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

function decode(bytes: Uint8Array, start: number, end: number): string {
  if (typeof Buffer !== 'undefined' && bytes instanceof Buffer) return bytes.toString('utf8', start, end)
  return decoder.decode(bytes.subarray(start, end))
}

/**
 * The shape of an indented line or a list item that plainly is one; `null` where `shapeOf` must decide. The line feed
 * at the end of the line is a shaping byte itself, so that nothing behind it is read as part of the line.
 */
function plainShapeOf(view: Uint8Array, start: number, lineStarts: Uint8Array): 'text' | 'item' | null {
  let at = start
  while (view[at] === SPACE) at += 1
  if (lineStarts[view[at] as number] !== SHAPING) return 'text'
  if (at - start >= CODE_INDENT) return null
  const isBullet = view[at] === DASH || view[at] === STAR
  const behind = isBullet ? at + 1 : afterOrdinal(view, at)
  return view[behind] === SPACE && lineStarts[view[behind + 1] as number] !== SHAPING ? 'item' : null
}

/** Behind `7.` or `12.`; the position itself where there is none. */
function afterOrdinal(view: Uint8Array, at: number): number {
  let digits = at
  while (digits - at < 2 && isDigit(view[digits])) digits += 1
  return digits > at && view[digits] === DOT ? digits + 1 : at
}

/** The first three bytes of a line signal's name, as one number. */
function nameKey(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
}
