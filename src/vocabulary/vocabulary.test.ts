import { describe, expect, it } from 'vitest'
import { CASE_TYPES as LAWS } from '../cases/case-types.ts'
import { AXIOM } from './axiom.ts'
import { findVocabulary } from './find-vocabulary.ts'
import { speakAs } from './speak-as.ts'
import { SWARM } from './swarm.ts'
import { CASE_TYPES } from './vocabulary.ts'

/** Every path of a nested value, so that two vocabularies can be held side by side. */
function shape(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([key, inner]) => shape(inner, `${path}.${key}`))
}

describe('the vocabularies', () => {
  it('name the same things, each in its own words', () => {
    const names = (paths: string[]) => paths.filter((path) => !path.startsWith('.signals.names'))
    expect(names(shape(SWARM))).toEqual(names(shape(AXIOM)))
  })

  it('are found by name', () => {
    expect(findVocabulary('swarm')?.folder).toBe('.swarm')
    expect(findVocabulary('axiom')?.workspaces).toBe('.workspaces')
    expect(findVocabulary('klingon')).toBeUndefined()
  })

  it('number cases by type in axiom and all alike in swarm', () => {
    const prefixes = (vocabulary: typeof AXIOM) => CASE_TYPES.map((type) => vocabulary.cases[type].prefix)
    expect(prefixes(AXIOM)).toEqual(['dir', 'draft', 'res', 'pend', 'def', 'op', 'task', 'disc'])
    expect(new Set(prefixes(SWARM))).toEqual(new Set(['idea']))
  })

  it('give each persona its own id', () => {
    for (const vocabulary of [AXIOM, SWARM]) {
      expect(new Set(Object.values(vocabulary.personas).map(({ id }) => id)).size).toBe(8)
    }
    expect(
      Object.values(SWARM.personas)
        .map(({ name }) => name)
        .join(' '),
    ).toBe('Ace Pat Ed Finn Lou Dan Will Carl')
  })

  it('agree with the laws of cases on prefix, symbol and colour of each type', () => {
    for (const type of CASE_TYPES) {
      const { prefix, symbol, colour } = AXIOM.cases[type]
      expect({ prefix, symbol, colour }).toEqual(LAWS[type])
      expect(SWARM.cases[type]).toMatchObject({ symbol, colour })
    }
  })

  it('put the core’s sentences into their own words and leave protocol names alone', () => {
    expect(speakAs(SWARM, 'AXIOM marks the task; TASK_INCOMPLETE stays.')).toBe(
      'Swarm marks the idea; TASK_INCOMPLETE stays.',
    )
    expect(speakAs(AXIOM, 'AXIOM marks the task.')).toBe('AXIOM marks the task.')
  })
})
