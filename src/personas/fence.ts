import { REGISTRY } from '../signals/registry.ts'
import { VOCABULARIES } from '../vocabulary/find-vocabulary.ts'

/** The longest origin that is shown; a longer one would be text, not a source. */
const ORIGIN_CHARACTERS_MAX = 160
/** The shortest fence in Markdown. */
const FENCE_LENGTH_MIN = 3
/** How much of a shortened text is its beginning; the end of an output says more than its middle. */
const HEAD_SHARE = 0.4

const ESCAPE = '\u001b'
/** Colours, cursor moves and window titles of terminals. */
const TERMINAL_SEQUENCE = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${ESCAPE}\\n]*?(?:\u0007|${ESCAPE}\\\\)|[@-Z\\\\^_])`,
  'g',
)
const LINE_BREAK = /\r\n|[\r\v\f\u0085\u2028\u2029]/g
/** Control and format characters, except those that join words and emoji. */
const UNSEEN = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}]/gu
const LONE_SURROGATE = /\p{Surrogate}/gu
const SIGNAL_TAG = new RegExp(
  `<(?=/?(?:${Object.values(VOCABULARIES)
    .map(({ signals }) => signals.tag)
    .join('|')})\\b)`,
  'gi',
)
const LINE_SIGNAL = new RegExp(`^(?=\\[?(?:${lineSignalNames().join('|')}))`, 'gm')

function lineSignalNames(): string[] {
  const names = REGISTRY.filter(({ notation }) => notation !== 'tag').map(
    ({ name }) => name.split(':')[0] ?? name,
  )
  return [...new Set(names)]
}

/**
 * Text from outside, set as data: in a fence that nothing inside can close, with its origin on the fence, and
 * with no signal, control character or invisible instruction left in it.
 */
export function fence(origin: string, text: string): string {
  const body = neutralise(text)
  const longest = (body.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0)
  const bar = '`'.repeat(Math.max(FENCE_LENGTH_MIN, longest + 1))
  return `${bar}from: ${oneLine(origin).slice(0, ORIGIN_CHARACTERS_MAX)}\n${body}\n${bar}`
}

/** The same for a short text inside a line. */
export function oneLine(text: string): string {
  return neutralise(text).replace(/\s+/g, ' ').replaceAll('`', "'").trim()
}

/** Signals become quotations and every character becomes visible; the text is otherwise unchanged. */
export function neutralise(text: string): string {
  return text
    .replace(LONE_SURROGATE, '\ufffd')
    .replace(TERMINAL_SEQUENCE, '')
    .replace(LINE_BREAK, '\n')
    .replace(UNSEEN, nameCharacter)
    .replace(SIGNAL_TAG, '‹')
    .replace(LINE_SIGNAL, '· ')
}

function nameCharacter(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`
}

/**
 * Keeps the beginning and the end of a long text, at nearby line breaks where possible, and notes what is
 * missing.
 */
export function shorten(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  const head = cutBack(text.slice(0, Math.floor(charactersMax * HEAD_SHARE)))
  const tail = cutForward(text.slice(text.length - Math.floor(charactersMax * (1 - HEAD_SHARE))))
  const missing = text.length - head.length - tail.length
  return `${head}\n[… ${missing} characters left out …]\n${tail}`
}

/** How far a cut may move to reach a line break. */
const CUT_CHARACTERS_MAX = 200

function cutBack(text: string): string {
  const at = text.lastIndexOf('\n')
  return at > text.length - CUT_CHARACTERS_MAX && at >= 0 ? text.slice(0, at) : text
}

function cutForward(text: string): string {
  const at = text.indexOf('\n')
  return at >= 0 && at < CUT_CHARACTERS_MAX ? text.slice(at + 1) : text
}
