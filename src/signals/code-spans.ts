/** Says whether a position of a paragraph, its lines joined by line feeds, lies in an inline code span. */
export type CodeTest = (position: number) => boolean

const NOTHING: CodeTest = () => false

/**
 * Inline code as CommonMark has it: a run of backticks opens a span that ends at the next run of the same length,
 * on whichever line of the paragraph; without one it is plain text. A backslash before it makes it plain text too.
 */
export function findCodeSpans(lines: readonly string[]): CodeTest {
  if (!lines.some((line) => line.includes('`'))) return NOTHING
  const spans = pairRuns(lines.join('\n'))
  if (spans.length === 0) return NOTHING
  return (position) => {
    let low = 0
    let high = spans.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((spans[middle]?.end ?? 0) <= position) low = middle + 1
      else high = middle
    }
    return (spans[low]?.start ?? Number.POSITIVE_INFINITY) <= position
  }
}

interface Span {
  readonly start: number
  readonly end: number
}

function pairRuns(text: string): Span[] {
  const closers = runsByLength(text)
  const spans: Span[] = []
  let at = 0
  while (at < text.length) {
    const character = text[at]
    if (character === '\\') at += 2
    else if (character !== '`') at += 1
    else {
      const length = runLengthAt(text, at)
      const closer = closers.next(length, at + length)
      if (closer !== undefined) spans.push({ start: at, end: closer + length })
      at = closer === undefined ? at + length : closer + length
    }
  }
  return spans
}

/** All runs by length; asking moves forward only, so that all questions together cost one pass. */
function runsByLength(text: string): { next(length: number, from: number): number | undefined } {
  const starts = new Map<number, number[]>()
  const asked = new Map<number, number>()
  for (let at = text.indexOf('`'); at !== -1; ) {
    const length = runLengthAt(text, at)
    const known = starts.get(length)
    if (known === undefined) starts.set(length, [at])
    else known.push(at)
    at = text.indexOf('`', at + length)
  }
  return {
    next(length, from) {
      const runs = starts.get(length) ?? []
      let index = asked.get(length) ?? 0
      while (index < runs.length && (runs[index] ?? 0) < from) index += 1
      asked.set(length, index)
      return runs[index]
    },
  }
}

function runLengthAt(text: string, at: number): number {
  let end = at
  while (text[end] === '`') end += 1
  return end - at
}
