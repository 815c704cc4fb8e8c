import { describe, it } from 'vitest'
import { seedOr } from '../seed.ts'
import { simulateSeeds } from './simulate-seeds.ts'

const FIRST_SEED = seedOr(0)
const LIMIT_MS = 800_000

describe('a director that may die between any two steps', () => {
  it(
    `loses no task, lands none twice and leaks nothing: 1,000 seeds from ${FIRST_SEED}`,
    () => simulateSeeds(FIRST_SEED, FIRST_SEED + 1_000),
    LIMIT_MS,
  )
})
