interface Line {
  readonly start: number
  readonly text: string
  readonly heading: number
  readonly fence: boolean
}

const HEADING = /^ {0,3}(#{1,6})(?:\s|$)/
const FENCE = /^\s*(?:```|~~~)/
/** Markup that is written with letters or digits. The rest is punctuation, which never counts. */
const SPELLED_MARKUP = [
  /<!--[\s\S]*?-->/g,
  /<\/?[A-Za-z][^<>\n]*>/g,
  /(?<=\])\([^()\n]*\)/g,
  /^\s*\[[^\]\n]+\]:.*$/gm,
  /^\s*(?:>\s*)*\d{1,9}[.)](?=\s)/gm,
  /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[[ xX]\](?=\s)/gm,
]
const COUNTED = /[\p{L}\p{M}\p{N}]|(?!\p{ASCII})\p{S}/gu

/**
 * Which UTF-16 units of a document count for its coverage: those of its words. White space, punctuation and
 * markup do not, so that a sentence is covered whether or not its full stop was quoted. A heading with text
 * under it is a title and does not count either; a heading without text counts, because it is all that is
 * said there.
 */
export function countedUnits(text: string): Uint8Array {
  const counted = new Uint8Array(text.length)
  for (const { index, 0: word } of text.matchAll(COUNTED)) counted.fill(1, index, index + word.length)
  for (const pattern of SPELLED_MARKUP)
    for (const { index, 0: markup } of text.matchAll(pattern)) counted.fill(0, index, index + markup.length)
  const lines = linesOf(text)
  for (const { start, text: line, fence } of lines) if (fence) counted.fill(0, start, start + line.length)
  for (const [at, line] of lines.entries()) {
    if (line.heading > 0 && hasText(lines, at, counted))
      counted.fill(0, line.start, line.start + line.text.length)
  }
  return counted
}

export function countIn(counted: Uint8Array, start: number, end: number): number {
  let sum = 0
  for (let at = start; at < end; at += 1) sum += counted[at] ?? 0
  return sum
}

function linesOf(text: string): Line[] {
  let start = 0
  let inCode = false
  return text.split('\n').map((line) => {
    const fence = FENCE.test(line)
    if (fence) inCode = !inCode
    const heading = inCode ? 0 : (HEADING.exec(line)?.[1]?.length ?? 0)
    const found = { start, text: line, heading, fence }
    start += line.length + 1
    return found
  })
}

/** Whether the section of a heading, deeper ones included, says anything. */
function hasText(lines: readonly Line[], at: number, counted: Uint8Array): boolean {
  const level = lines[at]?.heading ?? 0
  for (const line of lines.slice(at + 1)) {
    if (line.heading > 0 && line.heading <= level) return false
    if (line.heading === 0 && countIn(counted, line.start, line.start + line.text.length) > 0) return true
  }
  return false
}
