/**
 * Longer runs without a break are counted in pieces: the tokenizer's time grows with the square of a run's
 * length.
 */
const RUN_CHARACTERS_MAX = 96

const LONG_RUN = new RegExp(`\\S{${RUN_CHARACTERS_MAX + 1},}|\\s{${RUN_CHARACTERS_MAX + 1},}`, 'g')
const SLICE = new RegExp(`[^]{1,${RUN_CHARACTERS_MAX}}`, 'g')

export type CountTokens = (text: string) => number

/**
 * Loads the tokenizer, which takes a fraction of a second and some tens of megabytes: only for a command that
 * needs exact counts, never during a run.
 */
export async function loadTokenizer(): Promise<CountTokens> {
  const [{ Tiktoken }, { default: ranks }] = await Promise.all([
    import('js-tiktoken/lite'),
    import('js-tiktoken/ranks/cl100k_base'),
  ])
  const encoder = new Tiktoken(ranks)
  const countPiece = (text: string) => encoder.encode(text, [], []).length
  return (text) => {
    let tokens = 0
    let start = 0
    for (const match of text.matchAll(LONG_RUN)) {
      tokens += countPiece(text.slice(start, match.index))
      for (const [slice] of match[0].matchAll(SLICE)) tokens += countPiece(slice)
      start = match.index + match[0].length
    }
    return tokens + countPiece(text.slice(start))
  }
}
