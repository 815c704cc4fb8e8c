import { describe, it } from 'vitest'
import { simulateSeeds } from './simulate-seeds.ts'

const LIMIT_MS = 800_000

describe('a director that may die between any two steps', () => {
  it(
    'loses no task, lands none twice and leaks nothing: seeds 1,000 to 1,999',
    () => simulateSeeds(1_000, 2_000),
    LIMIT_MS,
  )
})
