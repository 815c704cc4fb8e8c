import { expect } from 'vitest'
import { simulate } from './simulate.ts'

/** Tries every seed of a range, and sees to it that enough happened in them to be worth something. */
export async function simulateSeeds(from: number, to: number): Promise<void> {
  let deaths = 0
  let landed = 0
  for (let seed = from; seed < to; seed += 1) {
    const result = await simulate(seed).catch((error: unknown) => {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error })
    })
    deaths += result.deaths
    landed += result.landed
  }
  expect(deaths).toBeGreaterThan((to - from) / 3)
  expect(landed).toBeGreaterThan(2 * (to - from))
}
