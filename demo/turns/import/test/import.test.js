import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importExport } from '../src/import.js'

const EXPORT = 'date;text;amount\n2026-01-02;"rent; January";-950,00\n2026-01-03;bakery;-3,2\n'

test('a bank export becomes entries', () => {
  assert.deepEqual(importExport(EXPORT), [
    { date: '2026-01-02', text: 'rent; January', cents: -95_000 },
    { date: '2026-01-03', text: 'bakery', cents: -320 },
  ])
})

test('a row that cannot be read is refused, not skipped', () => {
  assert.throws(() => importExport('date;text;amount\n2026-01-02;rent;much\n'), RangeError)
})
