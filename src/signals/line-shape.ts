/** What a line means for the blocks of a message, judged on its bytes so that most lines are never decoded. */
export type LineShape = 'blank' | 'quote' | 'single' | 'item' | 'text'

/** An open code fence: its character, its length, and the column where it began. */
export interface Fence {
  readonly byte: number
  readonly length: number
  readonly column: number
}

const TAB = 0x09
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
export const SPACE = 0x20
const HASH = 0x23
export const STAR = 0x2a
const PLUS = 0x2b
export const DASH = 0x2d
export const DOT = 0x2e
const EQUALS = 0x3d
const GREATER = 0x3e
const CLOSING_PARENTHESIS = 0x29
const UNDERSCORE = 0x5f
const BACKTICK = 0x60
const TILDE = 0x7e

/** Indented this far, a line is code and no block of its own. */
export const CODE_INDENT = 4
const FENCE_LENGTH_MIN = 3
const ORDINAL_DIGITS_MAX = 9
const HEADING_LEVEL_MAX = 6

/** First bytes of a line that may be anything but plain text. */
export const SHAPING_BYTES: readonly number[] = [
  TAB,
  LINE_FEED,
  CARRIAGE_RETURN,
  SPACE,
  HASH,
  STAR,
  PLUS,
  DASH,
  EQUALS,
  GREATER,
  UNDERSCORE,
  BACKTICK,
  TILDE,
  ...Array.from({ length: 10 }, (_, digit) => 0x30 + digit),
]

export function shapeOf(bytes: Uint8Array, start: number, end: number): LineShape {
  const first = skipBlanks(bytes, start, end)
  if (first === end) return 'blank'
  if (spacesAt(bytes, start, end) !== first - start || first - start >= CODE_INDENT) return 'text'
  const byte = bytes[first]
  if (byte === GREATER) return 'quote'
  if (byte === HASH && isHeading(bytes, first, end)) return 'single'
  if (isRule(bytes, first, end)) return 'single'
  return afterListMarker(bytes, first, end) > first ? 'item' : 'text'
}

/** The fence that a line opens, also directly behind list markers, or `null`. */
export function fenceOpenedBy(bytes: Uint8Array, start: number, end: number): Fence | null {
  let at = start + spacesAt(bytes, start, end)
  if (at - start >= CODE_INDENT) return null
  for (let next = afterListMarker(bytes, at, end); next > at; next = afterListMarker(bytes, at, end))
    at = next
  const byte = bytes[at]
  if (at >= end || (byte !== BACKTICK && byte !== TILDE)) return null
  const length = runLength(bytes, at, end)
  if (length < FENCE_LENGTH_MIN) return null
  if (byte === BACKTICK && contains(bytes, at + length, end, BACKTICK)) return null
  return { byte, length, column: at - start }
}

export function closesFence(fence: Fence, bytes: Uint8Array, start: number, end: number): boolean {
  const indent = spacesAt(bytes, start, end)
  if (indent >= fence.column + CODE_INDENT) return false
  const at = start + indent
  if (at >= end || bytes[at] !== fence.byte) return false
  const length = runLength(bytes, at, end)
  return length >= fence.length && skipBlanks(bytes, at + length, end) === end
}

function isHeading(bytes: Uint8Array, at: number, end: number): boolean {
  const level = runLength(bytes, at, end)
  return level <= HEADING_LEVEL_MAX && isBlankOrEnd(bytes, at + level, end)
}

/** A thematic break or the underline of a heading: one character, repeated, and blanks. */
function isRule(bytes: Uint8Array, at: number, end: number): boolean {
  const byte = bytes[at]
  if (byte !== DASH && byte !== EQUALS && byte !== STAR && byte !== UNDERSCORE) return false
  let count = 0
  for (let i = at; i < end; i += 1) {
    if (bytes[i] === byte) count += 1
    else if (!isBlank(bytes[i])) return false
  }
  return byte === DASH || byte === EQUALS || count >= 3
}

/** Where the text behind a list marker begins; the position itself when there is none. */
function afterListMarker(bytes: Uint8Array, at: number, end: number): number {
  const marker = listMarkerEnd(bytes, at, end)
  if (marker === at || !isBlankOrEnd(bytes, marker, end)) return at
  const blanks = spacesAt(bytes, marker, end)
  return marker + (blanks === 0 ? Math.min(1, end - marker) : Math.min(blanks, CODE_INDENT))
}

function listMarkerEnd(bytes: Uint8Array, at: number, end: number): number {
  const byte = bytes[at]
  if (at < end && (byte === DASH || byte === STAR || byte === PLUS)) return at + 1
  let digits = at
  while (digits < end && digits - at < ORDINAL_DIGITS_MAX && isDigit(bytes[digits])) digits += 1
  if (digits === at || digits >= end) return at
  return bytes[digits] === DOT || bytes[digits] === CLOSING_PARENTHESIS ? digits + 1 : at
}

function runLength(bytes: Uint8Array, at: number, end: number): number {
  let i = at
  while (i < end && bytes[i] === bytes[at]) i += 1
  return i - at
}

function spacesAt(bytes: Uint8Array, start: number, end: number): number {
  let i = start
  while (i < end && bytes[i] === SPACE) i += 1
  return i - start
}

function skipBlanks(bytes: Uint8Array, start: number, end: number): number {
  let i = start
  while (i < end && isBlank(bytes[i])) i += 1
  return i
}

function contains(bytes: Uint8Array, start: number, end: number, byte: number): boolean {
  for (let i = start; i < end; i += 1) if (bytes[i] === byte) return true
  return false
}

function isBlankOrEnd(bytes: Uint8Array, at: number, end: number): boolean {
  return at >= end || isBlank(bytes[at])
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN
}

export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}
