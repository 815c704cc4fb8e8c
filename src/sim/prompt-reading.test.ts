import { expect, it } from 'vitest'
import { firstLine, readChecks, readCriteria, sectionUnder } from './prompt-reading.ts'

const PROMPT = `# Rules
- never guess

## Task
Add a greeting to the page.

## Acceptance Criteria
- [ ] it greets
1. it is polite

## Verification
- test: \`npm test\`
- lint: \`npm run lint\`

## Notes
- none`

it('finds the criteria and nothing else', () => {
  expect(readCriteria(PROMPT)).toEqual(['it greets', 'it is polite'])
})

it('finds the commands of the checks', () => {
  expect(readChecks(PROMPT)).toEqual(['npm test', 'npm run lint'])
})

it('finds a section, and what it says first', () => {
  expect(sectionUnder(PROMPT, /task/i)).toBe('Add a greeting to the page.')
  expect(firstLine(PROMPT)).toBe('never guess')
})

it('finds nothing in prose', () => {
  expect([readCriteria('just do it'), readChecks(''), sectionUnder('x', /task/)]).toEqual([[], [], ''])
})
