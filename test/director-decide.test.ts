import { describe, expect, it } from 'vitest'
import type { Case } from '../src/cases/case.ts'
import { decide } from '../src/director/decide.ts'
import type { Effect } from '../src/director/effect.ts'
import type { AtWork } from '../src/director/snapshot.ts'
import { landingMetadata, newLanding } from '../src/integration/landing-record.ts'
import { AT, aTask, aTaskIn, commitOf, instant, type SceneWishes, sceneOf } from './director-scene.ts'

/** One word for each thing that is begun, with its slot where it has one. */
function begun(tasks: readonly Case[], wishes: SceneWishes = {}): string[] {
  return decide(sceneOf(tasks, wishes)).map(({ effect, slot }) => {
    const at = slot === null ? '' : ` in ${slot}`
    return `${nameOf(effect)}${at}`
  })
}

function nameOf(effect: Effect): string {
  switch (effect.kind) {
    case 'say':
      return `${effect.occurrence.signal} ${effect.task}`
    case 'perform':
      return `${effect.role} ${effect.task}`
    case 'land':
      return `land ${effect.entries.map(({ task }) => task).join(' ')}`
    case 'park':
      return `park ${effect.id}`
    case 'chore':
      return effect.name
    default:
      return 'task' in effect ? `${effect.kind} ${effect.task}` : effect.kind
  }
}

function conflicted(
  number: number,
  conflict: { level?: 'MEDIUM' | 'COMPLEX'; tries?: number; asked?: boolean } = {},
): Case {
  const { level = 'MEDIUM', tries = 0, asked = false } = conflict
  const record = {
    ...newLanding(commitOf(number)),
    conflict: {
      level,
      target: commitOf(9),
      files: ['a'],
      tries,
      since: AT,
      workspace: null,
      asked,
      reason: null,
    },
  }
  return aTaskIn(number, 'integrating', { metadata: landingMetadata(record) })
}

const atWork = (...effects: Effect[]): ReadonlyMap<string, AtWork> =>
  new Map(
    effects.map((effect, slot) => [
      'task' in effect ? effect.task : effect.kind,
      { effect, slot, startedAtMs: 0 },
    ]),
  )
const develop = (task: string): Effect => ({ kind: 'develop', task, held: null, agent: null })
const lost = (state: 'developing' | 'critique') =>
  aTaskIn(1, state, { stages: [state === 'developing' ? 'develop' : 'critique'] })
const budget = { budgets: { task: { runs: 10 } } }
const spent = (runs: number) => ({ metadata: { spend: { tokens: 0, microUsd: 0, ms: 0, runs } } })
const question = (fallback: string | null, until = instant(5)) => ({
  delivery: { wait: { kind: 'question' as const, until, fallback }, resume: ['developing' as const] },
  stages: [],
})

describe('what a director begins, in this order', () => {
  it.each<[string, Case[], SceneWishes, string[]]>([
    [
      'reconcile, land, review, dispatch',
      [
        aTask(1),
        aTaskIn(2, 'critique'),
        aTaskIn(3, 'integrating'),
        aTaskIn(4, 'confirming'),
        aTaskIn(5, 'developing', { stages: [] }),
      ],
      { ranAtMs: { 'renew-leases': 0 } },
      [
        'renew-leases',
        'AGENT_LOST task-005',
        'land task-003',
        'confirm task-004',
        'critic task-002 in 0',
        'develop task-001 in 1',
      ],
    ],
    [
      'repairs, critics, auditors, then what was begun, then what is new',
      [
        aTask(1),
        aTaskIn(2, 'developing'),
        aTaskIn(3, 'audit'),
        aTaskIn(4, 'critique'),
        aTaskIn(5, 'remediating'),
      ],
      { slots: 9 },
      [
        'remediator task-005 in 0',
        'critic task-004 in 1',
        'auditor task-003 in 2',
        'develop task-002 in 3',
        'develop task-001 in 4',
      ],
    ],
    [
      'no new work while reviews take every slot',
      [aTask(1), aTaskIn(2, 'audit'), aTaskIn(3, 'critique')],
      { slots: 2 },
      ['critic task-003 in 0', 'auditor task-002 in 1'],
    ],
    [
      'nothing in a slot that is taken, nor twice for one task',
      [aTask(1), aTask(2)],
      { slots: 2, over: { atWork: atWork(develop('task-001')) } },
      ['develop task-002 in 1'],
    ],
    [
      'a resolver before reviewers, for it is nearest to landing',
      [aTaskIn(1, 'critique'), conflicted(2)],
      {},
      ['resolve task-002 in 0', 'critic task-001 in 1'],
    ],
    [
      'a person for a conflict that the resolver may not settle',
      [conflicted(1, { level: 'COMPLEX' })],
      {},
      ['ask-person task-001'],
    ],
    ['a person when its tries are over', [conflicted(1, { tries: 3 })], {}, ['ask-person task-001']],
    ['what he answered', [conflicted(1, { asked: true })], {}, ['ask-person task-001']],
    [
      'no landing of what is in conflict',
      [conflicted(1), aTaskIn(2, 'integrating')],
      {},
      ['land task-002', 'resolve task-001 in 0'],
    ],
    [
      'a landing after what it depends on, in one batch',
      [aTaskIn(1, 'integrating', { dependsOn: ['task-002'] }), aTaskIn(2, 'integrating')],
      {},
      ['land task-002 task-001'],
    ],
    [
      'no landing before what it depends on has come so far',
      [aTaskIn(1, 'integrating', { dependsOn: ['task-002'] }), aTaskIn(2, 'audit')],
      {},
      ['auditor task-002 in 0'],
    ],
    [
      'a batch no larger than was learnt',
      [aTaskIn(1, 'integrating'), aTaskIn(2, 'integrating'), aTaskIn(3, 'integrating')],
      { project: { window: { size: 2, rejections: [] } } },
      ['land task-001 task-002'],
    ],
    [
      'repairs before everything else that lands',
      [aTaskIn(1, 'integrating'), aTaskIn(2, 'repair-landing', { delivery: { repairCommit: commitOf(7) } })],
      {},
      ['land task-002 task-001'],
    ],
    [
      'one batch at a time',
      [aTaskIn(1, 'integrating')],
      { over: { atWork: atWork({ kind: 'land', entries: [] }) } },
      [],
    ],
    ['nothing of what a person has to review', [aTaskIn(1, 'person-review')], {}, []],
  ])('%s', (_, tasks, wishes, expected) => {
    expect(begun(tasks, wishes)).toEqual(expected)
  })
})

describe('what a director sets right first', () => {
  it.each<[string, Case[], SceneWishes, string[]]>([
    [
      'a developer who died with the last director',
      [lost('developing')],
      { over: { inherited: new Set(['task-001/develop/1']) } },
      ['AGENT_LOST task-001'],
    ],
    [
      'a reviewer who died: his lease goes, and another is sent later',
      [lost('critique')],
      { over: { inherited: new Set(['task-001/critique/1']) } },
      ['release task-001'],
    ],
    ['a developer without a claim', [aTaskIn(1, 'developing', { stages: [] })], {}, ['AGENT_LOST task-001']],
    [
      'a question whose default holds where nobody can be asked',
      [aTaskIn(1, 'asking', question('8080'))],
      {},
      ['ANSWERED task-001'],
    ],
    ['no question that has none', [aTaskIn(1, 'asking', question(null))], {}, []],
    [
      'no default while a person may still answer',
      [aTaskIn(1, 'asking', question('8080'))],
      { nonInteractive: false },
      [],
    ],
    [
      'a question whose time is over',
      [aTaskIn(1, 'asking', question('8080', instant(-1)))],
      { nonInteractive: false },
      ['WAIT_ENDED task-001'],
    ],
    [
      'a claim by hand that ran out',
      [
        aTask(1, {
          status: 'active',
          fence: 4,
          leases: { develop: { holder: 'human', fence: 4, expiresAt: instant(-1) } },
        }),
      ],
      {},
      ['recover task-001'],
    ],
    [
      'no claim by hand that holds',
      [
        aTask(1, {
          status: 'active',
          fence: 4,
          leases: { develop: { holder: 'human', fence: 4, expiresAt: instant(1) } },
        }),
      ],
      {},
      [],
    ],
    [
      'those who wait for a repair that is done',
      [aTaskIn(1, 'awaiting-repair', { stages: [], delivery: { resume: ['developing'] } })],
      {},
      ['REPAIRED task-001'],
    ],
    [
      'not while it is led',
      [aTaskIn(1, 'awaiting-repair', { stages: [], delivery: { resume: ['developing'] } })],
      { project: { repairLedBy: 'task-009' } },
      [],
    ],
    [
      'a file that is free again',
      [
        aTaskIn(1, 'file-waiting', {
          delivery: { file: { path: 'a', holder: null }, resume: ['developing'] },
        }),
      ],
      {},
      ['FILE_FREE task-001'],
    ],
    [
      'a budget that is spent: parked, and nobody is sent',
      [aTask(1, spent(10))],
      { config: budget },
      ['park task-001'],
    ],
    [
      'a budget that is nearly spent: warned, and nothing new is begun',
      [aTask(1, spent(8))],
      { config: budget },
      ['park task-001'],
    ],
    [
      'a budget that is nearly spent lets what was begun go on',
      [aTaskIn(1, 'critique', spent(8))],
      { config: budget },
      ['park task-001', 'critic task-001 in 0'],
    ],
    [
      'a budget that is spent sends no reviewer either',
      [aTaskIn(1, 'critique', spent(10))],
      { config: budget },
      ['park task-001'],
    ],
    [
      'nothing about a budget that is far',
      [aTask(1, spent(7))],
      { config: budget },
      ['develop task-001 in 0'],
    ],
  ])('%s', (_, tasks, wishes, expected) => {
    expect(begun(tasks, wishes).filter((name) => !name.startsWith('land'))).toEqual(expected)
  })

  it.each<[string, SceneWishes, string[]]>([
    ['leases, every 20 seconds', { ranAtMs: { 'renew-leases': Date.parse(AT) - 20_000 } }, ['renew-leases']],
    ['not before', { ranAtMs: { 'renew-leases': Date.parse(AT) - 19_999 } }, []],
    [
      'leases and commits also when the clock was set back',
      { ranAtMs: { 'renew-leases': Date.parse(AT) + 3_600_000, 'take-in': Date.parse(AT) + 3_600_000 } },
      ['renew-leases', 'take-in'],
    ],
    [
      "the user's commits, every 30 seconds",
      { ranAtMs: { 'take-in': Date.parse(AT) - 30_000 } },
      ['take-in'],
    ],
    ['not by a director that leaves', { ranAtMs: { 'take-in': 0 }, over: { leaving: 'gently' } }, []],
    [
      'publishing and cleaning when they are due',
      { wanted: ['publish', 'clean-workspaces'] },
      ['publish', 'clean-workspaces'],
    ],
    [
      'neither while a batch lands',
      {
        wanted: ['publish', 'clean-workspaces'],
        over: { atWork: atWork({ kind: 'land', entries: [] }) },
      },
      [],
    ],
    [
      'health, a minute after the last look, while agents work',
      {
        over: { atWork: atWork(develop('task-009')), nowMs: Date.parse(AT) + 60_000 },
        ranAtMs: { 'renew-leases': Date.parse(AT) + 60_000, 'take-in': Date.parse(AT) + 60_000 },
      },
      ['measure-health'],
    ],
    [
      'not without agents',
      {
        over: { nowMs: Date.parse(AT) + 60_000 },
        ranAtMs: { 'renew-leases': Date.parse(AT) + 60_000, 'take-in': Date.parse(AT) + 60_000 },
      },
      [],
    ],
    [
      'not what rests after a failure',
      { ranAtMs: { 'renew-leases': 0 }, over: { resting: new Map([['renew-leases', Date.parse(AT) + 1]]) } },
      [],
    ],
  ])('and what it looks after: %s', (_, wishes, expected) => {
    expect(begun([], wishes)).toEqual(expected)
  })
})

describe('what holds a director', () => {
  const work = [aTask(1), aTaskIn(2, 'critique'), aTaskIn(3, 'integrating'), aTaskIn(4, 'confirming')]
  const pause = (cause: 'person' | 'failures' | 'health' | 'halt' | 'red-target') => ({
    project: { pause: { cause, by: 'x', reason: 'x', at: AT } },
  })
  const ALL = ['land task-003', 'confirm task-004', 'critic task-002 in 0', 'develop task-001 in 1']
  const BEGUN = ALL.slice(0, 3)
  it.each<[string, SceneWishes, string[]]>([
    ['nothing', {}, ALL],
    ["a person's pause: everything", pause('person'), []],
    ['a short disk: everything', pause('health'), []],
    ['three failures in a row: only new tasks', pause('failures'), BEGUN],
    ['a halted repair: everything', pause('halt'), []],
    ['a repair under way: only new tasks', { project: { repairLedBy: 'task-008' } }, BEGUN],
    ['quiet hours: only new tasks', { config: { quietHours: { from: '00:00', to: '23:59' } } }, BEGUN],
    ['no quiet hours without an end', { config: { quietHours: { from: '00:00' } } }, ALL],
    ['leaving: everything', { over: { leaving: 'gently' } }, []],
    [
      'no free slot: agents, but neither landing nor its own look',
      { slots: 1, over: { atWork: atWork(develop('task-009')) } },
      ['land task-003', 'confirm task-004'],
    ],
  ])('%s', (_, wishes, expected) => {
    expect(begun(work, wishes)).toEqual(expected)
  })
})
