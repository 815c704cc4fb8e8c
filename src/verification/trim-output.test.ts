import { expect, it } from 'vitest'
import { trimOutput } from './trim-output.ts'

it('leaves a short output as it is, without its colours', () => {
  expect(trimOutput('\x1b[32mfine\x1b[0m\n')).toBe('fine')
})

it('keeps the fault in the middle and the end, and says what it left out', () => {
  const noise = (n: number): string[] => Array.from({ length: n }, (_, i) => `downloading part ${i} of many`)
  const output = [
    ...noise(500),
    'FAIL src/add.test.ts:3:7',
    '  expected 3, received 4',
    ...noise(500),
    'ended with 1',
  ]
  const trimmed = trimOutput(output.join('\n'), 2_000)
  expect(trimmed).toContain('FAIL src/add.test.ts:3:7')
  expect(trimmed).toContain('expected 3, received 4')
  expect(trimmed.endsWith('ended with 1')).toBe(true)
  expect(trimmed).toMatch(/\[… \d+ lines left out …\]/)
  expect(trimmed.length).toBeLessThan(2_200)
})

it('stays within its bound when every line tells of a fault, or one line is endless', () => {
  expect(trimOutput('error: no\n'.repeat(50_000)).length).toBeLessThan(7_000)
  expect(trimOutput('x'.repeat(1_000_000)).length).toBeLessThan(500)
})
