/** What a role looks for in its prompt. Prompts are prose, so everything here may find nothing. */

const ITEM = /^\s*(?:[-*]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.+?)\s*$/
const HEADING = /^(?:#{1,6}\s+.+|[A-Z][^.!?]*:)\s*$/
const ITEMS_MAX = 100

/** The items of the last list that stands under a heading with these words. */
export function listUnder(prompt: string, heading: RegExp): string[] {
  let items: string[] = []
  let inside = false
  for (const line of prompt.split('\n')) {
    const item = ITEM.exec(line)?.[1]
    if (item === undefined && HEADING.test(line)) {
      inside = heading.test(line)
      if (inside) items = []
    } else if (inside && item !== undefined && items.length < ITEMS_MAX) items.push(item)
  }
  return items
}

export function readCriteria(prompt: string): string[] {
  return listUnder(prompt, /acceptance criteria/i)
}

/** Commands in backticks under a heading about checks. */
export function readChecks(prompt: string): string[] {
  return listUnder(prompt, /verification|checks/i).flatMap((item) => /`([^`]+)`/.exec(item)?.[1] ?? [])
}

/** The lines below a heading, up to the next one. */
export function sectionUnder(prompt: string, heading: RegExp): string {
  const lines = prompt.split('\n')
  const start = lines.findLastIndex((line) => HEADING.test(line) && heading.test(line))
  if (start < 0) return ''
  const length = lines.slice(start + 1).findIndex((line) => HEADING.test(line))
  return lines
    .slice(start + 1, length < 0 ? undefined : start + 1 + length)
    .join('\n')
    .trim()
}

const SENTENCE_CHARACTERS_MAX = 200

/** One line to speak about: what the section says first, else the first words of the prompt. */
export function firstLine(text: string): string {
  const line = text.split('\n').find((candidate) => /\w/.test(candidate) && !candidate.startsWith('#'))
  return (line ?? 'the work')
    .replace(/^[\s>*-]+/, '')
    .slice(0, SENTENCE_CHARACTERS_MAX)
    .trim()
}
