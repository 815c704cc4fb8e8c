import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { newDelivery } from '../../src/delivery/delivery-state.ts'
import { changeProject } from '../../src/project/document.ts'
import { giveOrder, makeOrder, orderText } from '../../src/project/interventions/give-order.ts'
import { tellAgent } from '../../src/project/interventions/order-agent.ts'
import { assignedTo, ordersOf } from '../../src/project/orders.ts'
import { readNotes } from '../../src/project/task-notes.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { CaseRecord, Store } from '../../src/store/store.ts'
import { type Ran, removeFolder, start, temporaryFolder } from '../cli/axiom.ts'

/** A project, the real program in it, and the store as a director would hold it open. */
class Bench {
  readonly folder = temporaryFolder()

  constructor() {
    mkdirSync(join(this.folder, '.axiom'))
    writeFileSync(join(this.folder, '.axiom/config.json'), '{}')
  }

  axiom(...argv: string[]): Promise<Ran> {
    return start(this.folder, argv)
  }

  async json<Value>(...argv: string[]): Promise<Value> {
    const ran = await this.axiom(...argv, '--json')
    expect(ran, argv.join(' ')).toMatchObject({ code: 0, stderr: '' })
    return JSON.parse(ran.stdout) as Value
  }

  async refusal(...argv: string[]): Promise<{ code: string; message: string; hint: string }> {
    const ran = await this.axiom(...argv, '--json')
    expect(ran.code, argv.join(' ')).not.toBe(0)
    return (JSON.parse(ran.stderr) as { error: { code: string; message: string; hint: string } }).error
  }

  async withStore<Value>(work: (store: Store) => Promise<Value>): Promise<Value> {
    const store = await openStore({ folder: join(this.folder, '.axiom'), purpose: 'tests' })
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  }

  task(id: string): Promise<CaseRecord> {
    return this.withStore(async (store) => {
      const [task] = await store.query({ ids: [id] })
      if (!task) throw new Error(`there is no ${id}`)
      return task
    })
  }
}

async function openBench(): Promise<Bench> {
  const bench = new Bench()
  await bench.withStore(async (store) => {
    const tasks = Array.from({ length: 4 }, (_, n) => ({
      kind: 'create' as const,
      type: 'task' as const,
      parentId: '$o',
      content: `Task ${n + 1}`,
    }))
    const answer = await store.transact({
      commands: [
        { kind: 'create', type: 'operation', content: 'Greet people', as: 'o' },
        ...tasks,
        { kind: 'depend', id: 'task-004', on: 'task-003' },
        { kind: 'claim', id: 'task-001', stage: 'develop', holder: 'echo-001', ttlMs: 3_600_000 },
      ],
      by: 'tests',
    })
    expect(answer.kind).toBe('committed')
  })
  return bench
}

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
  return removeFolder(bench.folder)
})

describe('orders to an agent', () => {
  it('wait in its task until the director carries them out', async () => {
    await bench.json('tell', 'echo-001', 'Use', 'the parser')
    const long = 'y'.repeat(3_000)
    await bench.json('tell', 'echo-001', long)
    await bench.json('pause', 'echo-001')
    await bench.json('stop', 'echo-001')
    const orders = ordersOf(await bench.task('task-001'))
    expect(orders).toMatchObject([
      { kind: 'tell', text: 'Use the parser', agent: 'echo-001', by: 'user' },
      { kind: 'tell', digest: expect.any(String) },
      { kind: 'stop' },
    ])
    const kept = await bench.withStore((store) => store.getBlob(orders[1]?.digest ?? ''))
    expect(Buffer.from(kept ?? []).toString()).toBe(long)
  })

  it('to an agent that is not at work name those that are', async () => {
    const { code, hint } = await bench.refusal('stop', 'echo-009')
    expect(code).toBe('AGENT_UNKNOWN')
    expect(hint).toContain('echo-001 (task-001)')
    expect((await bench.refusal('tell', 'echo-001', '  ')).code).toBe('MissingRequired')
    expect((await bench.refusal('tell', 'echo-001', 'z'.repeat(8_001))).code).toBe('InvalidValue')
  })

  it('given by many at once are all kept', async () => {
    const crowd = await openBench()
    const ran = await Promise.all(
      Array.from({ length: 8 }, (_, n) => crowd.axiom('tell', 'echo-001', `word ${n}`)),
    )
    expect(ran.map(({ code }) => code)).toEqual(Array.from({ length: 8 }, () => 0))
    const words = ordersOf(await crowd.task('task-001')).map(({ text }) => text)
    expect(words.toSorted()).toEqual(Array.from({ length: 8 }, (_, n) => `word ${n}`))
    await crowd.withStore(async (store) => {
      const told = Array.from({ length: 10 }, (_, n) => tellAgent(store, 'user', 'echo-001', `more ${n}`))
      expect((await Promise.all(told)).map(({ kind }) => kind)).not.toContain('refused')
    })
    expect(ordersOf(await crowd.task('task-001'))).toHaveLength(18)
  })

  it('are refused when too many wait', async () => {
    const crowd = await openBench()
    await crowd.withStore(async (store) => {
      for (let n = 0; n < 20; n += 1)
        await giveOrder(store, 'task-001', await makeOrder(store, 'user', { kind: 'tell' }, 'x'.repeat(80)))
    })
    expect((await crowd.refusal('tell', 'echo-001', 'one more')).code).toBe('ORDERS_FULL')
  })
})

describe('assigning and redirecting', () => {
  it('marks a ready task as the next, and refuses one that cannot start', async () => {
    await bench.json('assign', 'task-002')
    expect(assignedTo(await bench.task('task-002'))).toBe('')
    await bench.json('assign', 'task-002', 'echo-001')
    expect(assignedTo(await bench.task('task-002'))).toBe('echo-001')
    const waits = await bench.refusal('assign', 'task-004')
    expect(waits).toMatchObject({ code: 'InvalidStatus', message: expect.stringContaining('task-003') })
    expect((await bench.refusal('assign', 'task-001')).code).toBe('AlreadyClaimed')
    expect((await bench.refusal('assign', 'task-099')).code).toBe('NotFound')
    expect((await bench.refusal('assign', 'op-001')).code).toBe('InvalidValue')
    expect((await bench.refusal('assign', 'task-002', 'rex-001')).code).toBe('AGENT_UNKNOWN')
  })

  it('takes an agent off one task and puts it on another, or does neither', async () => {
    const other = await openBench()
    expect((await other.refusal('redirect', 'echo-001', 'task-004')).code).toBe('InvalidStatus')
    expect(ordersOf(await other.task('task-001'))).toEqual([])
    expect((await other.refusal('redirect', 'echo-001', 'task-001')).code).toBe('InvalidValue')
    expect(await other.json('redirect', 'echo-001', 'task-003')).toMatchObject({
      from: 'task-001',
      to: 'task-003',
    })
    expect(ordersOf(await other.task('task-001'))).toMatchObject([{ kind: 'redirect', to: 'task-003' }])
  })
})

describe('the whole project', () => {
  it('pauses and resumes, each once, and begins to count failures anew', async () => {
    const other = await openBench()
    expect(await other.json('resume')).toMatchObject({ kind: 'resumed', changed: false })
    expect(await other.json('pause', '--reason', 'deploying')).toMatchObject({
      kind: 'paused',
      changed: true,
      pause: { cause: 'person', by: 'user', reason: 'deploying' },
    })
    expect(await other.json('pause')).toMatchObject({ changed: false, pause: { reason: 'deploying' } })
    await other.withStore(async (store) => {
      await changeProject(store, 'tests', (project) => ({ ...project, failuresInRow: 3 }))
    })
    expect(await other.json('resume')).toMatchObject({ changed: true })
    const { value } = await other.withStore((store) => store.document('project'))
    expect(value).toMatchObject({ pause: null, failuresInRow: 0 })
  })

  it('that is halted is not simply resumed', async () => {
    const other = await openBench()
    await other.withStore(async (store) => {
      const pause = { cause: 'halt' as const, by: 'user', reason: 'broken', at: '2026-01-01T00:00:00.000Z' }
      await changeProject(store, 'tests', (project) => ({ ...project, pause, repairLedBy: 'task-002' }))
    })
    const { code, hint } = await other.refusal('resume')
    expect(code).toBe('PROJECT_HALTED')
    expect(hint).toContain('axiom retry task-002')
  })
})

describe('trying again and overriding', () => {
  const deliveryAt = (state: string, resume: string[] = []) => ({ ...newDelivery(), state, resume })

  it('takes up what failed, with the guidance for whoever comes next', async () => {
    const other = await openBench()
    const delivery = deliveryAt('failed')
    await other.withStore((store) =>
      store.transact({
        commands: [
          { kind: 'update', id: 'task-001', metadata: { delivery } },
          { kind: 'move', id: 'task-001', status: 'failed', reason: 'no luck' },
        ],
        by: 'tests',
      }),
    )
    await other.json('retry', 'task-001', '--note', 'the API moved')
    const task = await other.task('task-001')
    expect(task).toMatchObject({ status: 'pending', metadata: { delivery: { state: 'queued' } } })
    // Once: with the word, for whoever takes it next, and not as a message besides.
    expect(ordersOf(task)).toEqual([])
    const notes = await other.withStore((store) => readNotes(store, task))
    expect(notes).toMatchObject([{ kind: 'guidance', to: 'developer', text: 'the API moved' }])
    expect((await other.refusal('retry', 'task-001')).code).toBe('NOTHING_TO_RETRY')
  })

  it('takes up what a person blocked or stopped', async () => {
    const other = await openBench()
    await other.json('case', 'block', 'task-002', '--reason', 'later')
    await other.json('retry', 'task-002')
    expect((await other.task('task-002')).status).toBe('pending')
    await other.withStore((store) =>
      store.transact({
        commands: [
          {
            kind: 'update',
            id: 'task-003',
            metadata: { stopped: { by: 'user', at: '2026-01-01T00:00:00.000Z' } },
          },
        ],
        by: 'tests',
      }),
    )
    await other.json('retry', 'task-003')
    expect((await other.task('task-003')).metadata).not.toHaveProperty('stopped')
    expect((await other.refusal('retry', 'task-003')).code).toBe('NOTHING_TO_RETRY')
  })

  it('goes on over a repair that was given up, and over a budget that is spent', async () => {
    const other = await openBench()
    const delivery = deliveryAt('repair-escalated', ['queued'])
    const parked = { id: 'op-001', measure: 'tokens', spent: 9, limit: 5, was: 'active' }
    await other.withStore((store) =>
      store.transact({
        commands: [
          { kind: 'update', id: 'task-002', metadata: { delivery } },
          { kind: 'move', id: 'task-002', status: 'blocked', reason: 'broken' },
          { kind: 'update', id: 'op-001', metadata: { parked } },
          { kind: 'move', id: 'op-001', status: 'blocked', reason: 'spent' },
        ],
        by: 'tests',
      }),
    )
    expect(await other.json('override', 'task-002')).toMatchObject({ what: 'repair' })
    expect(await other.task('task-002')).toMatchObject({
      status: 'pending',
      metadata: { delivery: { state: 'queued' } },
    })
    expect(await other.json('override', 'op-001')).toMatchObject({ what: 'budget' })
    const operation = await other.task('op-001')
    expect(operation).toMatchObject({ status: 'active', metadata: { budget: { lifted: true } } })
    expect(operation.metadata).not.toHaveProperty('parked')
    expect((await other.refusal('override', 'task-003')).code).toBe('NOTHING_TO_OVERRIDE')
  })
})

it('tells the agent at work what its task says now, when a person edits it', async () => {
  const other = await openBench()
  await other.json('case', 'update', 'task-001', '--content', 'Say hello', '--criterion', 'It says hello')
  const [order] = ordersOf(await other.task('task-001'))
  const text = await other.withStore(async (store) => (order ? orderText(store, order) : ''))
  expect(text).toContain('Say hello\nAcceptance criteria:\n- It says hello')
  await other.json('case', 'update', 'task-002', '--content', 'Say goodbye')
  expect(ordersOf(await other.task('task-002'))).toEqual([])
})
