import { expect, it } from 'vitest'
import { killDemos } from './kill-demo.ts'

/** `npm run demo:kill` does it a hundred times. */
const KILLS = 6

it('a demo that is killed again and again is finished in the end: nothing lost, nothing twice, nobody left', async () => {
  const { deaths, faults } = await killDemos({ kills: KILLS, killsPerDemo: KILLS, seed: 20_261 })
  expect(faults).toEqual([])
  expect(deaths).toHaveLength(KILLS)
  const recoveryMs = deaths.map((death) => death.recoveryMs).join(', ')
  process.stdout.write(`killed ${deaths.length} times; recovered after ${recoveryMs} ms\n`)
})
