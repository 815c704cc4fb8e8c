import { describe, expect, it } from 'vitest'
import { AXIOM } from '../vocabulary/axiom.ts'
import { loadTokenizer } from './count-tokens.ts'
import { DEFAULT_SKILLS } from './default-skills.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { rolesOfAgent } from './roles.ts'
import { SKILL_TOKENS_MAX, skillFaults, skillRelevance } from './skill.ts'
import { wordsOf } from './words.ts'

const GOOD = '# Caching\n\n## When to Use\n- A slow query\n\n## Examples\n\n### Example 1\nInput: x\n'
const faultsOf = (file: string, text: string) => skillFaults({ file, text }, estimateTokens)

describe('the form of a skill', () => {
  it('is good as the defaults have it, by an exact count', async () => {
    const countTokens = await loadTokenizer()
    for (const { agent, file, write } of DEFAULT_SKILLS) {
      const text = write(wordsOf(AXIOM, rolesOfAgent(agent)))
      expect(skillFaults({ file, text }, countTokens), file).toEqual([])
    }
  })

  it('is reported where it is wrong', () => {
    expect(faultsOf('caching.md', GOOD)).toEqual([])
    expect(faultsOf('Caching_Skill.md', GOOD)).toEqual([expect.stringContaining('kebab-case')])
    expect(faultsOf('caching.md', GOOD.replace('When to Use', 'Usage'))).toEqual([
      expect.stringContaining('When to Use'),
    ])
    expect(faultsOf('caching.md', GOOD.replace('- A slow query', ''))).toEqual([
      expect.stringContaining('When to Use'),
    ])
    expect(faultsOf('caching.md', GOOD.replace(/## Examples[\s\S]*/, ''))).toEqual([
      expect.stringContaining('example'),
    ])
    expect(faultsOf('caching.md', `${GOOD}${'word '.repeat(SKILL_TOKENS_MAX)}`)).toEqual([
      expect.stringMatching(/it has \d+ tokens/),
    ])
  })

  it('names every fault at once', () => {
    expect(faultsOf('x y.md', '')).toHaveLength(3)
  })
})

describe('the relevance of a skill', () => {
  const skills = DEFAULT_SKILLS.map(({ agent, file, write }) => ({
    file,
    text: write(wordsOf(AXIOM, rolesOfAgent(agent))),
  }))
  const best = (work: string) =>
    skills.toSorted((a, b) => skillRelevance(b, work) - skillRelevance(a, work))[0]?.file

  it('follows the words of the work', () => {
    expect(best('Add retries and authentication to the REST client of the payment service')).toBe(
      'api-integration.md',
    )
    expect(best('Fix the bug in paging: a list without entries has no page; acceptance criteria below')).toBe(
      'tdd.md',
    )
    expect(best('The merge of both sides changed the same lines of one function; files are unmerged')).toBe(
      'conflict-resolution.md',
    )
  })
})
