import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { CaseCommand } from '../../src/cases/command.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { FeedItem, Reset, Store } from '../../src/store/store.ts'
import { commit, createOperation, load } from './sample-store.ts'
import { scratchFolder } from './scratch.ts'
import { ownerPid } from './sharing.ts'

async function open(folder: string, purpose: string): Promise<Store> {
  const store = await openStore({ folder, purpose })
  onTestFinished(() => store.close())
  return store
}

function draft(content: string): CaseCommand {
  return { kind: 'create', type: 'draft', content }
}

it('passes the store on when its owner closes with questions under way', async () => {
  const folder = scratchFolder('.axiom')
  const owner = await open(folder, 'owner')
  const clients = await Promise.all([open(folder, 'one'), open(folder, 'two')])
  const asked = clients.flatMap((client, number) =>
    Array.from({ length: 200 }, (_, turn) => commit(client, draft(`${number}-${turn}`))),
  )
  await owner.close()
  const created = (await Promise.all(asked)).map((outcome) => outcome.created[0])
  expect(new Set(created).size).toBe(400)
  for (const client of clients) await client.close()
  const { state, damage } = await load(folder)
  expect(damage).toEqual([])
  expect(Object.keys(state.cases)).toHaveLength(400)
  await expect(clients[0]?.now()).rejects.toMatchObject({ code: 'STORE_CLOSED' })
})

it('gives the store back for good when it is closed, though questions and a feed are open', async () => {
  const folder = scratchFolder('.axiom')
  const owner = await open(folder, 'owner')
  const client = await open(folder, 'client')
  const reading = collect(client, 1_000)
  await Promise.all(Array.from({ length: 20 }, (_, turn) => commit(client, draft(`${turn}`))))
  const late = Array.from({ length: 20 }, () => client.query({}).catch(() => undefined))
  await client.close()
  await Promise.all(late)
  await reading.ended
  await owner.close()
  const next = await openStore({ folder, purpose: 'next' })
  expect(lockedBy(folder)).toBe('next')
  await next.close()
})

it('carries out a transaction once, whichever owner is asked again', async () => {
  const folder = scratchFolder('.axiom')
  const write = { by: 'tester', key: 'one', commands: [draft('x')] } as const
  const note = {
    by: 'tester',
    key: 'two',
    commands: [],
    documents: [{ key: 'project', value: 'on', expect: 0 }],
  } as const
  const answers: unknown[] = []
  for (const purpose of ['first owner', 'second owner', 'third owner']) {
    const store = await open(folder, purpose)
    answers.push([await store.transact(write), await store.transact(note)])
    await store.close()
  }
  for (const answer of answers)
    expect(answer).toMatchObject([{ kind: 'committed', created: ['draft-001'] }, { kind: 'committed' }])
  expect(Object.keys((await load(folder)).state.cases)).toEqual(['draft-001'])
})

it('tells a reader of the feed every commit once and in order, or that it has to read anew', async () => {
  const folder = scratchFolder('.axiom')
  const owner = await open(folder, 'owner')
  const client = await open(folder, 'client')
  const readings = [collect(owner, 300), collect(client, 300)]
  for (let round = 0; round < 30; round += 1) {
    await Promise.all(Array.from({ length: 10 }, (_, turn) => commit(owner, draft(`${round}-${turn}`))))
  }
  for (const { ended } of readings) {
    const [first, ...items] = await ended
    expect(first).toHaveProperty('reset')
    const start = (first as Reset).reset.seq
    expect(items.map((item) => (item as FeedItem).cursor.seq)).toEqual(
      Array.from({ length: 300 - start }, (_, index) => start + index + 1),
    )
  }
})

/** Reads the feed until the commit with this number, or its end. */
function collect(store: Store, last: number): { readonly ended: Promise<(FeedItem | Reset)[]> } {
  const stop = new AbortController()
  const read = async () => {
    const items: (FeedItem | Reset)[] = []
    for await (const item of store.feed(undefined, stop.signal)) {
      items.push(item)
      if (('reset' in item ? item.reset : item.cursor).seq >= last) break
    }
    return items
  }
  return { ended: read() }
}

it('takes 20,000 commands as one commit, through another process too, or none of them', async () => {
  const folder = scratchFolder('.axiom')
  const owner = await open(folder, 'owner')
  const client = await open(folder, 'client')
  const many = Array.from({ length: 20_000 }, (_, turn) => draft(`${turn}`))
  const refused = await client.transact({ by: 'tester', commands: [...many.slice(1), draft('')] })
  expect(refused.kind).toBe('refused')
  expect((await owner.report()).cases).toBe(0)
  const { created } = await commit(client, ...many)
  expect(created).toHaveLength(20_000)
  expect((await owner.report()).cases).toBe(20_000)
  await client.close()
  await owner.close()
  expect(Object.keys((await load(folder)).state.cases)).toHaveLength(20_000)
})

it('gives a client an answer larger than what a client may leave unread', async () => {
  const folder = scratchFolder('.axiom')
  const owner = await open(folder, 'owner')
  const client = await open(folder, 'client')
  await commit(owner, ...Array.from({ length: 1_100 }, () => draft('x'.repeat(65_000))))
  expect(await client.query({})).toHaveLength(1_100)
})

it('lets a client go that never reads, and serves the others', async () => {
  const folder = scratchFolder('.axiom')
  const owner = await open(folder, 'owner')
  await commit(owner, ...Array.from({ length: 40 }, () => draft('x'.repeat(60_000))))
  const deaf = connect(join(folder, 'lock', socketOf(folder)))
  deaf.pause()
  let isLetGo = false
  deaf.on('error', () => undefined).on('close', () => (isLetGo = true))
  for (let id = 1; id <= 60; id += 1) {
    deaf.write(`${JSON.stringify({ id, method: 'query', arguments: [{}] })}\n`)
  }
  const client = await open(folder, 'client')
  while (!isLetGo) {
    expect(await client.query({})).toHaveLength(40)
    deaf.write('{"id":99,"method":"now","arguments":[]}\n')
  }
  await createOperation(client, 'goes on')
})

function lockFile(folder: string): { purpose: string; socket: string; pid: number } {
  const highest = readdirSync(join(folder, 'lock'))
    .filter((name) => /^\d+$/.test(name))
    .sort((a, b) => Number(b) - Number(a))[0]
  return JSON.parse(readFileSync(join(folder, 'lock', highest ?? ''), 'utf8'))
}

function lockedBy(folder: string): string {
  expect(ownerPid(folder)).toBe(process.pid)
  return lockFile(folder).purpose
}

function socketOf(folder: string): string {
  return lockFile(folder).socket
}
