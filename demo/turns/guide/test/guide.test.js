import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as library from '../src/index.js'

const guide = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

test('everything that the library offers stands in the guide', () => {
  for (const name of ['parseAmount', 'formatAmount', 'makeEntry', 'openLedger']) {
    assert.ok(name in library && guide.includes(name), name)
  }
})
