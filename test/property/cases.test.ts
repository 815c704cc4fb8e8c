import { describe, it } from 'vitest'
import { compareIndex, compareStore } from '../model/compare-with-model.ts'

const FIRST_SEED = Number(process.env.AXIOM_SEED ?? 1)

describe('many random sequences of commands', () => {
  it('do to the index what the plain model says', () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + 300; seed += 1) compareIndex(seed, 100)
  })

  it('leave a store that is the same after reopening and after compaction', async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + 30; seed += 1) await compareStore(seed, 6)
  })
})
