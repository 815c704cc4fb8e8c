import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readTextTail } from './read-text-tail.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'axiom-tail-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it.each([
  ['all of a short file', 'one\ntwo\n', 100, 'one\ntwo\n'],
  ['all of a file of just that length', 'one\ntwo\n', 8, 'one\ntwo\n'],
  ['no half of a line', 'one\ntwo\nthree', 10, 'two\nthree'],
  ['nothing of a single line that is too long', 'x'.repeat(50), 10, ''],
  ['nothing of an empty file', '', 10, ''],
])('reads %s', async (_, text, bytesMax, expected) => {
  writeFileSync(join(folder, 'log'), text)
  expect(await readTextTail(join(folder, 'log'), bytesMax)).toBe(expected)
})

it('reads nothing where there is no file', async () => {
  expect(await readTextTail(join(folder, 'none'), 10)).toBeUndefined()
})
