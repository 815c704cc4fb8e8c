import { expect, it } from 'vitest'
import { killSafeWriters, killWriters } from './kill-writer.ts'
import { show } from './scratch.ts'

/** A kill finds something lost only by chance, so it is tried until one does. */
const TRIES_MAX = 20

killSafeWriters(2, 10)

it('catches a store that answers before it writes', async () => {
  let lost = 0
  let kills = 0
  while (lost === 0 && kills < TRIES_MAX * 5) {
    lost += (await killWriters('unsafe', 1, 5)).lost
    kills += 5
  }
  show(`${kills} kills of an unsafe store: ${lost} lost`)
  expect(lost).toBeGreaterThan(0)
})
