import type { Canvas, Region } from './canvas.ts'

const SUMMARY_LENGTH = 60

/**
 * The document for a prompt: finished parts as one line, parts in progress as a reference, the rest in full.
 */
export function collapseCanvas({ regions }: Canvas): string {
  return regions.map(collapse).join('')
}

function collapse({ state, caseId, text }: Region): string {
  switch (state) {
    case 'green':
      return inPlace(text, `[done, ${caseId}: ${summary(text)}]`)
    case 'red':
      return inPlace(text, `[deferred, ${caseId}: ${summary(text)}]`)
    case 'blue':
      return inPlace(text, `[under way: ${caseId}]`)
    default:
      return text
  }
}

/** The blank space around stays, so that paragraphs stay apart. */
function inPlace(text: string, words: string): string {
  const trimmed = text.trim()
  return trimmed === '' ? text : text.replace(trimmed, () => words)
}

function summary(text: string): string {
  const line = [...text.trim().replace(/\s+/g, ' ')]
  return line.length <= SUMMARY_LENGTH ? line.join('') : `${line.slice(0, SUMMARY_LENGTH - 1).join('')}…`
}
