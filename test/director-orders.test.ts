import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { configSchema } from '../src/config/schema.ts'
import { followOrders } from '../src/director/develop/follow-orders.ts'
import { applyEvent } from '../src/project/delivery/apply-event.ts'
import { personEventContext } from '../src/project/delivery/event-context.ts'
import { directorEvent } from '../src/project/delivery/make-event.ts'
import { giveOrder, makeOrder } from '../src/project/interventions/give-order.ts'
import { INLINE_CHARACTERS_MAX, isStopped, type OrderKind, ordersOf } from '../src/project/orders.ts'
import { RunControl } from '../src/runs/run-control.ts'
import { FileStore } from '../src/store/jsonl/file-store.ts'
import type { Store } from '../src/store/store.ts'
import { deskOf } from './director-desk.ts'

const TASK = 'task-001'
const AGENT = 'echo-001'
const config = configSchema.parse({})
let folder: string
let store: FileStore
let control: RunControl

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'axiom-orders-'))
  store = new FileStore({ folder })
  control = new RunControl()
  await store.transact({
    by: 'user',
    commands: [
      { kind: 'create', type: 'operation', content: 'feature' },
      { kind: 'create', type: 'task', content: 'first', parentId: 'op-001' },
      { kind: 'claim', id: TASK, stage: 'develop', holder: AGENT, ttlMs: 60_000 },
    ],
  })
  const occurrence = directorEvent(TASK, 'CLAIMED', 'claimed/1')
  await applyEvent(store, personEventContext(folder, config), { about: TASK, occurrence })
})

afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const task = async () => (await store.query({ ids: [TASK] }))[0] ?? expect.unreachable()
const waiting = async () => ordersOf(await task()).map(({ kind }) => kind)
const kept = async () => (await task()).metadata.run

async function order(kind: OrderKind, text?: string): Promise<void> {
  const wish = { kind, agent: AGENT }
  expect(await giveOrder(store, TASK, await makeOrder(store, 'user', wish, text))).toMatchObject({
    kind: 'ordered',
  })
}

/** The store of a director, with some of its ways changed. */
function changed(changes: Partial<Store>): Store {
  const open: Partial<Store> = {
    query: (query) => store.query(query),
    transact: (transaction) => store.transact(transaction),
    getBlob: (digest) => store.getBlob(digest),
    ...changes,
  }
  return open as Store
}

const obey = (over: Partial<Store> = {}) =>
  followOrders(deskOf(changed(over), {}, { controlOf: () => control }), TASK)
const heard = () => control.takeMessages().map(({ text }) => text)

it('tells the agent a word once and takes it off the task, which keeps it until the run is over', async () => {
  await order('tell', 'use tabs')
  await obey()
  expect([heard(), await waiting(), await kept()]).toEqual([
    ['use tabs'],
    [],
    { messages: [{ by: 'user', text: 'use tabs' }] },
  ])
})

it('loses no word when the process dies right after the order was taken off', async () => {
  await order('tell', 'use tabs')
  const transact: Store['transact'] = async (transaction) => {
    await store.transact(transaction)
    throw new Error('killed')
  }
  await expect(obey({ transact })).rejects.toThrow('killed')
  expect(await kept()).toEqual({ messages: [{ by: 'user', text: 'use tabs' }] })
})

it('loses no word and no stop when the words of an order cannot be read', async () => {
  const long = 'x'.repeat(INLINE_CHARACTERS_MAX + 1)
  await order('tell', long)
  await order('stop')
  const getBlob = () => Promise.reject(new Error('disk'))
  await expect(obey({ getBlob })).rejects.toThrow('disk')
  expect([heard(), await waiting()]).toEqual([[], ['tell', 'stop']])
  await obey()
  expect([heard(), await waiting(), control.stopping.aborted]).toEqual([[long], [], true])
})

it('leaves a word on the task when the run is over and hears nothing more', async () => {
  await order('tell', 'use tabs')
  expect(control.close()).toEqual([])
  await obey()
  expect(await waiting()).toEqual(['tell'])
})

it('tells a word once, also when the task changes while it is told', async () => {
  await order('tell', 'use tabs')
  const transact: Store['transact'] = async (transaction) => {
    await store.transact({ commands: [{ kind: 'update', id: TASK, metadata: { other: 1 } }], by: 'user' })
    return store.transact(transaction)
  }
  await obey({ transact })
  expect(await waiting()).toEqual(['tell'])
  await obey()
  expect([heard(), await waiting()]).toEqual([['use tabs'], []])
})

it('stops an agent only with the mark that keeps the task stopped', async () => {
  await order('stop')
  await obey({ transact: async () => ({ kind: 'stale', key: TASK, rev: 1 }) })
  expect([control.stopping.aborted, await waiting()]).toEqual([false, ['stop']])
  await obey()
  expect([control.stopping.aborted, await waiting(), isStopped(await task())]).toEqual([true, [], true])
})
