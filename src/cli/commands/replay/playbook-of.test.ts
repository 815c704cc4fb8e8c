import { describe, expect, it } from 'vitest'
import type { RecordedTurn } from '../../../project/recording.ts'
import { parsePlaybook } from '../../../sim/playbook.ts'
import { playbookOf } from './playbook-of.ts'
import { resetCases } from './reset-cases.ts'

function turn(role: string, task: string, rest: Partial<RecordedTurn> = {}): RecordedTurn {
  const who = { type: 'turn', role, task, agent: `${role}-001`, iteration: 1, end: 'completed' } as const
  return { ...who, target: 'base', speech: ['first', 'last'], change: null, ...rest }
}

const LANDINGS = [
  { task: 'task-002', commit: 'c1' },
  { task: 'task-001', commit: 'c2' },
]

describe('the playbook of a recording', () => {
  it('counts the turns of a role on a task, and leaves out what died on the way', () => {
    const turns = [
      turn('critic', 'task-001'),
      turn('critic', 'task-001', { end: 'crashed' }),
      turn('critic', 'task-002'),
      turn('critic', 'task-001'),
    ]
    const { entries } = playbookOf(turns, [])
    expect(entries.map(({ tasks, turn: number }) => [tasks?.[0], number])).toEqual([
      ['task-001', 1],
      ['task-002', 1],
      ['task-001', 2],
    ])
  })

  it('commits before the last words, in which the verdict stands', () => {
    const change = { patch: 'diff --git', message: 'feat: it', files: null }
    const book = playbookOf([turn('developer', 'task-001', { change })], [])
    expect(book.entries[0]?.steps.map((step) => step.do)).toEqual(['say', 'patch', 'commit', 'say'])
    expect(() => parsePlaybook(JSON.stringify(book))).not.toThrow()
  })

  it('lets each turn wait for what had landed, and the last audit for what landed before its task', () => {
    const turns = [
      turn('developer', 'task-003', { target: 'c1' }),
      turn('auditor', 'task-001'),
      turn('auditor', 'task-001'),
      turn('auditor', 'task-002'),
    ]
    const barriers = playbookOf(turns, LANDINGS).entries.map(({ steps: [first] }) =>
      first?.do === 'barrier' ? first.path : null,
    )
    expect(barriers).toEqual(['landed/task-002', null, 'landed/task-002', null])
  })

  it('gives a resolver the files as they were left', () => {
    const change = { patch: 'x', message: 'fix: both', files: { 'a.js': 'both' } }
    const [entry] = playbookOf([turn('resolver', 'task-001', { change })], []).entries
    expect(entry?.steps[1]).toEqual({ do: 'settle', files: { 'a.js': 'both' } })
  })
})

it('a replay begins with the tasks that were open as if nobody had touched them', () => {
  const metadata = { key: 't1', delivery: { state: 'critique' }, execution: { iterations: 3 } }
  const lines = [
    { id: 'task-001', type: 'task', status: 'review', metadata, leases: { develop: {} } },
    { id: 'task-002', type: 'task', status: 'done', metadata },
  ].map((line) => JSON.stringify(line))
  expect(resetCases(lines).map((line) => JSON.parse(line))).toEqual([
    { id: 'task-001', type: 'task', status: 'pending', metadata: { key: 't1' } },
    { id: 'task-002', type: 'task', status: 'done', metadata },
  ])
})
