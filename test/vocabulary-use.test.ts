import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const src = resolve(import.meta.dirname, '../src')
const QUESTION =
  /[!=]==\s*['"](?:axiom|swarm)['"]|['"](?:axiom|swarm)['"]\s*[!=]==|\bcase ['"](?:axiom|swarm)['"]|vocabulary\.name\s*[!=]==|[!=]==\s*(?:AXIOM|SWARM)\b/

describe('the vocabulary', () => {
  it('is asked for names, and never which one it is, outside its own folder', () => {
    const guilty = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('vocabulary'))
      .filter((path) => QUESTION.test(readFileSync(join(src, path), 'utf8')))
    expect(guilty).toEqual([])
    expect(QUESTION.test("if (vocabulary.name === 'swarm') return")).toBe(true)
  })
})
