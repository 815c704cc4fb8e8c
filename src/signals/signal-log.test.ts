import { expect, it } from 'vitest'
import { formatProblemLog } from './signal-log.ts'
import { parseSignals } from './signal-parser.ts'

it('logs a problem as one line of JSON with its sender, its place and what was read', () => {
  const { problems } = parseSignals(['<axiom>COMPLET</axiom>\n<axiom>BLOCKED\n'], {
    names: { tag: 'axiom', names: {} },
  })
  const sender = { ts: '2026-01-25T10:00:00Z', agent: 'echo-001', task: 'task-042' }
  expect(problems.map((problem) => formatProblemLog(problem, sender))).toEqual([
    '{"ts":"2026-01-25T10:00:00Z","level":"warn","code":"SIGNAL_UNKNOWN_TYPE","agent":"echo-001","task":"task-042","raw":"<axiom>COMPLET</axiom>","type":"COMPLET","message":0,"line":1}',
    '{"ts":"2026-01-25T10:00:00Z","level":"warn","code":"SIGNAL_MALFORMED","agent":"echo-001","task":"task-042","raw":"<axiom>BLOCKED","message":0,"line":2}',
  ])
})
