/** Letters per token of a long word; a word of up to this many is one token. */
const LETTERS_PER_TOKEN = 6.5
const DIGITS_PER_TOKEN = 3
/** Punctuation that follows other punctuation often shares its token, as in `})` or `=>`. */
const FURTHER_SIGN_TOKENS = 0.3
const BLANK_RUN_TOKENS = 0.5

const PIECE =
  /(?<word>\p{Lu}?\p{Ll}+|\p{L}+)|(?<number>\d+)|(?<blank>\n+|[^\S\n]{2,})|(?<signs>[^\s\p{L}\d]+)/gu

/**
 * A cheap, linear estimate of a tokenizer's count, within about a tenth on prompts. A tokenizer takes half a
 * second to load, and models do not agree on one: budgets use this, exact counts come from `count-tokens.ts`.
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  for (const { groups } of text.matchAll(PIECE)) {
    const { word, number, signs } = groups ?? {}
    if (word !== undefined) tokens += Math.max(1, word.length / LETTERS_PER_TOKEN)
    else if (number !== undefined) tokens += Math.ceil(number.length / DIGITS_PER_TOKEN)
    else if (signs !== undefined) tokens += 1 + (signs.length - 1) * FURTHER_SIGN_TOKENS
    else tokens += BLANK_RUN_TOKENS
  }
  return Math.round(tokens)
}
