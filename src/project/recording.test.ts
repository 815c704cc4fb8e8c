import { expect, it } from 'vitest'
import { parseRecording } from './recording.ts'

const BEGIN = {
  type: 'begin',
  version: 1,
  at: '2026-01-01T00:00:00.000Z',
  director: 'dex-001',
  target: 'main',
  base: 'aaa',
  cases: 'ddd',
}
const TURN = {
  type: 'turn',
  role: 'developer',
  task: 'task-001',
  agent: 'echo-001',
  iteration: 1,
  target: 'aaa',
  speech: ['done'],
  end: 'completed',
  change: null,
}

it('reads what was recorded, also when the last line was cut short', () => {
  const text = [BEGIN, TURN].map((line) => JSON.stringify(line)).join('\n')
  const recording = parseRecording(`${text}\n{"type":"turn","role":"cri`)
  expect(recording).toMatchObject({ begin: BEGIN, turns: [TURN], end: undefined, unread: 1 })
})

it('takes nothing for a recording that does not say how it began', () => {
  expect(parseRecording(JSON.stringify(TURN))).toBeUndefined()
  expect(parseRecording('')).toBeUndefined()
})
