import { expect, it } from 'vitest'
import { verdictOf } from '../../runs/verdict.ts'
import { parseSignals } from '../../signals/signal-parser.ts'
import type { ProofOutcome } from '../../verification/prove-completion.ts'
import { wordOfEnd } from './event-of-end.ts'

const RUN = { task: 'task-001', agent: 'echo-001', fence: 3, run: 'run-7' }
const proof = { kind: 'proven', proof: { commit: 'c1' } } as Extract<ProofOutcome, { kind: 'proven' }>

function completedWith(text: string) {
  const { signals } = parseSignals([text], { names: { tag: 'axiom', names: {} } })
  const verdict = verdictOf(signals)
  return verdict?.kind === 'complete' ? wordOfEnd({ ...verdict, proof }, RUN) : undefined
}

it('tells delivery what the developer said of its work, whichever form it ended with', () => {
  const word = { signal: 'COMPLETE', sender: 'developer', agent: 'echo-001', fence: 3, commit: 'c1' }
  const summary = { name: 'READY_FOR_REVIEW', body: { summary: 'It greets.' } }
  const claim = 'READY_FOR_REVIEW: task-001\n\nSummary: It greets.'
  expect(completedWith(claim)).toMatchObject({ ...word, said: summary })
  expect(completedWith(`${claim}\n\n<axiom>COMPLETE</axiom>`)).toMatchObject({ ...word, said: summary })
  expect(completedWith('<axiom>COMPLETE</axiom>')).toMatchObject({ ...word, said: null })
})
