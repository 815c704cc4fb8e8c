import { markHidden } from './clean-text.ts'
import type { CodeTest } from './code-spans.ts'
import type { PayloadRule } from './definition.ts'
import { PAYLOAD_CHARACTERS_MAX } from './limits.ts'
import type { ProblemCode } from './problem-code.ts'
import { definitionOf, type SignalName } from './registry.ts'
import { type SignalNames, tagsBySpokenName } from './signal-names.ts'

export type TagReading =
  | {
      readonly kind: 'tag'
      readonly name: SignalName
      readonly type: string
      readonly payload: string | null
      readonly raw: string
    }
  | {
      readonly kind: 'fault'
      readonly code: ProblemCode
      readonly type: string | null
      readonly raw: string
      readonly reason: string
    }

export interface TaggedLine {
  readonly readings: readonly TagReading[]
  /** The line holds tags and nothing else, but for emphasis around them. */
  readonly isAlone: boolean
  /** The tags stand alone, or are the last words of the line behind a sentence that has ended. */
  readonly isVerdict: boolean
}

interface Piece {
  readonly start: number
  readonly end: number
  readonly reading: TagReading
  readonly isWhole: boolean
}

const NOT_TAGGED: TaggedLine = { readings: [], isAlone: false, isVerdict: false }
const CONTENT = /^([A-Za-z0-9_-]+)(?::(.*))?$/s
const EMPHASIS = /^(?:\*{1,3}|_{1,3})?$/
const SENTENCE_END = /[.!?]\s+$/
const PERCENTAGE = /^\d{1,3}$/
const CODE_INDENT = /^(?: {4}| {0,3}\t)/

/** `offset` is where the line begins in what `isCode` judges. */
export type TagReader = (line: string, isCode: CodeTest, offset: number) => TaggedLine

export function createTagReader(names: SignalNames): TagReader {
  const tags = tagsBySpokenName(names)
  const edges = new RegExp(`<(/?)(${names.tag})>|\\[${names.tag}:`, 'gi')
  const bracket = new RegExp(`\\[${names.tag}:[ \\t]*([A-Za-z_]+)(?::[^\\]]{0,300})?\\]`, 'iy')

  function readPieces(line: string, isCode: CodeTest, offset: number): Piece[] {
    const pieces: Piece[] = []
    let opened: RegExpExecArray | null = null
    for (const edge of line.matchAll(edges)) {
      if (isCode(offset + edge.index)) continue
      const isBracket = edge[2] === undefined
      if (isBracket) {
        if (opened === null) pieces.push(...readBracket(line, edge.index))
      } else if (edge[1] === '') {
        if (opened !== null) pieces.push(unclosed(line, opened.index, edge.index))
        opened = edge
      } else if (opened !== null) {
        pieces.push(readTag(line, opened, edge))
        opened = null
      }
    }
    if (opened !== null) pieces.push(unclosed(line, opened.index, line.length))
    return pieces
  }

  function readBracket(line: string, at: number): Piece[] {
    bracket.lastIndex = at
    const match = bracket.exec(line)
    const word = match?.[1] ?? ''
    if (match === null || !(tags.has(word.toUpperCase()) || /^[A-Z_]+$/.test(word))) return []
    return [
      fault(
        line,
        at,
        at + match[0].length,
        'SIGNAL_MALFORMED',
        null,
        `a signal is written <${names.tag}>…</${names.tag}>`,
      ),
    ]
  }

  function unclosed(line: string, start: number, end: number): Piece {
    return fault(line, start, end, 'SIGNAL_MALFORMED', null, `</${names.tag}> is missing on this line`)
  }

  function readTag(line: string, open: RegExpExecArray, close: RegExpExecArray): Piece {
    const end = close.index + close[0].length
    const content = line.slice(open.index + open[0].length, close.index)
    const parts = CONTENT.exec(content)
    if (open[2] !== names.tag || close[2] !== names.tag) {
      return fault(
        line,
        open.index,
        end,
        'SIGNAL_MALFORMED',
        parts?.[1] ?? null,
        `the tag is <${names.tag}>, in this case`,
      )
    }
    if (parts === null)
      return fault(line, open.index, end, 'SIGNAL_MALFORMED', null, 'the content is TYPE or TYPE:payload')
    const type = parts[1] ?? ''
    const name = tags.get(type)
    if (name === undefined) {
      return fault(
        line,
        open.index,
        end,
        'SIGNAL_UNKNOWN_TYPE',
        type,
        'there is no signal of this type',
        true,
      )
    }
    const payload = (parts[2] ?? '').trim()
    const wrong = payloadFault(definitionOf(name)?.payload ?? 'none', payload)
    if (wrong !== null) return fault(line, open.index, end, wrong.code, type, wrong.reason, true)
    const reading = {
      kind: 'tag',
      name,
      type,
      payload: payload === '' ? null : markHidden(payload),
      raw: line.slice(open.index, end),
    } as const
    return { start: open.index, end, reading, isWhole: true }
  }

  return (line, isCode, offset) => {
    if (!(line.includes('<') || line.includes('[')) || CODE_INDENT.test(line)) return NOT_TAGGED
    const pieces = readPieces(line, isCode, offset)
    if (pieces.length === 0) return NOT_TAGGED
    const isAlone = standAlone(line, pieces)
    const isVerdict = isAlone || endSentence(line, pieces)
    return { readings: pieces.map(({ reading }) => reading), isAlone, isVerdict }
  }
}

function fault(
  line: string,
  start: number,
  end: number,
  code: ProblemCode,
  type: string | null,
  reason: string,
  isWhole = false,
): Piece {
  return { start, end, isWhole, reading: { kind: 'fault', code, type, raw: line.slice(start, end), reason } }
}

function payloadFault(rule: PayloadRule, payload: string): { code: ProblemCode; reason: string } | null {
  const isRequired = rule === 'text' || rule === 'percentage'
  if (isRequired && payload === '')
    return { code: 'SIGNAL_MISSING_PAYLOAD', reason: 'this type needs a payload' }
  if (isTooLong(payload)) {
    return {
      code: 'SIGNAL_INVALID_PAYLOAD',
      reason: `the payload is longer than ${PAYLOAD_CHARACTERS_MAX} characters`,
    }
  }
  if (rule === 'percentage' && !(PERCENTAGE.test(payload) && Number(payload) <= 100)) {
    return { code: 'SIGNAL_INVALID_PAYLOAD', reason: 'the payload is a whole number from 0 to 100' }
  }
  return null
}

/** Counted in characters as a person counts them, not in UTF-16 halves. */
function isTooLong(payload: string): boolean {
  if (payload.length <= PAYLOAD_CHARACTERS_MAX) return false
  return payload.length > 2 * PAYLOAD_CHARACTERS_MAX || [...payload].length > PAYLOAD_CHARACTERS_MAX
}

function standAlone(line: string, pieces: readonly Piece[]): boolean {
  const before = line.slice(0, pieces[0]?.start).trim()
  const after = line.slice(pieces.at(-1)?.end).trim()
  return before === after && EMPHASIS.test(before) && areTogether(line, pieces)
}

/** Models close a line with "All tests pass. <tag>": the sentence is over, so the tag is no part of it. */
function endSentence(line: string, pieces: readonly Piece[]): boolean {
  const isLast = line.slice(pieces.at(-1)?.end).trim() === ''
  return isLast && SENTENCE_END.test(line.slice(0, pieces[0]?.start)) && areTogether(line, pieces)
}

function areTogether(line: string, pieces: readonly Piece[]): boolean {
  return pieces.every(
    ({ end, isWhole }, i) => isWhole && line.slice(end, pieces[i + 1]?.start ?? end).trim() === '',
  )
}
