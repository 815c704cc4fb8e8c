import type { CountTokens } from './count-tokens.ts'

export const SKILL_TOKENS_MAX = 2_000

/** One file of an agent's `skills/` folder. */
export interface Skill {
  readonly file: string
  readonly text: string
}

/** What is wrong with the form of a skill, as sentences for its author; the skill is used all the same. */
export function skillFaults({ file, text }: Skill, countTokens: CountTokens): string[] {
  const tokens = countTokens(text)
  const faults = [
    !/^[a-z0-9]+(?:-[a-z0-9]+)*\.md$/.test(file) && 'its name is not lowercase-kebab-case.md',
    tokens > SKILL_TOKENS_MAX &&
      `it has ${tokens} tokens; keep a skill to ${SKILL_TOKENS_MAX}, or make two of it`,
    !/^\s*[-*] \S/m.test(section(text, /^when to use$/i)) &&
      'it has no "## When to Use" section with a list of conditions',
    section(text, /^examples?\b/i).trim() === '' && 'it has no example; add one under "## Examples"',
  ]
  return faults.filter((fault) => fault !== false)
}

/**
 * How well a skill fits a piece of work: the share of the words of its "When to Use" that the work uses too.
 * Deliberately simple, so that the same work always gets the same skills.
 */
export function skillRelevance({ text }: Skill, work: string): number {
  const wanted = new Set(wordsIn(`${text.split('\n')[0] ?? ''}\n${section(text, /^when to use$/i)}`))
  if (wanted.size === 0) return 0
  const used = new Set(wordsIn(work))
  return [...wanted].filter((word) => used.has(word)).length / wanted.size
}

/** Everything under the `##` heading that matches, down to the next heading of that rank. */
function section(text: string, heading: RegExp): string {
  const lines = text.split(/\r?\n/)
  const start = lines.findIndex((line) => line.startsWith('## ') && heading.test(line.slice(3).trim()))
  if (start < 0) return ''
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => /^#{1,2} /.test(line))
  return rest.slice(0, end < 0 ? rest.length : end).join('\n')
}

/** Words too common to say anything about the work. */
const COMMON = new Set(
  'when with that this from into your have must which what their there where been will than then they them each other some more only also same code file files test tests'.split(
    ' ',
  ),
)
const WORD_LETTERS_MIN = 4
/** Comparing the first letters matches `conflict` with `conflicts` and `integrate` with `integration`. */
const STEM_LETTERS = 6

function wordsIn(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  return words
    .filter((word) => word.length >= WORD_LETTERS_MIN && !COMMON.has(word))
    .map((word) => word.slice(0, STEM_LETTERS))
}
