import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Delta, Snapshot, StreamMessage } from '../../src/server/contract.ts'
import { type Listening, listen } from '../../src/server/listen.ts'
import { route } from '../../src/server/route.ts'
import { Broadcast } from '../../src/server/stream/broadcast.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { fill, type Rig, readStream, startRig } from './rig.ts'

const rigs: Rig[] = []
const folders: string[] = []

async function rigWith(tasks: number, store?: Store): Promise<Rig> {
  const rig = await startRig(store ? { store } : {})
  rigs.push(rig)
  if (tasks > 0) await fill(rig.store, tasks)
  return rig
}

afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig[Symbol.asyncDispose]()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** The rows of a page that takes a snapshot and then every delta. */
class Page {
  cursor: string
  readonly titles = new Map<string, string>()
  readonly reasons: string[] = []
  resets = 0

  constructor(snapshot: Snapshot) {
    this.cursor = snapshot.cursor
    for (const { id, title } of snapshot.cases) this.titles.set(id, title)
  }

  take(message: StreamMessage): void {
    if (message.type === 'reset') this.resets += 1
    if (message.type !== 'delta') return
    this.cursor = message.cursor
    this.reasons.push(...message.events.map(({ reason }) => reason))
    for (const { id, title } of message.upserts.cases ?? []) this.titles.set(id, title)
    for (const id of message.removes.cases ?? []) this.titles.delete(id)
  }
}

async function follow(rig: Rig, page: Page, isEnough: (page: Page) => boolean): Promise<void> {
  const until = new AbortController()
  try {
    for await (const message of readStream(rig, page.cursor, until.signal)) {
      page.take(message)
      if (isEnough(page)) break
    }
  } finally {
    until.abort()
  }
}

async function change(store: Store, number: number): Promise<void> {
  const id = `task-${String((number % 5) + 1).padStart(3, '0')}`
  await store.transact({
    by: 'user',
    commands: [{ kind: 'update', id, content: `text ${number}`, reason: `change ${number}` }],
  })
}

function titlesOf({ cases }: Snapshot): Record<string, string> {
  return Object.fromEntries(cases.map(({ id, title }) => [id, title]))
}

const CHANGES = 40
const CHANGES_APART = 4
const POLL = { timeout: 60_000, interval: 20 }

describe('a page that loses its connection again and again', () => {
  it('sees every event once and in its order, and ends with the rows of a new snapshot', async () => {
    const rig = await rigWith(5)
    await expect.poll(async () => (await rig.snapshot()).cases.length, POLL).toBe(7)
    const page = new Page(await rig.snapshot())
    let number = 0
    while (number < CHANGES) {
      // Several frames go by while nobody is connected.
      for (const end = number + CHANGES_APART; number < end; number += 1) {
        const { cursor } = await rig.snapshot()
        await change(rig.store, number)
        await expect.poll(async () => (await rig.snapshot()).cursor, POLL).not.toBe(cursor)
      }
      const before = page.reasons.length
      await follow(rig, page, ({ reasons }) => reasons.length > before)
    }
    await follow(rig, page, ({ reasons }) => reasons.at(-1) === `change ${CHANGES - 1}`)
    expect(page.reasons).toEqual(Array.from({ length: CHANGES }, (_, at) => `change ${at}`))
    expect(page.resets).toBe(0)
    expect(Object.fromEntries(page.titles)).toEqual(titlesOf(await rig.snapshot()))
  })

  it('is told to begin anew when it was away for too long, or was with another server', async () => {
    const rig = await rigWith(5)
    for (const cursor of ['nobody.5', 'x', '', `${(await rig.snapshot()).cursor}9999`]) {
      const until = new AbortController()
      for await (const message of readStream(rig, cursor, until.signal)) {
        if (message.type === 'hello') continue
        expect(message).toMatchObject({ type: 'reset', reason: 'unknown-cursor' })
        break
      }
      until.abort()
    }
  })
})

it('Twenty pages see the same', async () => {
  const rig = await rigWith(5)
  const snapshot = await rig.snapshot()
  const isWhole = ({ reasons }: Page) => reasons.includes('change 49')
  const pages = Array.from({ length: 20 }, () => new Page(snapshot))
  const followed = pages.map((page) => follow(rig, page, isWhole))
  for (let number = 0; number < 50; number += 1) await change(rig.store, number)
  await Promise.all(followed)
  const expected = titlesOf(await rig.snapshot())
  for (const page of pages) {
    expect(page.reasons).toEqual(pages[0]?.reasons)
    expect(Object.fromEntries(page.titles)).toEqual(expected)
  }
})

/** A server that only streams, so that more can be sent than any project says. */
async function streamAlone(): Promise<{ readonly broadcast: Broadcast; readonly server: Listening }> {
  const broadcast = new Broadcast('epoch', Date.now)
  const stream = route({
    method: 'get',
    path: '/api/stream',
    summary: '',
    answer: '',
    reply: async ({ header, cut }) => new Response(broadcast.join(header('last-event-id'), cut) ?? null),
  })
  const server = await listen({
    host: '127.0.0.1',
    port: 0,
    token: TOKEN,
    routes: [stream],
    pages: { find: () => undefined, paths: [] },
    version: '',
    now: Date.now,
    log: () => undefined,
    logDefect: () => undefined,
  })
  return { broadcast, server }
}

const TOKEN = 'a token for a server of one test'.replaceAll(' ', '-')
const FRAME_BYTES = 400_000
/** What waits for the client, and what the kernel holds for it on both sides. */
const UNREAD_BYTES_MAX = 64 * 1024 * 1024

it('A client that never reads is let go before it costs much, and the others miss nothing', async () => {
  const { broadcast, server } = await streamAlone()
  const socket = connect(server.port, '127.0.0.1')
  let isGone = false
  socket.on('close', () => (isGone = true)).on('error', () => undefined)
  socket.pause()
  const head = [`Host: 127.0.0.1:${server.port}`, `Authorization: Bearer ${TOKEN}`]
  socket.write(`GET /api/stream HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`)
  await expect.poll(() => broadcast.clients, { timeout: 30_000 }).toBe(1)
  const until = new AbortController()
  const cursors: string[] = []
  const reading = (async () => {
    for await (const message of readStream({ server, token: TOKEN }, broadcast.cursor, until.signal)) {
      if (message.type === 'delta') cursors.push(message.cursor)
      if (message.type === 'delta' && message.events.length === 0) return
    }
  })()
  await expect.poll(() => broadcast.clients, { timeout: 30_000 }).toBe(2)
  const filler = { at: '', id: '', by: '', what: '', reason: 'x'.repeat(FRAME_BYTES) }
  const events = `"upserts":{},"removes":{},"events":[${JSON.stringify(filler)}]`
  let sent = 0
  while (broadcast.clients === 2 && sent * FRAME_BYTES < UNREAD_BYTES_MAX) {
    broadcast.publish(events)
    sent += 1
    // The one that reads keeps up; only the other one falls behind.
    await expect.poll(() => cursors.length, { timeout: 30_000, interval: 5 }).toBe(sent)
  }
  expect(broadcast.clients).toBe(1)
  broadcast.publish('"upserts":{},"removes":{},"events":[]')
  await reading
  expect(cursors).toEqual(Array.from({ length: sent + 1 }, (_, index) => `epoch.${index + 1}`))
  socket.resume()
  await expect.poll(() => isGone, { timeout: 30_000 }).toBe(true)
  until.abort()
  broadcast.close()
  await server.close()
})

it('Connections beyond the bound are refused, and do no harm', async () => {
  const rig = await rigWith(1)
  const open = await Promise.all(Array.from({ length: 100 }, () => rig.get('/api/stream')))
  const statuses = open.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(64)
  expect(statuses.filter((status) => status === 503)).toHaveLength(36)
  await Promise.all(open.map(({ body }) => body?.cancel()))
  await expect.poll(async () => (await rig.get('/api/stream')).status, { timeout: 30_000 }).toBe(200)
})

it('Rows of agents at work pass by, and make no delta as long as only they change', async () => {
  const rig = await rigWith(1)
  const page = new Page(await rig.snapshot())
  const row = { agent: 'echo-001', task: 'task-001', state: 'iteration' as const, iteration: 1, elapsedMs: 5 }
  const until = new AbortController()
  const seen: StreamMessage[] = []
  const reads = { ...row, elapsedMs: 10, activity: 'reads' }
  let working: NodeJS.Timeout | undefined
  rig.store.publishLive([row])
  for await (const message of readStream(rig, page.cursor, until.signal)) {
    seen.push(message)
    // One row alone may be missed: that is what a lossy channel is.
    if (message.type === 'delta') working ??= setInterval(() => rig.store.publishLive([reads]), 50)
    if (message.type === 'live' && message.rows.some(({ activity }) => activity === 'reads')) break
  }
  until.abort()
  clearInterval(working)
  const deltas = seen.filter((message): message is Delta => message.type === 'delta')
  expect(deltas.flatMap(({ upserts }) => upserts.agents ?? [])).toMatchObject([
    { agent: 'echo-001', state: 'iteration', indicator: 'running', task: 'task-001' },
  ])
})

it('A store that another process owns is shown as well, and when that one goes away', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'axiom-shared-'))
  folders.push(folder)
  const owner = await openStore({ folder, purpose: 'the owner' })
  const shared = await openStore({ folder, purpose: 'the server' })
  const rig = await rigWith(0, shared)
  await fill(owner, 5)
  const page = new Page(await rig.snapshot())
  await follow(rig, page, ({ titles }) => titles.size === 7)
  await owner.close()
  await change(shared, 3)
  await follow(rig, page, ({ titles }) => titles.get('task-004') === 'text 3')
  expect(Object.fromEntries(page.titles)).toEqual(titlesOf(await rig.snapshot()))
  await rigs.pop()?.[Symbol.asyncDispose]()
  await shared.close()
})
