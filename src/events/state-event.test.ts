import { describe, expect, it } from 'vitest'
import { CaseIndex } from '../cases/case-index.ts'
import { CASE_TYPES } from '../cases/case-types.ts'
import type { CaseCommand } from '../cases/command.ts'
import { execute } from '../cases/execute.ts'
import { deriveEvents } from './state-event.ts'

const index = new CaseIndex()
let uid = 0

function eventsOf(...commands: CaseCommand[]): string[] {
  const outcome = execute(index, commands, {
    now: '2026-01-01T00:00:00.000Z',
    by: 'user',
    newUid: () => `uid-${++uid}`,
    prefixOf: (type) => CASE_TYPES[type].prefix,
  })
  if (outcome.kind === 'refused') return [outcome.message]
  return outcome.applied.flatMap(({ before, after, entries }) =>
    deriveEvents(before, after, entries).map(({ type, id }) => `${type} ${id}`),
  )
}

const task = { type: 'task', content: 'a task' } as const

describe('every change', () => {
  it('gives the events that its name promises', () => {
    expect(eventsOf({ kind: 'create', type: 'operation', content: 'op' })).toEqual(['case:created op-001'])
    expect(eventsOf({ kind: 'split', id: 'op-001', children: [task, task, task], reason: 'parts' })).toEqual([
      'case:created task-001',
      'case:created task-002',
      'case:created task-003',
      'case:split op-001',
    ])
    expect(
      eventsOf({ kind: 'claim', id: 'task-001', stage: 'develop', holder: 'echo-001', ttlMs: 1000 }),
    ).toEqual(['case:claimed task-001', 'case:updated op-001'])
    expect(eventsOf({ kind: 'release', id: 'task-001', stage: 'develop' })).toEqual([
      'case:released task-001',
    ])
    expect(eventsOf({ kind: 'move', id: 'task-001', status: 'blocked', reason: 'waits' })).toEqual([
      'case:blocked task-001',
    ])
    expect(eventsOf({ kind: 'transition', id: 'task-001', type: 'deferred', reason: 'later' })).toEqual([
      'case:deferred task-001',
    ])
    expect(eventsOf({ kind: 'complete', id: 'task-002' })).toEqual(['case:completed task-002'])
    expect(eventsOf({ kind: 'update', id: 'task-003', tags: ['x'] })).toEqual(['case:updated task-003'])
    expect(
      eventsOf({
        kind: 'create',
        type: 'discovery',
        content: 'learnt',
        parentId: 'task-003',
        metadata: { scope: 'local' },
      }),
    ).toEqual(['case:created disc-001', 'case:discovery_created disc-001'])
    expect(eventsOf({ kind: 'move', id: 'disc-001', status: 'outdated', reason: 'files changed' })).toEqual([
      'case:discovery_outdated disc-001',
    ])
    expect(
      eventsOf(
        { kind: 'create', type: 'draft', content: 'idea' },
        { kind: 'transition', id: 'draft-001', type: 'research', reason: 'look' },
      ),
    ).toEqual(['case:created draft-001'])
    expect(eventsOf({ kind: 'transition', id: 'draft-001', type: 'operation', reason: 'clear' })).toEqual([
      'case:transitioned draft-001',
    ])
    expect(eventsOf({ kind: 'delete', id: 'disc-001', reason: 'wrong' })).toEqual(['case:deleted disc-001'])
  })
})
