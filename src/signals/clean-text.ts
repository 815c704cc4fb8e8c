import { RAW_CHARACTERS_MAX } from './limits.ts'

const ESCAPE = '\u001b'
const BELL = '\u0007'
const BYTE_ORDER_MARK = '\ufeff'

/**
 * Terminal sequences, each up to the end of its line at most: control sequences, the string kinds (title, link,
 * device control), and two-character ones. A lone escape goes too.
 */
const TERMINAL_SEQUENCE = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]?|[\\]PX^_][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)?|[ -/]*[0-~]?)`,
  'g',
)

/** Characters that change how the text around them looks without being seen: controls, directions, zero widths. */
const HIDDEN = /(?![\t\n])[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu

const PLAIN = /^[ -~\n\t]*$/

/** A line as a reader would see it: no terminal sequences, no carriage returns at its end, no byte order mark. */
export function cleanLine(line: string, isFirstOfMessage: boolean): string {
  let text = isFirstOfMessage && line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line
  if (text.includes(ESCAPE)) text = text.replace(TERMINAL_SEQUENCE, '')
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 13) end -= 1
  return end === text.length ? text : text.slice(0, end)
}

/** Makes hidden characters visible, so that what a person reads is what the agent wrote. */
export function markHidden(text: string): string {
  if (PLAIN.test(text)) return text
  return text.replace(
    HIDDEN,
    (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
  )
}

/** The text of a problem: bounded and with nothing hidden in it. */
export function rawOf(text: string): string {
  const trimmed = text.trim()
  const short = trimmed.length > RAW_CHARACTERS_MAX ? `${trimmed.slice(0, RAW_CHARACTERS_MAX)}…` : trimmed
  return markHidden(short)
}
