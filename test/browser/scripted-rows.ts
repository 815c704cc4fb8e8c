import type {
  AgentIndicator,
  BoardColumn,
  CaseSummary,
  InboxRow,
  QueueRow,
  Snapshot,
  Status,
} from '../../src/server/contract.ts'
import { projectWords } from '../../src/server/project-words.ts'
import { AXIOM } from '../../src/vocabulary/axiom.ts'

/** Words for a place of a page: friendly ones, or such that try to become more than words. */
export type Say = (place: string) => string

export const AT = '2026-03-01T10:00:00.000Z'
const SPEND = { costUsd: 1.25, tokens: 48_000, minutes: 12.5, runs: 4 }

export function scriptedCase(id: string, title: string, changes: Partial<CaseSummary> = {}): CaseSummary {
  return {
    id,
    type: 'task',
    status: 'pending',
    title,
    parentId: null,
    dependsOn: [],
    tags: [],
    createdAt: AT,
    updatedAt: AT,
    rev: 1,
    ready: false,
    column: 'waiting',
    delivery: null,
    rework: 0,
    holders: {},
    assignee: null,
    retries: 0,
    published: null,
    costUsd: 0,
    cycle: null,
    held: null,
    ...changes,
  }
}

const TASKS: readonly (readonly [status: Status, column: BoardColumn])[] = [
  ['pending', 'waiting'],
  ['pending', 'ready'],
  ['active', 'working'],
  ['review', 'review'],
  ['review', 'person'],
  ['review', 'landing'],
  ['done', 'done'],
  ['blocked', 'held'],
  ['failed', 'stopped'],
  ['timeout', 'stopped'],
]
const INDICATORS: readonly AgentIndicator[] = ['idle', 'running', 'waiting', 'paused', 'completed', 'failed']
const QUEUE: readonly QueueRow['state'][] = [
  'waiting',
  'checking',
  'resolving',
  'conflict',
  'landed',
  'published',
]
const INBOX: readonly (readonly [InboxRow['kind'], InboxRow['settledBy']])[] = [
  ['question', ['answer']],
  ['review', ['review']],
  ['escalation', ['retry', 'answer']],
  ['repair', ['retry', 'override', 'halt']],
  ['conflict', ['answer']],
  ['publish', ['answer']],
]

export const taskId = (at: number): string => `task-${String(at).padStart(3, '0')}`

function casesOf(say: Say): CaseSummary[] {
  const tasks = TASKS.map(([status, column], at) =>
    scriptedCase(taskId(at + 1), say(`title of task ${at + 1}`), {
      status,
      column,
      parentId: 'op-001',
      ready: column === 'ready',
      rework: at % 3,
      tags: [at % 2 === 0 ? 'core' : 'docs'],
      ...(column === 'working' ? { holders: { develop: 'echo-001' } } : {}),
      ...(column === 'person' ? { delivery: 'person-review' } : {}),
      ...(column === 'held' ? { delivery: 'repair-escalated' } : {}),
      ...(column === 'done' ? { published: true } : {}),
      ...(at < 2 ? { cycle: ['task-001', 'task-002', 'task-001'], dependsOn: [taskId(2 - at)] } : {}),
    }),
  )
  const above = { column: null, delivery: null } as const
  return [
    scriptedCase('dir-001', say('title of the need'), { ...above, type: 'directive' }),
    scriptedCase('op-001', say('title of the operation'), {
      ...above,
      type: 'operation',
      parentId: 'dir-001',
    }),
    ...tasks,
    scriptedCase('pend-001', say('title of the question'), { ...above, type: 'pending', parentId: 'op-001' }),
    scriptedCase('disc-001', say('title of the discovery'), {
      ...above,
      type: 'discovery',
      status: 'active',
      parentId: 'task-001',
    }),
  ]
}

/** One row of every state that a page can show. */
export function scriptedSnapshot(say: Say): Omit<Snapshot, 'cursor'> {
  const agents = INDICATORS.map((indicator, at) => ({
    agent: `echo-${String(at + 1).padStart(3, '0')}`,
    kind: 'echo',
    task: taskId(at + 1),
    title: say(`task of agent ${at + 1}`),
    stage: 'develop' as const,
    state: 'iteration',
    indicator,
    iteration: at + 1,
    orders: at === 3 ? ['stop'] : [],
  }))
  return {
    words: projectWords(AXIOM),
    project: {
      name: say('name of the project'),
      root: '/project',
      version: '0.0.0',
      phase: 'implementation',
      mode: 'autopilot',
      paused: null,
      quiet: { reason: say('reason of the quiet'), until: null },
      sprint: null,
      slots: { used: 3, total: 4 },
      spend: SPEND,
      forecastUsd: 4,
      director: 'here',
      target: 'main',
      checks: ['test'],
      tasks: { total: TASKS.length, ready: 1, done: 1, failed: 2 },
    },
    agents,
    events: [{ at: AT, id: 'task-001', by: 'echo-001', what: 'claimed', reason: say('reason of an event') }],
    live: agents.map(({ agent, task }, at) => ({
      agent,
      task,
      state: 'iteration',
      iteration: at + 1,
      elapsedMs: 65_000 * (at + 1),
      progress: 15 * at,
      activity: say(`activity of agent ${at + 1}`),
    })),
    cases: casesOf(say),
    queue: QUEUE.map((state, at) => ({
      id: taskId(at + 1),
      title: say(`title in the queue ${at + 1}`),
      position: at,
      state,
      batch: at < 2 ? 7 : null,
      since: AT,
      refused: at % 2,
      resolver: state === 'resolving' ? 'rex-001' : null,
      files: at,
      reason: say(`reason in the queue ${at + 1}`),
      commit: state === 'landed' ? 'c'.repeat(40) : null,
    })),
    weather: (['clear', 'same-file', 'same-lines'] as const).map((sky, at) => ({
      pair: `${taskId(at + 1)} ${taskId(at + 2)}`,
      tasks: [taskId(at + 1), taskId(at + 2)],
      sky,
      files: [say(`file under weather ${at + 1}`)],
    })),
    inbox: INBOX.map(([kind, settledBy], at) => ({
      id: kind === 'question' ? 'pend-001' : taskId(at + 3),
      kind,
      question: say(`question ${kind}`),
      context: say(`context ${kind}`),
      options: kind === 'question' ? [{ label: say('first option') }, { label: 'second option' }] : [],
      tried: [say(`tried ${kind}`)],
      fallback: kind === 'question' ? 'second option' : null,
      raisedBy: 'echo-001',
      raisedAt: AT,
      deadline: kind === 'question' ? AT : null,
      atDeadline: kind === 'question' ? say('what happens then') : null,
      waiting: [taskId(at + 1)],
      settledBy,
    })),
    alerts: (['low', 'medium', 'high', 'critical'] as const).map((severity, at) => ({
      id: `alert-${at}`,
      severity,
      code: 'DISK_LOW',
      message: say(`alert ${severity}`),
      hint: say(`hint ${severity}`),
      at: AT,
      case: 'task-001',
      agent: null,
    })),
    health: (['ok', 'warn', 'fail'] as const).map((state, at) => ({
      id: `health-${at}`,
      name: say(`name of ${state}`),
      state,
      value: '12 GB',
      detail: say(`detail of ${state}`),
      at: AT,
    })),
  }
}
