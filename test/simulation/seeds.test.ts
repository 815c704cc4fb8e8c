import { describe, expect, it } from 'vitest'
import { simulate } from './simulate.ts'
import { simulateSeeds } from './simulate-seeds.ts'

const LIMIT_MS = 800_000

describe('a director that may die between any two steps', () => {
  it(
    'loses no task, lands none twice and leaks nothing: seeds 0 to 199',
    () => simulateSeeds(0, 200),
    LIMIT_MS,
  )

  it('does the same from the same seed', async () => {
    for (const seed of [3, 14, 159, 2_653]) {
      const first = await simulate(seed)
      expect(await simulate(seed)).toEqual(first)
    }
  })
})
