import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeEntry, openLedger } from '../src/index.js'

test('entries stand in the order of their days', () => {
  const ledger = openLedger()
  ledger.add(makeEntry('2026-02-01', 'salary', '2000'))
  ledger.add(makeEntry('2026-01-15', 'rent', '-950.00'))
  assert.deepEqual(
    ledger.entries().map(({ text }) => text),
    ['rent', 'salary'],
  )
})

test('the balance is the sum in cents', () => {
  const ledger = openLedger()
  ledger.add(makeEntry('2026-01-15', 'rent', '-950.00'))
  ledger.add(makeEntry('2026-02-01', 'salary', 200_000))
  assert.equal(ledger.balance(), 105_000)
})

test('an entry without a day is refused', () => {
  assert.throws(() => makeEntry('yesterday', 'rent', '1'), RangeError)
})
