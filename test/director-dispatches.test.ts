import { describe, expect, it } from 'vitest'
import type { Case } from '../src/cases/case.ts'
import { chooseDispatches } from '../src/director/develop/choose-dispatches.ts'
import type { Project, Sprint } from '../src/project/document.ts'
import { AT, NOW_MS, type SceneWishes, sceneOf, aTask as task } from './director-scene.ts'

const SLOTS = 3

function chosen(tasks: readonly Case[], wishes: SceneWishes = {}): string[] {
  return chooseDispatches(sceneOf(tasks, { slots: SLOTS, ...wishes }), SLOTS).map((effect) => effect.task)
}

const pause = { cause: 'failures', by: 'director', reason: 'three in a row', at: AT } as const
const sprint: Sprint = { goal: { kind: 'no-ready' }, tags: ['ui'], startedAt: AT, landed: 0 }
const hints = (...fileHints: string[]) => ({ metadata: { fileHints } })

describe('what is begun', () => {
  it.each<[string, Case[], Partial<Project>, string[]]>([
    ['a critical task first', [task(1), task(2, { tags: ['critical'] })], {}, ['task-002', 'task-001']],
    [
      'a quick win before one that waited half as many minutes',
      [task(1, { updatedAt: '2026-01-01T11:45:00.000Z' }), task(2, { tags: ['quick-win'] })],
      {},
      ['task-002', 'task-001'],
    ],
    [
      'what waited long enough before a quick win',
      [task(1, { updatedAt: '2026-01-01T11:00:00.000Z' }), task(2, { tags: ['quick-win'] })],
      {},
      ['task-001', 'task-002'],
    ],
    [
      'what others wait for first, and not those',
      [task(1), task(2), task(3, { dependsOn: ['task-002'] })],
      {},
      ['task-002', 'task-001'],
    ],
    [
      'what was tried before last',
      [task(1, { metadata: { execution: { retryCount: 1 } } }), task(2)],
      {},
      ['task-002', 'task-001'],
    ],
    [
      'no more than the slots',
      [task(1), task(2), task(3), task(4)],
      {},
      ['task-001', 'task-002', 'task-003'],
    ],
    [
      'other work before what touches the same file',
      [task(1, hints('a.ts')), task(2, hints('a.ts')), task(3), task(4)],
      {},
      ['task-001', 'task-003', 'task-004'],
    ],
    [
      'what touches the same file when there is no other work',
      [task(1, hints('a.ts')), task(2, hints('a.ts'))],
      {},
      ['task-001', 'task-002'],
    ],
    ['only what has a tag of the sprint', [task(1), task(2, { tags: ['ui'] })], { sprint }, ['task-002']],
    [
      'in semi-auto only what a person asked for',
      [task(1), task(2, { metadata: { assigned: '' } })],
      { mode: 'semi-auto' },
      ['task-002'],
    ],
    ['nothing in a pause', [task(1)], { pause }, []],
    ['nothing beside a repair', [task(1)], { repairLedBy: 'task-009' }, []],
    [
      'nothing when the count of the sprint is reached',
      [task(1)],
      { sprint: { ...sprint, tags: [], goal: { kind: 'count', landings: 2 }, landed: 2 } },
      [],
    ],
    [
      'nothing when the time of the sprint is over',
      [task(1)],
      { sprint: { ...sprint, tags: [], goal: { kind: 'time', until: AT } } },
      [],
    ],
  ])('%s', (_, tasks, project, expected) => {
    expect(chosen(tasks, { project })).toEqual(expected)
  })

  it('leaves files alone in which others already meet, while there is other work', () => {
    const tasks = [task(1, hints('a.ts')), task(2), task(3), task(4)]
    const pairs = [{ tasks: ['task-008', 'task-009'], sky: 'same-lines', files: ['a.ts'] }] as const
    const memory = { weather: { tasks: ['task-008', 'task-009'], pairs, unseen: 0 } }
    expect(chosen(tasks)).toEqual(['task-001', 'task-002', 'task-003'])
    expect(chosen(tasks, { memory })).toEqual(['task-002', 'task-003', 'task-004'])
    expect(chosen(tasks.slice(0, 1), { memory })).toEqual(['task-001'])
  })

  it('is nothing by a director that leaves, nor of a key that rests', () => {
    expect(chosen([task(1)], { over: { leaving: 'gently' } })).toEqual([])
    expect(chosen([task(1)], { over: { resting: new Map([['task-001', NOW_MS + 1]]) } })).toEqual([])
  })
})
