import assert from 'node:assert/strict'
import { test } from 'node:test'
import { categoryOf } from '../src/categories.js'
import { makeEntry } from '../src/entry.js'

const rules = [
  { category: 'home', words: ['rent', 'power'] },
  { category: 'food', words: ['market', 'bakery'] },
]

test('the first rule that fits names the category, whatever the case', () => {
  assert.equal(categoryOf(makeEntry('2026-01-02', 'RENT January', '-950'), rules), 'home')
  assert.equal(categoryOf(makeEntry('2026-01-03', 'Bakery', '-3.20'), rules), 'food')
})

test('what fits no rule is counted as other, not left out', () => {
  assert.equal(categoryOf(makeEntry('2026-01-04', 'a gift', '10'), rules), 'other')
})
