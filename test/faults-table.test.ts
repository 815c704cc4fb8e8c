import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { FAULTS } from './faults/faults.ts'

const ROOT = resolve(import.meta.dirname, '..')

it.each(FAULTS)('the text that is broken stands once, and its test is there: $name', (fault) => {
  const parts = readFileSync(join(ROOT, fault.file), 'utf8').split(fault.find)
  expect(parts.length - 1, `"${fault.find}" in ${fault.file}`).toBe(1)
  expect(fault.replace).not.toBe(fault.find)
  expect(existsSync(join(ROOT, fault.test)), fault.test).toBe(true)
  expect(fault.test).not.toContain('.deep.')
})

it('every form of a secret has its fault', () => {
  const forms = readFileSync(join(ROOT, 'src/agents/redaction.ts'), 'utf8').match(/^ {2}form\('/gm) ?? []
  expect(FAULTS.filter(({ file }) => file === 'src/agents/redaction.ts')).toHaveLength(forms.length)
})

it('faults have names of their own', () => {
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length)
})
