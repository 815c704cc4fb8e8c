import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeEntry } from '../src/entry.js'
import { monthlyTotals } from '../src/monthly.js'

test('entries of one month are summed', () => {
  const entries = [makeEntry('2026-03-10', 'food', '-20.00'), makeEntry('2026-03-20', 'refund', '5')]
  assert.deepEqual(Object.values(monthlyTotals(entries)), [-1500])
})
