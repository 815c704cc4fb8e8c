import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatAmount, parseAmount } from '../src/index.js'

test('an amount is read in every way people write it', () => {
  const written = ['12', '-3.5', '+1,25', ' 0.07 ']
  assert.deepEqual(written.map(parseAmount), [1200, -350, 125, 7])
})

test('what is no amount is refused', () => {
  assert.throws(() => parseAmount('twelve'), RangeError)
})

test('an amount is written with two digits', () => {
  assert.deepEqual([1200, -350, 7].map(formatAmount), ['12.00', '-3.50', '0.07'])
})
