import { stripVTControlCharacters } from 'node:util'

/** Text of cases comes from people and agents, so it must not contain terminal control sequences. */
export function plain(text: string): string {
  return stripVTControlCharacters(text.replaceAll('\r\n', '\n')).replace(
    /[^\P{Cc}\n\t]|\p{Bidi_Control}/gu,
    '�',
  )
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: this is how colours are written
const COLOUR = /(\u001b\[[\d;]*m)/

/** The last filter before a terminal: of all control sequences, only colours pass. */
export function plainButColours(text: string): string {
  return text
    .split(COLOUR)
    .map((part, at) => (at % 2 === 1 ? part : plain(part)))
    .join('')
}

/** Plain text on one line, for what stands in a row. */
export function plainLine(text: string): string {
  return plain(text).replace(/\s*[\n\t]\s*/g, ' ')
}

/** The first line of a text, cut to a width. */
export function headline(text: string, width: number): string {
  const [line = ''] = plain(text).trim().split('\n', 1)
  const characters = [...plainLine(line).trimEnd()]
  return characters.length <= width ? characters.join('') : `${characters.slice(0, width - 1).join('')}…`
}
