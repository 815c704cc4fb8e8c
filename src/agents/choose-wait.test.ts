import fc from 'fast-check'
import { expect, it } from 'vitest'
import { chooseWait } from './choose-wait.ts'

it.each([
  ['the first wait', { attempt: 1, random: 0.5 }, 2_500],
  ['the fourth', { attempt: 4, random: 0.5 }, 20_000],
  ['the hundredth', { attempt: 100, random: 0.5 }, 300_000],
  ['an unlucky throw', { attempt: 1, random: 0 }, 1_000],
  ['a reset that is named', { attempt: 1, random: 0.5, resetAtMs: 3_600_000 }, 3_615_000],
  ['a reset that is past', { attempt: 1, random: 0.5, resetAtMs: -1 }, 2_500],
])('%s', (_name, waiting, expected) => {
  expect(chooseWait({ nowMs: 0, ...waiting })).toBe(expected)
})

it('keeps a storm of two minutes under a budget: fifty agents ask far less often than once a second', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 30 }), (seed) => {
      let state = seed
      const random = () => {
        state = (state * 1_103_515_245 + 12_345) % 2 ** 31
        return state / 2 ** 31
      }
      let calls = 0
      for (let agent = 0; agent < 50; agent += 1)
        for (let nowMs = 0, attempt = 1; nowMs < 120_000; attempt += 1) {
          calls += 1
          nowMs = chooseWait({ attempt, nowMs, random: random() })
        }
      expect(calls / 50).toBeLessThan(10)
    }),
    { numRuns: 50 },
  )
})
