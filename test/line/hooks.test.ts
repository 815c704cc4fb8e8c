import { describe, expect, it } from 'vitest'
import type { HookEvent, HookOrder } from '../../src/director/hands.ts'
import type { Landing } from '../../src/integration/land-candidates.ts'
import { pauseProject } from '../../src/project/interventions/pause-project.ts'
import { COST, developed, Line, type LineOptions, plan, proven, say } from './line.ts'

interface Happening {
  readonly options?: Partial<LineOptions>
  /** What the world does that the hook is about. */
  hands?(line: Line, told: readonly HookOrder[]): Parameters<Line['run']>[0]
  readonly variables: Readonly<Record<string, unknown>>
}

const conflict: Landing = {
  kind: 'conflict',
  target: 'a'.repeat(40),
  conflict: { tree: '', files: [{ path: 'a.ts' }], messages: [] } as never,
  level: 'MEDIUM',
}

/** Every hook that can be configured, and one thing that has to make it run; the type lets none be forgotten. */
const HAPPENINGS: Readonly<Record<HookEvent, Happening>> = {
  'pre-start': { variables: { TASK_ID: 'task-001', AGENT: 'echo-001' } },
  'post-complete': { variables: { TASK_ID: 'task-001', AGENT: 'echo-001' } },
  'pre-merge': { variables: { TASK_ID: 'task-001', AGENT: 'echo-001' } },
  'post-merge': {
    variables: { TASK_ID: 'task-001', AGENT: 'echo-001', COMMIT: expect.stringMatching(/^f0+1$/) },
  },
  'on-conflict': {
    hands: (line) => {
      const { land } = line.hands()
      let isFirst = true
      return {
        async land(order) {
          if (!isFirst) return land(order)
          isFirst = false
          return { landings: new Map([['task-001', conflict]]), flaky: [], runs: 0 }
        },
        resolve: async () => ({ ...COST, kind: 'resolved', commit: line.commit() }),
      }
    },
    variables: { TASK_ID: 'task-001', FILES: 'a.ts' },
  },
  'on-discovery': {
    hands: (line) => ({
      async develop({ task, agent }) {
        await line.transact({
          kind: 'create',
          type: 'discovery',
          content: 'the port is 80',
          parentId: task.id,
          metadata: { scope: 'global', sourceTaskId: task.id, sourceAgentId: agent },
        })
        return developed(proven(line.commit()))
      },
    }),
    variables: {
      CASE_ID: 'disc-001',
      TASK_ID: 'task-001',
      AGENT: 'echo-001',
      SCOPE: 'global',
      CONTENT: 'the port is 80',
    },
  },
  'on-pause': {
    hands: (line, told) => ({
      async develop() {
        await pauseProject(line.store, 'user')
        await expect.poll(() => told.map(({ event }) => event), { timeout: 60_000 }).toContain('on-pause')
        await line.change((project) => ({ ...project, pause: null }))
        return developed(proven(line.commit()))
      },
    }),
    variables: { CAUSE: 'person', BY: 'user', REASON: expect.any(String) },
  },
  'on-error': {
    hands: () => ({ develop: async () => developed({ kind: 'failed', reason: 'exit code 3' }) }),
    variables: { TASK_ID: 'task-001', MESSAGE: 'exit code 3' },
  },
  'on-escalation': {
    options: { nonInteractive: true },
    hands: () => {
      const signal = say('<axiom>PENDING:Which port?</axiom>')
      return {
        develop: async () => developed({ kind: 'pending', question: { question: 'Which port?' }, signal }),
      }
    },
    variables: {
      CASE_ID: 'pend-001',
      KIND: 'question',
      TASK_ID: 'task-001',
      AGENT: 'echo-001',
      REASON: 'Which port?',
      CONTEXT: '',
    },
  },
}

async function hooksOf({ options, hands }: Happening): Promise<HookOrder[]> {
  await using line = await Line.open({ cases: plan('one'), slots: 1, ...options })
  const told: HookOrder[] = []
  await line.run({
    ...hands?.(line, told),
    async runHook(order) {
      told.push(order)
      return { failed: [] }
    },
  })
  return told
}

describe('a hook', () => {
  it.each(Object.entries(HAPPENINGS))('%s runs with its variables when that happens', async (event, one) => {
    const told = await hooksOf(one)
    const own = told.filter((order) => order.event === event)
    expect(own.map(({ variables }) => variables)).toEqual([one.variables])
  })

  it('is told of a task that failed for good, of its escalation, and of the pause that follows', async () => {
    const told = await hooksOf({
      options: { config: { agents: { failuresBeforePause: 1 } } },
      hands: () => ({ develop: async () => developed({ kind: 'failed', reason: 'exit code 3' }) }),
      variables: {},
    })
    expect(told.map(({ event }) => event).toSorted()).toEqual([
      'on-error',
      'on-escalation',
      'on-pause',
      'pre-start',
    ])
    expect(told.find(({ event }) => event === 'on-pause')?.variables).toMatchObject({ CAUSE: 'failures' })
    expect(told.find(({ event }) => event === 'on-escalation')?.variables).toMatchObject({
      TASK_ID: 'task-001',
      REASON: expect.stringContaining('failed after'),
    })
  })

  it('is not told again by the next director what was before it came', async () => {
    await using line = await Line.open({ cases: plan('one') })
    await line.transact({
      kind: 'create',
      type: 'discovery',
      content: 'known',
      parentId: 'task-001',
      metadata: { scope: 'local' },
    })
    const told: HookOrder[] = []
    await line.run({
      async runHook(order) {
        told.push(order)
        return { failed: [] }
      },
    })
    expect(told.map(({ event }) => event)).toEqual(['pre-start', 'post-complete', 'pre-merge', 'post-merge'])
  })

  it('that fails is told, and holds nothing up', async () => {
    await using line = await Line.open({ cases: plan('one') })
    await line.run({
      runHook: () => Promise.reject(new Error('no shell')),
    })
    expect((await line.get('task-001')).status).toBe('done')
    expect(line.notices.map(({ code }) => code)).toContain('HOOK_FAILED')
  })
})
