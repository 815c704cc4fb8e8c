import { expect, it } from 'vitest'
import type { Case } from '../../cases/case.ts'
import { CaseShelf } from './case-shelf.ts'
import { landedRows, queueRows } from './queue-rows.ts'

const AT = '2026-01-01T00:00:00.000Z'

function task(number: number, metadata: Record<string, unknown>, status: Case['status'] = 'review'): Case {
  const id = `task-${String(number).padStart(3, '0')}`
  return {
    ...{ id, uid: id, type: 'task', status, content: `Do ${id}`, parentId: 'op-001', rev: 1, fence: 1 },
    ...{ createdAt: AT, updatedAt: `2026-01-01T00:00:0${number}.000Z`, metadata },
  } as unknown as Case
}

const integrating = (more: object = {}) => ({
  delivery: { state: 'integrating', commit: 'c', verdicts: [], rounds: { landing: 0 } },
  ...more,
})
const landing = (fields: object) => ({ landing: fields })

it('tells what is checked together now and next, in the order of landing', () => {
  const open = [1, 2, 3, 4].map((number) => task(number, integrating()))
  const batches = { tasks: [['task-002', 'task-003'], ['task-001']], isChecking: true }
  const rows = queueRows(open, batches).map(({ id, position, batch, state }) => [id, position, batch, state])
  expect(rows).toEqual([
    ['task-002', 1, 1, 'checking'],
    ['task-003', 2, 1, 'checking'],
    ['task-001', 3, 2, 'waiting'],
    ['task-004', 4, null, 'waiting'],
  ])
  expect(queueRows(open, null).map(({ batch }) => batch)).toEqual([null, null, null, null])
})

it('says what the remote does with a branch', () => {
  const branch = 'agent/echo-001/task-001'
  const reasons = queueRows(
    [
      task(1, integrating(landing({ pushed: { branch } }))),
      task(2, integrating(landing({ stuck: { branch } }))),
    ],
    null,
  ).map(({ reason }) => reason)
  expect(reasons).toEqual([`offered as ${branch}`, `the remote does not take ${branch}`])
})

it('shows the last that landed behind everything that waits, and whether the user has them', () => {
  const shelf = new CaseShelf()
  for (let number = 0; number < 30; number += 1) {
    const at = new Date(Date.parse(AT) + number * 1_000).toISOString()
    const landed = { commit: `c${number}`, at, evidence: null, published: number < 29 }
    shelf.take({ ...task(number, landing({ landed }), 'done'), childIds: [] } as never)
  }
  const rows = landedRows(shelf.landed())
  expect(rows).toHaveLength(20)
  expect(rows.slice(0, 2).map(({ commit, state }) => [commit, state])).toEqual([
    ['c29', 'landed'],
    ['c28', 'published'],
  ])
  expect(rows[0]?.position).toBeGreaterThan(1_000)
})
