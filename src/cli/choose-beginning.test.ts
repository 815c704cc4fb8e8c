import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { chooseBeginning } from './choose-beginning.ts'

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'axiom-beginning-'))
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

it('leads a person through init the first time, and to the page from then on', () => {
  expect(chooseBeginning({ interactive: true, cwd })).toEqual(['init', 'serve'])
  mkdirSync(join(cwd, '.axiom'))
  expect(chooseBeginning({ interactive: true, cwd })).toEqual(['serve'])
})

it('starts nothing where nobody can answer', () => {
  expect(chooseBeginning({ interactive: false, cwd })).toEqual([])
})
