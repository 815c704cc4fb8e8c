import { expect, it } from 'vitest'
import { chooseWeighted, createRandom, seededUuid } from './random.ts'

const draw = (seed: string, times: number): number[] => {
  const random = createRandom(seed)
  return Array.from({ length: times }, () => random.between(1, 6))
}

it('gives the same numbers for the same seed, and others for another', () => {
  expect(draw('a', 50)).toEqual(draw('a', 50))
  expect(draw('a', 50)).not.toEqual(draw('b', 50))
})

it('reaches both bounds and nothing beyond them', () => {
  const numbers = draw('bounds', 1_000)
  expect([Math.min(...numbers), Math.max(...numbers)]).toEqual([1, 6])
})

it('chooses by weight, and never what weighs nothing', () => {
  const random = createRandom('weights')
  const chosen = Array.from({ length: 4_000 }, () => chooseWeighted(random, [1, 0, 3]))
  expect(chosen).not.toContain(1)
  expect(chosen.filter((place) => place === 2).length / 4_000).toBeCloseTo(0.75, 1)
})

it('writes names in the form of a UUID', () => {
  expect(seededUuid(createRandom('x'))).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
  )
})
