import { describe, expect, it } from 'vitest'
import type { Case } from '../src/cases/case.ts'
import { chooseParks } from '../src/director/budgets/choose-parks.ts'
import { nextDeadline } from '../src/director/decide.ts'
import { chooseDispatches } from '../src/director/develop/choose-dispatches.ts'
import { priorityOf } from '../src/director/develop/score-task.ts'
import { sprintRoom } from '../src/director/develop/sprint-room.ts'
import { chooseLandings } from '../src/director/land/choose-landings.ts'
import { chooseReviews } from '../src/director/review/choose-reviews.ts'
import type { SprintGoal } from '../src/project/document.ts'
import { parseGoal } from '../src/project/sprint-goal.ts'
import {
  AT,
  aTask,
  aTaskIn,
  instant,
  MINUTE_MS,
  NOW_MS,
  type SceneWishes,
  sceneOf,
} from './director-scene.ts'

const done = (number: number) => aTaskIn(number, 'landed', { stages: [] })
const deferred = (number: number) => aTask(number, { type: 'deferred' })

describe('what speaks for a task', () => {
  it.each<[string, Partial<Case>, Case[], number]>([
    ['nothing', {}, [], 0],
    [
      'each task that waits for it',
      {},
      [aTask(2, { dependsOn: ['task-001'] }), aTask(3, { dependsOn: ['task-001'] })],
      20,
    ],
    ['none that is done without it', {}, [{ ...done(2), dependsOn: ['task-001'] }], 0],
    ['that it is critical', { tags: ['critical'] }, [], 50],
    ['that it is quickly won', { tags: ['quick-win'] }, [], 30],
    ['both', { tags: ['quick-win', 'critical', 'ui'] }, [], 80],
    ['each minute of waiting', { updatedAt: instant(-7) }, [], 7],
    ['no part of a minute', { updatedAt: instant(-0.9) }, [], 0],
    ['no time that is still to come', { updatedAt: instant(60) }, [], 0],
    ['each retry against it', { metadata: { execution: { retryCount: 2 } } }, [], -30],
    ['an operation more than half done', {}, [done(2), done(3)], 20],
    ['not one that is just half done', {}, [done(2)], 0],
    ['what was put off counts as no task of it', {}, [done(2), done(3), deferred(4), deferred(5)], 20],
    [
      'everything together',
      { tags: ['critical'], updatedAt: instant(-10), metadata: { execution: { retryCount: 1 } } },
      [aTask(2, { dependsOn: ['task-001'] }), done(3), done(4), done(5)],
      50 + 10 - 15 + 10 + 20,
    ],
  ])('%s', (_, fields, others, points) => {
    const task = aTask(1, fields)
    expect(priorityOf(sceneOf([task, ...others]), task)).toBe(points)
  })
})

describe('files that two tasks touch', () => {
  const touching = (number: number, fields: Partial<Case> = {}) =>
    aTask(number, { ...fields, metadata: { fileHints: ['a.ts'] } })
  const chosen = (tasks: readonly Case[], slots = 2) =>
    chooseDispatches(sceneOf(tasks), slots).map(({ task }) => task)
  it.each<[string, Case[], string[]]>([
    [
      'are not worked on together while there is other work',
      [touching(1), touching(2), aTask(3)],
      ['task-001', 'task-003'],
    ],
    ['are, where there is none', [touching(1), touching(2)], ['task-001', 'task-002']],
    [
      'nor beside one that is under way',
      [
        aTaskIn(1, 'critique', { metadata: { fileHints: ['a.ts'] } }),
        touching(2, { tags: ['critical'] }),
        aTask(3),
        aTask(4),
      ],
      ['task-003', 'task-004'],
    ],
    [
      'but beside one that has landed',
      [
        { ...done(1), metadata: { ...done(1).metadata, fileHints: ['a.ts'] } },
        touching(2, { tags: ['critical'] }),
        aTask(3),
      ],
      ['task-002', 'task-003'],
    ],
    [
      'hold a task back for an hour at most',
      [
        aTaskIn(1, 'person-review', { metadata: { fileHints: ['a.ts'] } }),
        touching(2, { updatedAt: instant(-61) }),
        aTask(3),
        aTask(4),
      ],
      ['task-002', 'task-003'],
    ],
  ])('%s', (_, tasks, expected) => {
    expect(chosen(tasks)).toEqual(expected)
  })
})

describe('the room of a sprint', () => {
  const room = (goal: SprintGoal, landed: number, tasks: Case[] = [], wishes: SceneWishes = {}) =>
    sprintRoom(sceneOf(tasks, { ...wishes, project: { sprint: { goal, tags: [], startedAt: AT, landed } } }))
  const three: SprintGoal = { kind: 'count', landings: 3 }
  const develop = { kind: 'develop', task: 'task-001', held: null, agent: null } as const
  const before = { updatedAt: instant(-5) }
  it.each<[string, number, number]>([
    ['has no end without one', sprintRoom(sceneOf([])), Number.POSITIVE_INFINITY],
    ['has no end until nothing is ready', room({ kind: 'no-ready' }, 9), Number.POSITIVE_INFINITY],
    ['is what is left of the count', room(three, 1), 2],
    ['is nothing beyond it', room(three, 4), 0],
    ['is less by what is under way', room(three, 1, [aTaskIn(1, 'critique')]), 1],
    ['not by what waits for a person', room(three, 1, [aTaskIn(1, 'person-review')]), 2],
    ['not by what lay there when it began', room(three, 1, [aTaskIn(1, 'critique', before)]), 2],
    [
      'is less by a developer that has not claimed yet',
      room(three, 1, [aTask(1)], {
        over: { atWork: new Map([['task-001', { effect: develop, slot: 0, startedAtMs: 0 }]]) },
      }),
      1,
    ],
    ['is all until its time', room({ kind: 'time', until: instant(1) }, 9), Number.POSITIVE_INFINITY],
    ['is nothing from then on', room({ kind: 'time', until: AT }, 0), 0],
  ])('%s', (_, seen, expected) => {
    expect(seen).toBe(expected)
  })

  it('is kept by what is begun at once', () => {
    const scene = sceneOf([aTask(1), aTask(2), aTask(3)], {
      project: { sprint: { goal: three, tags: [], startedAt: AT, landed: 1 } },
    })
    expect(chooseDispatches(scene, 3)).toHaveLength(2)
  })
})

describe('the goal that a person types', () => {
  const local = (hours: number, minutes: number, days = 0): string => {
    const at = new Date(NOW_MS)
    at.setHours(hours, minutes, 0, 0)
    at.setDate(at.getDate() + days)
    return at.toISOString()
  }
  const hour = new Date(NOW_MS).getHours()
  it.each<[string, SprintGoal]>([
    ['no-ready', { kind: 'no-ready' }],
    ['count:5', { kind: 'count', landings: 5 }],
    ['duration:90s', { kind: 'time', until: instant(1.5) }],
    ['duration:2h', { kind: 'time', until: instant(120) }],
    ['duration:1.5d', { kind: 'time', until: instant(36 * 60) }],
    [`time:${hour}:59`, { kind: 'time', until: local(hour, 59) }],
    [`time:${hour}:00`, { kind: 'time', until: local(hour, 0, 1) }],
  ])('%s', (text, goal) => {
    expect(parseGoal(text, NOW_MS)).toEqual(goal)
  })

  it.each([
    '',
    'ready',
    'count',
    'count:0',
    'count:-1',
    'count:1.5',
    'count:1e3',
    'duration:',
    'duration:0s',
    'duration:2',
    'duration:2w',
    'duration:400d',
    'time:24:00',
    'time:7',
    'time:07:60',
    'count:5:5',
  ])('"%s" is none', (text) => {
    expect(() => parseGoal(text, NOW_MS)).toThrow(expect.objectContaining({ code: 'USAGE' }))
  })
})

describe('when a director looks again', () => {
  const BACKSTOP_MS = 90 * MINUTE_MS
  const farMs = NOW_MS + 999 * MINUTE_MS
  const FAR = { 'renew-leases': farMs, 'take-in': farMs, 'forecast-conflicts': farMs }
  const sleeps = (tasks: Case[], wishes: SceneWishes = {}) =>
    nextDeadline(
      sceneOf(tasks, {
        ranAtMs: FAR,
        ...wishes,
      }),
      BACKSTOP_MS,
    ) - NOW_MS
  const wait = (minutes: number) => ({
    stages: [],
    delivery: {
      resume: ['developing' as const],
      wait: { kind: 'question' as const, until: instant(minutes), fallback: null },
    },
  })
  const claimed = {
    status: 'active' as const,
    fence: 4,
    leases: { develop: { holder: 'human', fence: 4, expiresAt: instant(3) } },
  }
  it.each<[string, number, number]>([
    ['at the latest after the backstop', sleeps([]), BACKSTOP_MS],
    ['when leases are due', sleeps([], { ranAtMs: {} }), 20_000],
    [
      'when a question is over',
      sleeps([aTaskIn(1, 'asking', wait(9)), aTaskIn(2, 'asking', wait(4))]),
      4 * MINUTE_MS,
    ],
    ['not for one that is over already', sleeps([aTaskIn(1, 'asking', wait(-9))]), BACKSTOP_MS],
    ['when a claim by hand runs out', sleeps([aTask(1, claimed)]), 3 * MINUTE_MS],
    [
      'when what failed may be tried again',
      sleeps([], {
        ranAtMs: FAR,
        over: { resting: new Map([['land', NOW_MS + 2_000]]) },
      }),
      2_000,
    ],
    [
      'when the sprint ends',
      sleeps([], {
        ranAtMs: FAR,
        project: {
          sprint: { goal: { kind: 'time', until: instant(7) }, tags: [], startedAt: AT, landed: 0 },
        },
      }),
      7 * MINUTE_MS,
    ],
  ])('%s', (_, seen, expected) => {
    expect(seen).toBe(expected)
  })
})

describe('budgets along the lineage', () => {
  const spend = (runs: number) => ({ metadata: { spend: { tokens: 0, microUsd: 0, ms: 0, runs } } })
  const limits = { budgets: { operation: { runs: 10 } } }
  const parks = (tasks: Case[], wishes: SceneWishes = { config: limits }) =>
    chooseParks(sceneOf(tasks, wishes)).map(({ id }) => id)
  it.each<[string, string[], string[]]>([
    ['nobody is looked at where nobody set one', parks([aTask(1, spend(99))], {}), []],
    [
      'the operation is parked by the sum of its tasks',
      parks([aTask(1, spend(5)), aTask(2, spend(5))]),
      ['op-001'],
    ],
    ['and warned before', parks([aTask(1, spend(4)), aTask(2, spend(4))]), ['op-001']],
    ['not long before', parks([aTask(1, spend(4)), aTask(2, spend(3))]), []],
    [
      'once is enough',
      parks([aTask(1, spend(8))], { config: limits, operation: { metadata: { pressed: {} } } }),
      [],
    ],
    [
      'it is taken up again when it was raised',
      parks([aTask(1, spend(5))], {
        config: limits,
        operation: { status: 'blocked', metadata: { parked: { was: 'pending' } } },
      }),
      ['op-001'],
    ],
    [
      'no task while its developer works',
      parks([aTaskIn(1, 'developing', spend(10))], { config: { budgets: { task: { runs: 10 } } } }),
      [],
    ],
    [
      'no task while its reviewer works',
      parks([aTaskIn(1, 'critique', { ...spend(10), stages: ['develop', 'critique'] })], {
        config: { budgets: { task: { runs: 10 } } },
      }),
      [],
    ],
    [
      'a task between two of them',
      parks([aTaskIn(1, 'critique', spend(10))], { config: { budgets: { task: { runs: 10 } } } }),
      ['task-001'],
    ],
  ])('%s', (_, seen, expected) => {
    expect(seen).toEqual(expected)
  })

  it('nothing new from the soft limit on, unless a person asks for it; nothing at all from the hard one on', () => {
    const wanted = { metadata: { ...spend(8).metadata, assigned: '' } }
    const begun = (task: Case) =>
      chooseDispatches(sceneOf([task], { config: limits }), 1).map((effect) => effect.task)
    expect(begun(aTask(1, spend(7)))).toEqual(['task-001'])
    expect(begun(aTask(1, spend(8)))).toEqual([])
    expect(begun(aTask(1, wanted))).toEqual(['task-001'])
    expect(begun(aTask(1, { metadata: { ...wanted.metadata, ...spend(10).metadata } }))).toEqual([])
  })

  it('reviews go on to the hard limit', () => {
    const owed = (runs: number) =>
      chooseReviews(sceneOf([aTaskIn(1, 'critique', spend(runs))], { config: limits }))
    expect([owed(9).length, owed(10).length]).toEqual([1, 0])
  })

  it('what is proven lands, however much it cost', () => {
    expect(chooseLandings(sceneOf([aTaskIn(1, 'integrating', spend(99))], { config: limits }))).toHaveLength(
      1,
    )
  })
})
