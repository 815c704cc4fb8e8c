import { expect, it } from 'vitest'
import { killDemos } from './kill-demo.ts'

/** `npm run demo:kill` does it a hundred times. */
const KILLS = 6

it('a demo that is killed again and again is finished in the end: nothing lost, nothing twice, nobody left', async () => {
  const { kills, recoveryMs, faults } = await killDemos(KILLS, KILLS, 20_261)
  expect(faults).toEqual([])
  expect(kills).toBeGreaterThan(0)
  process.stdout.write(`killed ${kills} times; recovered after ${recoveryMs.join(', ')} ms\n`)
})
