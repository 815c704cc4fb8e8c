import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CaseCommand } from '../cases/command.ts'
import type { LiveRow } from '../events/live-row.ts'
import type { Committed, FeedItem, Reset, Store } from './store.ts'

/** A store under test: `reopen` closes it and opens its files again, as the next process would. */
export interface StoreUnderTest {
  readonly store: Store
  reopen(): Promise<Store>
  dispose(): Promise<void>
}

const create = (
  content: string,
  rest: Partial<Extract<CaseCommand, { kind: 'create' }>> = {},
): CaseCommand => ({
  kind: 'create',
  type: 'operation',
  content,
  ...rest,
})
const claim = (id: string, holder: string): CaseCommand => ({
  kind: 'claim',
  id,
  stage: 'develop',
  holder,
  ttlMs: 60_000,
})

/** The behaviour that every implementation of the store must have. */
export function storeContract(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`the store contract: ${name}`, () => {
    let subject: StoreUnderTest
    let store: Store
    const commit = async (...commands: CaseCommand[]): Promise<Committed> => {
      const outcome = await store.transact({ commands, by: 'user' })
      if (outcome.kind !== 'committed') throw new Error(JSON.stringify(outcome))
      return outcome
    }
    const withTasks = (count: number) =>
      commit(
        create('op', { as: 'o' }),
        ...Array.from({ length: count }, (_, i) => create(`task ${i}`, { type: 'task', parentId: '$o' })),
      )

    beforeEach(async () => {
      subject = await open()
      store = subject.store
    })
    afterEach(() => subject.dispose())

    it('assigns ids inside the commit and tells the names of a batch', async () => {
      const { created, names } = await commit(
        create('a', { as: 'x' }),
        create('t', { type: 'task', parentId: '$x' }),
      )
      expect(created).toEqual(['op-001', 'task-001'])
      expect(names).toEqual({ x: 'op-001' })
    })

    it('keeps cases, histories and children over a reopening', async () => {
      await withTasks(3)
      await commit(claim('task-002', 'echo-001'), { kind: 'update', id: 'task-003', tags: ['later'] })
      const before = [await store.query({}), await store.history('task-002')]
      store = await subject.reopen()
      expect([await store.query({}), await store.history('task-002')]).toEqual(before)
      expect((await commit(create('t', { type: 'task', parentId: 'op-001' }))).created).toEqual(['task-004'])
    })

    it('changes nothing when a command of the batch is refused', async () => {
      await withTasks(1)
      const before = await store.query({})
      const outcome = await store.transact({
        commands: [claim('task-001', 'a'), claim('task-001', 'b')],
        by: 'user',
      })
      expect(outcome).toMatchObject({ kind: 'refused', code: 'AlreadyClaimed' })
      expect(await store.query({})).toEqual(before)
    })

    it('lets exactly one of eight claimers win, a hundred times', async () => {
      await withTasks(100)
      for (let i = 1; i <= 100; i += 1) {
        const id = `task-${String(i).padStart(3, '0')}`
        const outcomes = await Promise.all(
          Array.from({ length: 8 }, (_, who) =>
            store.transact({ commands: [claim(id, `echo-00${who}`)], by: 'user' }),
          ),
        )
        expect(outcomes.filter(({ kind }) => kind === 'committed')).toHaveLength(1)
        expect(
          outcomes.filter((outcome) => 'code' in outcome && outcome.code === 'AlreadyClaimed'),
        ).toHaveLength(7)
      }
    })

    it('carries a key out once, also after a reopening and a compaction', async () => {
      const transaction = { commands: [create('once', { as: 'it' })], by: 'user', key: 'key-1' }
      const first = await store.transact(transaction)
      const again = await store.transact(transaction)
      store = await subject.reopen()
      const later = await store.transact(transaction)
      await store.compact()
      store = await subject.reopen()
      const last = await store.transact(transaction)
      for (const outcome of [first, again, later, last])
        expect(outcome).toMatchObject({ kind: 'committed', created: ['op-001'], names: { it: 'op-001' } })
      expect(await store.query({})).toHaveLength(1)
    })

    it('refuses a document written over another revision than was read', async () => {
      const write = (value: unknown, expected: number) =>
        store.transact({ commands: [], by: 'user', documents: [{ key: 'project', value, expect: expected }] })
      expect(await store.document('project')).toEqual({ value: undefined, rev: 0 })
      expect(await write({ mode: 'semi-auto' }, 0)).toMatchObject({ kind: 'committed' })
      expect(await write({ mode: 'autopilot' }, 0)).toEqual({ kind: 'stale', key: 'project', rev: 1 })
      store = await subject.reopen()
      expect(await store.document('project')).toEqual({ value: { mode: 'semi-auto' }, rev: 1 })
      await store.compact()
      store = await subject.reopen()
      expect(await store.document('project')).toEqual({ value: { mode: 'semi-auto' }, rev: 1 })
    })

    it('refuses commands that were decided on another revision of a case', async () => {
      await store.transact({ commands: [create('first')], by: 'user' })
      const rename = (content: string, rev: number) =>
        store.transact({
          commands: [{ kind: 'update', id: 'op-001', content }],
          by: 'user',
          expect: { 'op-001': rev },
        })
      expect(await rename('second', 1)).toMatchObject({ kind: 'committed' })
      expect(await rename('third', 1)).toEqual({ kind: 'stale', key: 'op-001', rev: 2 })
      expect(await store.query({ ids: ['op-001'] })).toMatchObject([{ content: 'second', rev: 2 }])
    })

    it('shows the last row of each agent to whoever looks, and tells what changes then', async () => {
      const row = (agent: string, iteration: number): LiveRow => ({
        agent,
        task: 'task-001',
        state: 'iteration',
        iteration,
        elapsedMs: 0,
      })
      store.publishLive([row('echo-001', 1), row('echo-001', 2), row('echo-002', 1)])
      const stop = new AbortController()
      const seen = new Map<string, number>()
      for await (const rows of store.live(stop.signal)) {
        for (const { agent, iteration } of rows) seen.set(agent, iteration)
        if (seen.get('echo-002') === 1) store.publishLive([row('echo-002', 7)])
        if (seen.get('echo-002') === 7) stop.abort()
      }
      expect(Object.fromEntries(seen)).toEqual({ 'echo-001': 2, 'echo-002': 7 })
    })

    it('leaves nothing behind on the signal of a reader, however long he looks', async () => {
      const stop = new AbortController()
      let rounds = 0
      for await (const _rows of store.live(stop.signal)) {
        rounds += 1
        if (rounds === 15) break
        store.publishLive([
          { agent: 'echo-001', task: 'task-001', state: 'iteration', iteration: rounds, elapsedMs: 0 },
        ])
      }
      expect(rounds).toBe(15)
      expect(getEventListeners(stop.signal, 'abort')).toEqual([])
    })

    it('keeps no live row beyond its own life, and no more of them than it says', async () => {
      const rows = Array.from({ length: 600 }, (_, at): LiveRow => {
        return { agent: `echo-${at}`, task: 'task-001', state: 'iteration', iteration: 1, elapsedMs: 0 }
      })
      store.publishLive(rows)
      const stop = new AbortController()
      let shown: readonly LiveRow[] = []
      for await (const some of store.live(stop.signal)) {
        shown = some
        if (some.length > 0) stop.abort()
      }
      expect([shown.length, shown.at(-1)?.agent]).toEqual([500, 'echo-599'])
      store = await subject.reopen()
      const again = new AbortController()
      for await (const some of store.live(again.signal)) {
        expect(some).toEqual([])
        again.abort()
      }
    })

    it('gives the feed every commit once and in order, from any place that it still knows', async () => {
      const seen: (FeedItem | Reset)[] = []
      const stop = new AbortController()
      const reading = (async () => {
        for await (const item of store.feed(undefined, stop.signal)) {
          seen.push(item)
          if (seen.length === 6) break
        }
      })()
      while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      for (let i = 0; i < 5; i += 1) await commit(create(`case ${i}`))
      await reading
      expect(seen[0]).toHaveProperty('reset')
      const items = seen.slice(1) as FeedItem[]
      expect(items.map(({ events }) => events.map(({ id, type }) => `${type} ${id}`))).toEqual(
        [1, 2, 3, 4, 5].map((i) => [`case:created op-00${i}`]),
      )
      const rest: (FeedItem | Reset)[] = []
      for await (const item of store.feed(items[1]?.cursor, stop.signal)) {
        rest.push(item)
        if (rest.length === 3) break
      }
      expect(rest).toEqual(items.slice(2))
      stop.abort()
    })

    it('tells a late reader of each commit as it was, whatever its case has gone through since', async () => {
      const { cursor } = await commit(create('a'))
      await commit({ kind: 'move', id: 'op-001', status: 'active', reason: 'begun' })
      await commit({ kind: 'move', id: 'op-001', status: 'blocked', reason: 'stuck' })
      const reasons: string[] = []
      for await (const item of store.feed({ ...cursor, seq: cursor.seq - 1 }, new AbortController().signal)) {
        if ('events' in item) reasons.push(...item.events.map(({ reason }) => reason))
        if (reasons.length === 3) break
      }
      expect(reasons).toEqual(['created', 'begun', 'stuck'])
    })

    it('sends a reader with a cursor of another life back to the beginning', async () => {
      await commit(create('a'))
      for await (const item of store.feed({ epoch: 'another', seq: 1 }, new AbortController().signal)) {
        expect(item).toHaveProperty('reset')
        break
      }
    })

    it('renews a lease without a history entry, and names the lost ones', async () => {
      await withTasks(2)
      await commit(claim('task-001', 'echo-001'))
      const before = await store.history('task-001')
      const mine = { id: 'task-001', stage: 'develop', fence: 1 } as const
      const lost = { id: 'task-002', stage: 'develop', fence: 1 } as const
      expect(await store.renew([mine, lost], 120_000)).toEqual([lost])
      expect(await store.history('task-001')).toEqual(before)
      store = await subject.reopen()
      expect(await store.renew([mine], 120_000)).toEqual([])
    })

    it('keeps blobs by their digest', async () => {
      const bytes = new Uint8Array([0, 255, 10, 13, 128])
      const digest = await store.putBlob(bytes)
      expect(digest).toMatch(/^[0-9a-f]{64}$/)
      expect(await store.putBlob(bytes)).toBe(digest)
      expect([...((await store.getBlob(digest)) ?? [])]).toEqual([...bytes])
      expect(await store.getBlob('0'.repeat(64))).toBeUndefined()
      expect(await store.getBlob('../../etc/passwd')).toBeUndefined()
    })

    it('never gives a number twice', async () => {
      expect([
        await store.allocate('echo'),
        await store.allocate('echo'),
        await store.allocate('critic'),
      ]).toEqual([1, 2, 1])
      store = await subject.reopen()
      expect(await store.allocate('echo')).toBe(3)
    })

    it('imports what it exported, and refuses what contradicts it', async () => {
      await withTasks(2)
      await commit(claim('task-001', 'echo-001'))
      const lines = await store.exported()
      const cases = lines.map((line) => {
        const { history, childIds: _, sum: __, ...plain } = JSON.parse(line)
        return { subject: plain, history }
      })
      expect(await store.import(cases)).toMatchObject({ kind: 'committed', created: [] })
      const foreign = cases.map((one) => ({ ...one, subject: { ...one.subject, uid: 'someone else' } }))
      expect(await store.import(foreign)).toMatchObject({ kind: 'refused', code: 'InvalidValue' })
      expect(await store.exported()).toEqual(lines)
    })

    it('says why a task is not ready', async () => {
      await commit(
        create('op', { as: 'o' }),
        create('first', { type: 'task', parentId: '$o', as: 'a' }),
        create('second', { type: 'task', parentId: '$o', dependsOn: ['$a'] }),
      )
      expect([await store.explain('task-001'), await store.explain('task-002')]).toEqual([
        '',
        'waits on task-001 (pending)',
      ])
    })
  })
}
