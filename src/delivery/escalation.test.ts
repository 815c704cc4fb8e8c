import { describe, expect, it } from 'vitest'
import { chooseExpert, isTestable, isUnderspecified, nextStep, type RegisteredExpert } from './escalation.ts'

const LIMITS = { ownTries: 3, expertTries: 3 }

function climb(expertFits: boolean): string[] {
  const tries = { ownTries: 0, expertTries: 0 }
  const steps: string[] = []
  for (let n = 0; n < 8; n++) {
    const step = nextStep(tries, expertFits, LIMITS)
    steps.push(step)
    if (step === 'own') tries.ownTries++
    if (step === 'expert') tries.expertTries++
  }
  return steps
}

describe('the ladder', () => {
  it('is three own tries, three with experts, then the person', () => {
    const person = ['person', 'person']
    expect(climb(true)).toEqual(['own', 'own', 'own', 'expert', 'expert', 'expert', ...person])
  })

  it('is six own tries and then the person where no expert fits', () => {
    expect(climb(false)).toEqual(['own', 'own', 'own', 'own', 'own', 'own', 'person', 'person'])
  })

  it('gives no second set of own tries once an expert was asked', () => {
    expect(nextStep({ ownTries: 3, expertTries: 1 }, false, LIMITS)).toBe('person')
  })
})

const expert = (name: string, when: string, more: Partial<RegisteredExpert> = {}): RegisteredExpert => ({
  name,
  supports: [],
  tasks: [],
  triggers: [{ role: 'Developer', when }],
  ...more,
})

describe('the choice of an expert', () => {
  const ledger = expert('ledger', 'money is rounded or a balance is computed')
  const clocks = expert('clocks', 'time zones or calendars matter')
  const need = { task: 'task-001', role: 'developer', named: null, text: '' } as const

  it('goes by the words of the triggers', () => {
    const text = 'how is the balance rounded?'
    expect(chooseExpert([clocks, ledger], { ...need, text })?.name).toBe('ledger')
    expect(chooseExpert([clocks, ledger], { ...need, text: 'what colour?' })).toBeUndefined()
  })

  it('takes the one asked for by name, if it may serve this role and this task', () => {
    expect(chooseExpert([clocks, ledger], { ...need, named: 'Clocks' })?.name).toBe('clocks')
    const elsewhere = expert('clocks', 'time zones', { tasks: ['task-009'] })
    expect(chooseExpert([elsewhere], { ...need, named: 'clocks', text: 'time zones' })).toBeUndefined()
    const auditors = expert('clocks', 'time zones', { supports: ['auditor'] })
    expect(chooseExpert([auditors], { ...need, named: 'clocks' })).toBeUndefined()
  })

  it('asks nobody by a trigger that is meant for another role', () => {
    const text = 'the balance is rounded'
    expect(chooseExpert([ledger], { ...need, role: 'auditor', text })).toBeUndefined()
  })
})

describe('what can be tested', () => {
  it.each([
    'GET /health returns 200',
    'the list is empty after a reset and `items()` gives []',
    'an unknown flag exits with code 2',
    'the old name no longer appears in the help',
    'a good error message is printed when the file is missing',
    'one.txt exists',
  ])('is: %s', (criterion) => expect(isTestable(criterion)).toBe(true))

  it.each([
    '',
    'works',
    'the code is clean',
    'the interface feels nice and intuitive',
    'improve performance',
  ])('is not: %s', (criterion) => expect(isTestable(criterion)).toBe(false))

  it('sends a task to the analyst when one criterion is missing it, or all are', () => {
    expect(isUnderspecified([])).toBe(true)
    expect(isUnderspecified(['the code is clean', 'it is nicer'])).toBe(true)
    expect(isUnderspecified(['GET /health returns 200', 'the code is clean'])).toBe(false)
    expect(isUnderspecified([], ['npm test'])).toBe(false)
    expect(isUnderspecified(['GET /health returns 200'])).toBe(false)
  })
})
