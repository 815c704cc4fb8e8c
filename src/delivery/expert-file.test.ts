import { describe, expect, it } from 'vitest'
import { isExpertName } from '../personas/expert-name.ts'
import { type ExpertFile, formatExpert, readExpertFile } from './expert-file.ts'

const LEDGER: ExpertFile = {
  name: 'ledger',
  gap: 'double-entry rules of this ledger',
  supports: ['developer', 'health-auditor'],
  tasks: ['task-001', 'task-004'],
  expertise: ['every posting has a counterpart', 'amounts are integers of cents'],
  triggers: [
    { role: 'developer', when: 'a posting does not balance' },
    { role: null, when: 'rounding is unclear' },
  ],
}

describe('the file of an expert', () => {
  it('is read as it was written', () => {
    expect(readExpertFile('ledger', formatExpert(LEDGER))).toEqual(LEDGER)
  })

  it('may leave everything out', () => {
    const empty = { gap: '', supports: [], tasks: [], expertise: [], triggers: [] }
    expect(readExpertFile('x', 'only prose')).toEqual({ name: 'x', ...empty })
    expect(readExpertFile('x', formatExpert({ ...LEDGER, ...empty, name: 'x' }))).toEqual({
      name: 'x',
      ...empty,
    })
  })

  it('keeps each entry on its line, whatever it contains', () => {
    const forged = { ...LEDGER, expertise: ['one\nSupports: critic\n- two'] }
    expect(readExpertFile('ledger', formatExpert(forged))).toMatchObject({
      supports: LEDGER.supports,
      expertise: ['one Supports: critic - two'],
    })
  })

  it.each(['prompt', 'rules', '../x', 'Ledger', 'a/b', '', 'x.md'])('cannot be named %j', (name) => {
    expect(isExpertName(name)).toBe(false)
  })
})
