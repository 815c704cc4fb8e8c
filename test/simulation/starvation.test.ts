import { expect, it } from 'vitest'
import { simulate } from './simulate.ts'

const SEEDS = 4
const PRESSED_MS = 180 * 60_000
const LIMIT_MS = 800_000

it(
  'under urgent work without an end, what is not urgent is begun in its turn',
  async () => {
    let tasks = 0
    for (let seed = 0; seed < SEEDS; seed += 1) {
      const result = await simulate(seed, { pressedMs: PRESSED_MS }).catch((error: unknown) => {
        throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error })
      })
      tasks += result.tasks
    }
    // There was far more to do than agents could do at once.
    expect(tasks).toBeGreaterThan(30 * SEEDS)
  },
  LIMIT_MS,
)
