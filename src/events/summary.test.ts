import { describe, expect, it } from 'vitest'
import type { Case } from '../cases/case.ts'
import type { LiveRow } from './live-row.ts'
import { summarise } from './summary.ts'
import { addToTimeline, TIMELINE_MAX, timelineOf } from './timeline.ts'

const NOW = '2026-01-01T10:00:00.000Z'

function subject(id: string, rest: Partial<Case> = {}): Case {
  return {
    id,
    type: 'task',
    status: 'pending',
    content: `content of ${id}`,
    parentId: 'op-001',
    createdAt: NOW,
    updatedAt: NOW,
    metadata: {},
    rev: 1,
    uid: id,
    ...rest,
  }
}

function at(state: string, rest: Record<string, unknown> = {}): Pick<Case, 'metadata'> {
  return { metadata: { delivery: { state, rounds: { review: 1 }, verdicts: [], ...rest } } }
}

const lease = (holder: string) => ({ holder, fence: 1, expiresAt: NOW })

describe('the board', () => {
  it.each([
    ['waiting', subject('task-001')],
    ['ready', subject('task-002')],
    ['working', subject('task-003', { status: 'active', ...at('developing') })],
    ['working', subject('task-004', { status: 'active', ...at('consulting') })],
    ['review', subject('task-005', { status: 'review', ...at('critique') })],
    ['review', subject('task-006', { status: 'pending', ...at('specifying') })],
    ['person', subject('task-007', { status: 'review', ...at('person-review') })],
    ['person', subject('task-008', { status: 'blocked', ...at('asking') })],
    ['landing', subject('task-009', { status: 'review', ...at('integrating') })],
    ['done', subject('task-010', { status: 'done', ...at('landed') })],
    ['stopped', subject('task-011', { status: 'failed', ...at('failed') })],
    ['held', subject('task-012', { status: 'blocked' })],
    ['working', subject('task-013', { status: 'active', ...at('a state of a later version') })],
  ])('shows in the column "%s" what is there', (column, task) => {
    const { board } = summarise({ now: NOW, cases: [task], readyIds: ['task-002'] })
    const found = Object.entries(board).filter(([, cards]) => cards.length > 0)
    expect(found.map(([name, cards]) => [name, cards[0]?.id])).toEqual([[column, task.id]])
  })
})

describe('the grid of agents', () => {
  const row = (agent: string, task: string, state: LiveRow['state']): LiveRow => {
    return { agent, task, state, iteration: 2, elapsedMs: 1_000, progress: 40, activity: 'writes a test' }
  }
  const cases = [
    subject('task-001', { status: 'active', leases: { develop: lease('echo-001') } }),
    subject('task-002', {
      status: 'review',
      leases: { develop: lease('echo-002'), critique: lease('critic-001') },
    }),
  ]

  it('joins who holds a task with what he does, and shows a claim that only waits as held', () => {
    const live = [
      row('echo-001', 'task-001', 'iteration'),
      row('echo-002', 'task-002', 'completed'),
      row('rex-001', 'task-009', 'preparing'),
      row('echo-000', 'task-000', 'failed'),
    ]
    const { agents } = summarise({ now: NOW, cases, readyIds: [], live })
    expect(agents.map(({ agent, stage, state, progress }) => [agent, stage, state, progress])).toEqual([
      ['critic-001', 'critique', 'holding', undefined],
      ['echo-001', 'develop', 'iteration', 40],
      ['echo-002', 'develop', 'holding', undefined],
      ['rex-001', null, 'preparing', 40],
    ])
  })

  it('does not take the row of an earlier task for what the holder does now', () => {
    const live = [row('echo-001', 'task-000', 'iteration')]
    const { agents } = summarise({ now: NOW, cases, readyIds: [], live })
    expect(agents.find(({ agent }) => agent === 'echo-001')).toMatchObject({
      task: 'task-001',
      state: 'holding',
    })
  })
})

describe('the inbox', () => {
  it('names what waits on a question, through every dependency, and what happens at the deadline', () => {
    const cases = [
      subject('task-001', { status: 'blocked', ...at('asking') }),
      subject('task-002', { dependsOn: ['task-001'] }),
      subject('task-003', { dependsOn: ['task-002'] }),
      subject('task-004', { status: 'review', ...at('person-review') }),
      subject('pend-001', {
        type: 'pending',
        metadata: {
          question: 'Dollars or cents?',
          waitingTask: 'task-001',
          options: [{ label: 'cents', tradeOff: 'exact' }, { label: 'dollars' }, 'nonsense'],
          fallback: 'cents',
          deadline: NOW,
          raisedBy: 'echo-001',
        },
      }),
      subject('pend-002', { type: 'pending', status: 'done' }),
    ]
    const { inbox } = summarise({ now: NOW, cases, readyIds: [] })
    expect(inbox).toMatchObject([
      {
        id: 'pend-001',
        kind: 'question',
        question: 'Dollars or cents?',
        options: [{ label: 'cents', tradeOff: 'exact' }, { label: 'dollars' }],
        fallback: 'cents',
        atDeadline: 'answered with "cents"',
        waiting: ['task-001', 'task-002', 'task-003'],
      },
      { id: 'task-004', kind: 'review', waiting: ['task-004'] },
    ])
  })

  it('tells an escalation from a question', () => {
    const cases = [
      subject('task-001', { status: 'failed', ...at('failed') }),
      subject('pend-001', { type: 'pending', metadata: { waitingTask: 'task-001' } }),
    ]
    expect(summarise({ now: NOW, cases, readyIds: [] }).inbox[0]?.kind).toBe('escalation')
  })
})

describe('queue, cost and timeline', () => {
  it('queues what is to land, the longest waiting first', () => {
    const verdict = (time: string) => ({ verdicts: [{ at: time }] })
    const cases = [
      subject('task-001', { status: 'review', ...at('integrating', verdict('2026-01-01T09:02:00.000Z')) }),
      subject('task-002', { status: 'review', ...at('integrating', verdict('2026-01-01T09:01:00.000Z')) }),
      subject('task-003', { status: 'review', ...at('audit') }),
    ]
    const { queue } = summarise({ now: NOW, cases, readyIds: [] })
    expect(queue.map(({ id }) => id)).toEqual(['task-002', 'task-001'])
  })

  it('sums what tasks spent up to their directive', () => {
    const spent = (costUsd: number) => ({
      metadata: { spend: { microUsd: costUsd * 1e6, tokens: 10, runs: 1 } },
    })
    const cases = [
      subject('dir-001', { type: 'directive', parentId: null }),
      subject('op-001', { type: 'operation', parentId: 'dir-001' }),
      subject('task-001', spent(0.25)),
      subject('task-002', spent(0.5)),
    ]
    const { cost } = summarise({ now: NOW, cases, readyIds: [] })
    expect(cost).toMatchObject({ costUsd: 0.75, tokens: 20, runs: 2 })
    expect(cost.directives).toMatchObject([{ id: 'dir-001', costUsd: 0.75 }])
  })

  it('keeps the newest of what happened, from events and from histories alike', () => {
    const task = subject('task-001')
    const events = Array.from({ length: TIMELINE_MAX + 5 }, (_, number) => {
      return {
        type: 'case:claimed' as const,
        id: 'task-001',
        at: NOW,
        by: 'dex',
        case: task,
        reason: `${number}`,
      }
    })
    const timeline = addToTimeline([], events)
    expect([timeline.length, timeline[0]?.reason]).toEqual([TIMELINE_MAX, '5'])
    const entries = [
      {
        timestamp: NOW,
        type: 'status_change' as const,
        to: { status: 'done' as const },
        actor: 'dex',
        reason: 'landed',
      },
    ]
    expect(timelineOf([{ id: 'task-001', entries }])).toEqual([
      { at: NOW, id: 'task-001', by: 'dex', what: 'done', reason: 'landed' },
    ])
  })
})
