import { expect, it } from 'vitest'
import type { Checkpoint } from './checkpoint.ts'
import { chooseExpired } from './choose-expired.ts'

const NOW_MS = Date.parse('2026-03-31T00:00:00.000Z')
const LIMITS = { max: 5, retentionDays: 30 }

function aged(name: string, days: number, isNamed = false): Checkpoint {
  const at = new Date(NOW_MS - days * 86_400_000).toISOString()
  return { name, commit: 'c'.repeat(40), at, isNamed, reason: 'landed' }
}

const expired = (...all: Checkpoint[]) => chooseExpired(all, LIMITS, NOW_MS).map(({ name }) => name)

it('lets go what is older than the retention, but for the last three and for named ones', () => {
  expect(expired(aged('a', 100), aged('b', 90), aged('c', 80), aged('d', 70), aged('e', 60, true))).toEqual([
    'b',
    'a',
  ])
  expect(expired(aged('a', 100), aged('b', 90), aged('c', 80))).toEqual([])
})

it('keeps the newest of too many', () => {
  const many = Array.from({ length: 9 }, (_, i) => aged(`n${i}`, i))
  expect(expired(...many)).toEqual(['n5', 'n6', 'n7', 'n8'])
  expect(expired(...many.map((one, i) => ({ ...one, isNamed: i === 8 })))).toEqual(['n4', 'n5', 'n6', 'n7'])
})
