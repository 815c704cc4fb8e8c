import { expect, it } from 'vitest'
import type { Case, Status } from '../../cases/case.ts'
import { View } from '../case-view.ts'
import type { Effect } from '../effect.ts'
import type { HomeNeed } from './agent-home.ts'
import { isDeletedTask, needOfHome } from './need-of-home.ts'

const FAILED_AT = '2026-06-01T00:00:00.000Z'
const LATER = '2026-06-02T00:00:00.000Z'
const NEEDED: HomeNeed = { kind: 'needed' }
const OVER: HomeNeed = { kind: 'over' }

function task(id: string, status: Status, more: Partial<Case> = {}): Case {
  return {
    id,
    type: 'task',
    content: 'a task',
    status,
    parentId: null,
    metadata: {},
    rev: 1,
    createdAt: FAILED_AT,
    updatedAt: FAILED_AT,
    ...more,
  } as Case
}

const LEASE = { holder: 'echo-001', fence: 1, expiresAt: LATER }
const cases: Case[] = [
  task('done', 'done'),
  task('deleted', 'pending', { deletedAt: LATER }),
  task('failed', 'failed'),
  task('timed-out', 'timeout', { updatedAt: LATER }),
  task('pending', 'pending'),
  task('blocked', 'blocked'),
  task('review', 'review'),
  task('active', 'active', { leases: { develop: { ...LEASE, holder: 'echo-002' } } } as Partial<Case>),
  task('deferred', 'done', { type: 'deferred' }),
  task('unread', 'active', { metadata: { delivery: { version: 99 } } }),
]

const rows: [string, string[], HomeNeed][] = [
  ['of a task that landed', ['done'], OVER],
  ['of a deleted task', ['deleted'], OVER],
  ['of a task that is not known', ['gone'], OVER],
  ['of which no task was noted', [], OVER],
  ['of a task that failed', ['failed'], { kind: 'failed', endedAtMs: Date.parse(FAILED_AT) }],
  ['of several that failed', ['timed-out', 'failed'], { kind: 'failed', endedAtMs: Date.parse(LATER) }],
  [
    'of one that failed and one that landed',
    ['done', 'failed'],
    { kind: 'failed', endedAtMs: Date.parse(FAILED_AT) },
  ],
  ['of a task that waits', ['pending'], NEEDED],
  ['of a blocked task', ['blocked'], NEEDED],
  ['of a task in review', ['review'], NEEDED],
  ['of a task at work', ['active'], NEEDED],
  ['of a task that was put off', ['deferred'], NEEDED],
  ['of a task that another version wrote', ['unread'], NEEDED],
  ['of one that landed and one that waits', ['done', 'pending', 'failed'], NEEDED],
]

function needOf(agent: string, tasks: readonly string[], atWork: readonly Effect[] = []): HomeNeed {
  const view = new View()
  view.load(cases.map((subject) => ({ ...subject, ready: false })) as never)
  const works = atWork.map((effect, at) => [`${at}`, { effect, slot: 0, startedAtMs: 0 }] as const)
  return needOfHome({ view, atWork: new Map(works) }, { agent, tasks })
}

it.each(rows)('a home %s', (_, tasks, need) => {
  expect(needOf('echo-001', tasks)).toEqual(need)
})

it('is needed while its agent holds a claim, whatever was noted', () => {
  expect(needOf('echo-002', ['done'])).toEqual(NEEDED)
})

it('is needed while somebody works on its task, or it is about to be taken for another', () => {
  const perform: Effect = { kind: 'perform', task: 'done', role: 'critic', stage: null, held: null }
  const chosen: Effect = { kind: 'develop', task: 'pending', held: null, agent: 'echo-001' }
  const held: Effect = { ...chosen, agent: null, held: { agent: 'echo-001', fence: 1 } }
  for (const effect of [perform, chosen, held]) {
    expect(needOf('echo-001', ['done'], [effect])).toEqual(NEEDED)
    expect(needOf('echo-003', ['failed'], [effect])).not.toEqual(NEEDED)
  }
})

it('takes a task for deleted that is marked so, or is no longer among the cases', () => {
  const view = new View()
  const known = [task('task-001', 'pending'), task('task-002', 'pending', { deletedAt: LATER })]
  view.load(known.map((subject) => ({ ...subject, childIds: [] })))
  const names = ['task-001', 'task-002', 'task-003', 'merge', 'task-003-repair']
  expect(names.filter((name) => isDeletedTask(view, name))).toEqual(['task-002', 'task-003'])
})
