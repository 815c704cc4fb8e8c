const WORD = '[\\p{L}\\p{M}\\p{N}]'
const WORD_AT_START = new RegExp(`^${WORD}`, 'u')
const WORD_AT_END = new RegExp(`${WORD}$`, 'u')

/** Matches these words as whole words, with any white space between them; undefined when there are none. */
export function wordsPattern(words: string): RegExp | undefined {
  const trimmed = words.trim()
  if (trimmed === '') return undefined
  const parts = trimmed.split(/\s+/).map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  const first = WORD_AT_START.test(trimmed) ? `(?<!${WORD})` : ''
  const last = WORD_AT_END.test(trimmed) ? `(?!${WORD})` : ''
  return new RegExp(`${first}${parts.join('\\s+')}${last}`, 'gu')
}
