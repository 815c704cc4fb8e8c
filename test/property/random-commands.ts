import { it } from 'vitest'
import { compareIndex, compareStore } from '../model/compare-with-model.ts'

/** Random sequences of commands from each of so many seeds. */
export function compareWithModel(firstSeed: number, indexes: number, stores: number): void {
  it(`do to the index what the plain model says, seeds from ${firstSeed}`, () => {
    for (let seed = firstSeed; seed < firstSeed + indexes; seed += 1) compareIndex(seed, 100)
  })

  it(`leave a store that is the same after reopening and after compaction, seeds from ${firstSeed}`, async () => {
    for (let seed = firstSeed; seed < firstSeed + stores; seed += 1) await compareStore(seed, 6)
  })
}
