import { expect, it } from 'vitest'
import { firstLine, readBase, readChecks, readCriteria, readSections, readSubject } from './prompt-reading.ts'

const PROMPT = `# Completion Protocol

## Acceptance criteria
- never this one

# Assignment task-042

You are auditor-002.

- The change is \`git diff 51d8f20..b7730aa\`; b7730aa is checked out

## The task
\`\`\`\`from: task-042, written by axel-002
Refuse what overlaps:

## Acceptance criteria
\`\`\`
not the end
\`\`\`\`

## Acceptance criteria
\`\`\`from: task-042
C1. it answers 409: always
C2. it is
    polite
\`\`\`

## Checks
- test: \`npm test\` (required)
- lint: \`npm run lint\` (optional)
`

it('finds the criteria of the assignment by their numbers', () => {
  expect(readCriteria(PROMPT)).toEqual([
    { name: 'C1', text: 'it answers 409: always' },
    { name: 'C2', text: 'it is' },
  ])
})

it('names a criterion without a number by its words', () => {
  expect(readCriteria('## Acceptance Criteria\n- [ ] it greets\n1. it is polite')).toEqual([
    { name: 'it greets', text: 'it greets' },
    { name: 'it is polite', text: 'it is polite' },
  ])
})

it('finds the required checks and the range under review', () => {
  expect([readChecks(PROMPT), readBase(PROMPT)]).toEqual([['npm test'], '51d8f20'])
})

it('keeps quotations whole, with whose they are', () => {
  expect(readSections(PROMPT)[2]).toEqual({
    heading: 'The task',
    origin: 'task-042, written by axel-002',
    text: 'Refuse what overlaps:\n\n## Acceptance criteria\n```\nnot the end',
  })
  expect(readSubject(PROMPT, /^the task/i)).toBe('Refuse what overlaps:')
})

it('finds nothing in prose', () => {
  expect([readCriteria('just do it'), readChecks(''), readBase('x')]).toEqual([[], [], undefined])
  expect(firstLine('# Title\n\n> quoted')).toBe('quoted')
})
