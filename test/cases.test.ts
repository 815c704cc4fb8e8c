import { describe, it } from 'vitest'
import { compareIndex, compareStore } from './model/compare-with-model.ts'

/** A few sequences for every check; `test/property` runs many more. */
describe('random sequences of commands', () => {
  it('do to the index what the plain model says, with the same ready tasks and never a circle', () => {
    for (let seed = 1; seed <= 25; seed += 1) compareIndex(seed, 60)
  })

  it('leave a store that is the same after reopening and after compaction', async () => {
    for (let seed = 1; seed <= 3; seed += 1) await compareStore(seed, 4)
  })
})
