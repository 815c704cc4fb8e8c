import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeEntry } from '../src/entry.js'
import { renderReport } from '../src/report.js'

test('each month shows its total and what each category took', () => {
  const entries = [
    makeEntry('2026-01-02', 'rent', '-950'),
    makeEntry('2026-01-09', 'a gift', '10'),
    makeEntry('2026-02-01', 'rent', '-950'),
  ]
  const report = renderReport(entries, [{ category: 'home', words: ['rent'] }])
  assert.deepEqual(report.split('\n'), [
    '2026-01          -940.00',
    '  home           -950.00',
    '  other            10.00',
    '',
    '2026-02          -950.00',
    '  home           -950.00',
    '',
  ])
})
