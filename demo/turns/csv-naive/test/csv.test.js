import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCsv } from '../src/csv.js'

test('rows and fields are told apart', () => {
  assert.deepEqual(parseCsv('a;b\r\nc;d\n'), [
    ['a', 'b'],
    ['c', 'd'],
  ])
})

test('a quoted field may hold the separator and quotes', () => {
  assert.deepEqual(parseCsv('1;"rent; January";"the ""old"" flat"\n'), [
    ['1', 'rent; January', 'the "old" flat'],
  ])
})
