import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseWakes, type Sleeper, wakeAt } from './choose-wakes.ts'
import { afterQuiet, isQuiet } from './quiet-hours.ts'

const NIGHT = { from: '22:00', to: '07:00' }
const at = (text: string): number => Date.parse(text)
const utc = 'UTC'

describe('quiet hours', () => {
  it.each([
    ['2026-01-10T21:59:59Z', false],
    ['2026-01-10T22:00:00Z', true],
    ['2026-01-11T06:59:00Z', true],
    ['2026-01-11T07:00:00Z', false],
    ['2026-01-11T12:00:00Z', false],
  ])('over midnight: %s is quiet: %s', (text, quiet) => {
    expect(isQuiet(at(text), NIGHT, utc)).toBe(quiet)
  })

  it('are none when only one end is named or both are the same', () => {
    for (const quiet of [{}, { from: '01:00' }, { to: '01:00' }, { from: '01:00', to: '01:00' }])
      expect(isQuiet(at('2026-01-10T01:00:00Z'), quiet, utc)).toBe(false)
  })

  it('end at their local time on the days on which clocks are set', () => {
    // In Berlin, 29 March 2026 has 23 hours and 25 October 2026 has 25.
    const spring = afterQuiet(at('2026-03-28T21:30:00Z'), NIGHT, 'Europe/Berlin')
    expect(new Date(spring).toISOString()).toBe('2026-03-29T05:00:00.000Z')
    const autumn = afterQuiet(at('2026-10-24T20:30:00Z'), NIGHT, 'Europe/Berlin')
    expect(new Date(autumn).toISOString()).toBe('2026-10-25T06:00:00.000Z')
  })

  it('end after the gap when clocks skip the time at which they should end', () => {
    const end = afterQuiet(at('2026-03-29T00:10:00Z'), { from: '01:00', to: '02:30' }, 'Europe/Berlin')
    expect(new Date(end).toISOString()).toBe('2026-03-29T01:00:00.000Z')
  })

  it('end a day later when clocks skip the only free time of a day', () => {
    const end = afterQuiet(at('2026-03-28T20:00:00Z'), { from: '02:40', to: '02:10' }, 'Europe/Berlin')
    expect(new Date(end).toISOString()).toBe('2026-03-30T00:10:00.000Z')
  })

  it('are never in the time they give, and no time between was free', () => {
    const moment = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true })
    const clock = fc
      .tuple(fc.nat(23), fc.nat(59))
      .map((pair) => pair.map((n) => `${n}`.padStart(2, '0')).join(':'))
    fc.assert(
      fc.property(moment, clock, clock, (date, from, to) => {
        const quiet = { from, to }
        const end = afterQuiet(date.getTime(), quiet, 'Europe/Berlin')
        expect(isQuiet(end, quiet, 'Europe/Berlin')).toBe(false)
        if (end > date.getTime()) expect(isQuiet(end - 60_000, quiet, 'Europe/Berlin')).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

const sleeper = (task: string, fields: Partial<Sleeper> = {}): Sleeper => ({
  agent: `echo-${task}`,
  task,
  sinceMs: 0,
  resetAtMs: at('2026-01-10T12:00:00Z'),
  priority: 0,
  ...fields,
})
const rules = { atOnceMax: 2, gapMs: 1_000, quiet: NIGHT, timeZone: utc }

describe('sleepers', () => {
  it('wake at the reset, or when the quiet hours after it end', () => {
    const noon = at('2026-01-10T12:00:00Z')
    expect(wakeAt(noon, at('2026-01-10T15:00:00Z'), NIGHT, utc)).toBe(at('2026-01-10T15:00:00Z'))
    expect(wakeAt(noon, at('2026-01-10T23:00:00Z'), NIGHT, utc)).toBe(at('2026-01-11T07:00:00Z'))
    expect(wakeAt(noon, at('2026-01-10T11:00:00Z'), NIGHT, utc)).toBe(noon)
    expect(wakeAt(noon, at('2027-01-10T12:00:00Z'), NIGHT, utc)).toBe(noon)
  })

  it('wake by priority, of equals the longest asleep, and only so many at once', () => {
    const all = [
      sleeper('a', { priority: 1, sinceMs: 5 }),
      sleeper('b', { priority: 9 }),
      sleeper('c', { priority: 1, sinceMs: 2 }),
      sleeper('d', { priority: 99, resetAtMs: at('2026-01-10T13:00:00Z') }),
    ]
    const nowMs = at('2026-01-10T12:00:00Z')
    const first = chooseWakes(all, { ...rules, nowMs })
    expect(first.wake.map(({ task }) => task)).toEqual(['b', 'c'])
    expect(first.nextAtMs).toBe(nowMs + 1_000)
    const second = chooseWakes([all[0]!, all[3]!], { ...rules, nowMs: nowMs + 1_000 })
    expect(second.wake.map(({ task }) => task)).toEqual(['a'])
    expect(second.nextAtMs).toBe(at('2026-01-10T13:00:00Z'))
  })

  it('stay asleep at night, and the next look is in the morning', () => {
    const nowMs = at('2026-01-10T23:00:00Z')
    expect(chooseWakes([sleeper('a')], { ...rules, nowMs })).toEqual({
      wake: [],
      nextAtMs: at('2026-01-11T07:00:00Z'),
    })
    expect(chooseWakes([], { ...rules, nowMs }).nextAtMs).toBeUndefined()
  })
})
