import { describe, expect, it } from 'vitest'
import type { Case } from '../cases/case.ts'
import { configSchema } from '../config/schema.ts'
import { NO_HEALTH } from '../health/decide-health.ts'
import { CLEAR } from '../integration/weather.ts'
import { chooseDispatches } from './choose-dispatches.ts'
import { newProject, type Project, type Sprint } from './project-document.ts'
import { rulesOf } from './rules-of.ts'
import type { Rounds, Scene } from './scene.ts'
import { View } from './view.ts'

const AT = '2026-01-01T12:00:00.000Z'
const SLOTS = 3

function task(number: number, fields: Partial<Case> = {}): Case {
  const id = `task-00${number}`
  return {
    id,
    uid: id,
    rev: 1,
    type: 'task',
    status: 'pending',
    content: id,
    parentId: 'op-001',
    createdAt: AT,
    updatedAt: AT,
    ...fields,
    metadata: { acceptanceCriteria: ['GET /health returns 200'], ...fields.metadata },
  }
}

const QUIET: Rounds = {
  renewedAtMs: 0,
  remoteTarget: null,
  weather: CLEAR,
  weatherAtMs: 0,
  takenInAtMs: 0,
  health: NO_HEALTH,
  isPublishingDue: false,
  isSearchDue: false,
  isCleaningDue: false,
  paintedVersion: 0,
  paintedAtMs: 0,
  watchedAtMs: Number.POSITIVE_INFINITY,
  hasAgentLeft: false,
}

function chosen(tasks: readonly Case[], project: Partial<Project> = {}, over: Partial<Scene> = {}): string[] {
  const view = new View()
  const operation = { ...task(0), id: 'op-001', uid: 'op-001', type: 'operation', parentId: null } as const
  view.load([operation, ...tasks].map((subject) => ({ ...subject, childIds: [] })))
  const scene: Scene = {
    view,
    project: { ...newProject(), mode: 'autopilot', ...project },
    rules: rulesOf(configSchema.parse({}), { slots: SLOTS, nonInteractive: true }),
    rounds: QUIET,
    atWork: new Map(),
    inherited: new Set(),
    resting: new Map(),
    nowMs: Date.parse(AT),
    leaving: 'no',
    ...over,
  }
  return chooseDispatches(scene, SLOTS).map((effect) => effect.task)
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
    expect(chosen(tasks, project)).toEqual(expected)
  })

  it('leaves files alone in which others already meet, while there is other work', () => {
    const tasks = [task(1, hints('a.ts')), task(2), task(3), task(4)]
    const pairs = [{ tasks: ['task-008', 'task-009'], sky: 'same-lines', files: ['a.ts'] }] as const
    const stormy = { ...QUIET, weather: { tasks: ['task-008', 'task-009'], pairs, unseen: 0 } }
    expect(chosen(tasks)).toEqual(['task-001', 'task-002', 'task-003'])
    expect(chosen(tasks, {}, { rounds: stormy })).toEqual(['task-002', 'task-003', 'task-004'])
    expect(chosen(tasks.slice(0, 1), {}, { rounds: stormy })).toEqual(['task-001'])
  })

  it('is nothing by a director that leaves, nor of a key that rests', () => {
    expect(chosen([task(1)], {}, { leaving: 'gently' })).toEqual([])
    expect(chosen([task(1)], {}, { resting: new Map([['task-001', Date.parse(AT) + 1]]) })).toEqual([])
  })
})
