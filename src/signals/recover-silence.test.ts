import { describe, expect, it } from 'vitest'
import { ROLES } from './definition.ts'
import { answerSilence } from './recover-silence.ts'
import { ROLES_OWING_A_SIGNAL } from './registry.ts'

describe('an iteration without a verdict', () => {
  it.each(ROLES_OWING_A_SIGNAL)('asks a %s twice, then replaces it', (role) => {
    const answers = [0, 1, 2].map((unknownBefore) =>
      answerSilence({ role, unknownBefore, idleIterations: 1 }),
    )
    expect(answers).toEqual([
      { kind: 'request-checkpoint', unknownCount: 1, level: 'warn' },
      { kind: 'request-checkpoint', unknownCount: 2, level: 'error' },
      { kind: 'redispatch', unknownCount: 0 },
    ])
  })

  it('gives a developer three idle iterations first', () => {
    const answer = (idleIterations: number, unknownBefore = 0) =>
      answerSilence({ role: 'developer', unknownBefore, idleIterations }).kind
    expect([1, 2, 3].map((idle) => answer(idle))).toEqual(['iterate', 'iterate', 'request-checkpoint'])
    expect(answer(5, 2)).toBe('redispatch')
  })

  it('leaves everybody else alone', () => {
    const others = ROLES.filter((role) => !ROLES_OWING_A_SIGNAL.includes(role) && role !== 'developer')
    for (const role of others) {
      expect(answerSilence({ role, unknownBefore: 9, idleIterations: 9 })).toEqual({ kind: 'iterate' })
    }
  })
})
