import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeEntry } from '../src/entry.js'
import { monthlyTotals } from '../src/monthly.js'

test('entries of one month are summed', () => {
  const entries = [makeEntry('2026-03-10', 'food', '-20.00'), makeEntry('2026-03-20', 'refund', '5')]
  assert.deepEqual(monthlyTotals(entries), { '2026-03': -1500 })
})

test('the same month of two years is two months, the older first', () => {
  const entries = [makeEntry('2026-01-31', 'rent', '-950'), makeEntry('2025-01-01', 'gift', '10')]
  assert.deepEqual(Object.entries(monthlyTotals(entries)), [
    ['2025-01', 1000],
    ['2026-01', -95_000],
  ])
})
