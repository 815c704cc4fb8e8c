import { describe, expect, it } from 'vitest'
import { AXIOM } from '../vocabulary/axiom.ts'
import { loadTokenizer } from './count-tokens.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { planScaffold } from './scaffold.ts'

const ESTIMATE_ERROR_MAX = 0.12

const countTokens = await loadTokenizer()

describe('counting tokens', () => {
  it('agrees with known counts', () => {
    expect(countTokens('')).toBe(0)
    expect(countTokens('hello world')).toBe(2)
    expect(countTokens('tiktoken is great!')).toBe(6)
    expect(countTokens('<|endoftext|>')).toBeGreaterThan(1)
  })

  it('counts a long run without a break in pieces', () => {
    const tokens = countTokens('a'.repeat(20_000))
    expect(tokens).toBeGreaterThan(2_400)
    expect(tokens).toBeLessThan(2_800)
  })

  it('is estimated to within a tenth or so on every default text', () => {
    for (const { path, text } of planScaffold(AXIOM, new Map()).write) {
      if (!path.endsWith('.md') || text.length < 500) continue
      const error = Math.abs(estimateTokens(text) / countTokens(text) - 1)
      expect(error, path).toBeLessThan(ESTIMATE_ERROR_MAX)
    }
  })
})
