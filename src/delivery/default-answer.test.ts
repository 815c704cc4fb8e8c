import { expect, it } from 'vitest'
import { parseSignals } from '../signals/signal-parser.ts'
import { defaultAnswer } from './default-answer.ts'
import type { Occurrence } from './occurrence.ts'

function asked(text: string): Occurrence {
  const said = parseSignals([text], { names: { tag: 'axiom', names: {} } }).signals.at(-1) ?? null
  if (said === null) throw new Error(`no signal in ${text}`)
  return {
    id: 'word-1',
    signal: said.name,
    sender: 'developer',
    agent: 'echo-001',
    task: null,
    fence: 1,
    request: null,
    commit: null,
    payload: said.payload,
    said,
    text: null,
  }
}

const clarification = (options: string) =>
  `SEEKING_DIVINE_CLARIFICATION\n\nQuestion: Which one?\n\nOptions Considered:\n${options}\n`

it.each([
  ['<axiom>PENDING:Cents or dollars? (default: cents)</axiom>', 'cents'],
  ['<axiom>PENDING:Keep it? [Default: yes, keep it]</axiom>', 'yes, keep it'],
  ['<axiom>PENDING:Which name? (recommended: tally)</axiom>', 'tally'],
  ['<axiom>PENDING:By default it is cents. Is that right?</axiom>', null],
  ['<axiom>PENDING:Which one? (default: )</axiom>', null],
  ['<axiom>BLOCKED:no key (default: x)</axiom>', null],
])('reads the default off %s', (text, answer) => {
  expect(defaultAnswer(asked(text))).toBe(answer)
})

it('takes the option that the asker marks', () => {
  const marked = clarification('- cents (default): exact\n- dollars: short')
  expect(defaultAnswer(asked(marked))).toBe('cents')
  expect(defaultAnswer(asked(clarification('- cents: exact\n- dollars: short')))).toBeNull()
})
