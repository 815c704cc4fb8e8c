import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fill, layOutGit, type Rig, startRig } from './rig.ts'

/** Stands in files that no route may give away, and nowhere else. */
const SECRET = 'SECRET-OUTSIDE-OF-EVERY-ROUTE'
const REQUESTS = 20_000
const REQUESTS_TO_GIT = 400
const CONNECTIONS = 8

let rig: Rig
let work: string

beforeAll(async () => {
  rig = await startRig()
  await fill(rig.store, 1)
  work = layOutGit(rig.folder).work
  const { root, folder } = rig
  for (const path of [
    'secret.txt',
    '.axiom/secret.txt',
    '.axiom/agents/echo/secret.jsonl',
    '.axiom/logs.jsonl',
    '.axiom/logs/deeper/secret.jsonl',
    'pages.txt',
  ]) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), `${SECRET}\n`)
  }
  mkdirSync(join(folder, 'agents/echo/logs'), { recursive: true })
  symlinkSync(join(root, 'secret.txt'), join(folder, 'agents/echo/logs/link.jsonl'))
  symlinkSync(join(folder, 'logs/deeper'), join(folder, 'agents/planted'))
  mkdirSync(join(folder, 'agents/other'))
  symlinkSync(join(folder, 'logs/deeper'), join(folder, 'agents/other/logs'))
})
afterAll(() => rig[Symbol.asyncDispose]())

// biome-ignore format: one piece beside the other is easier to look through
const PIECES = [
  '..', '.', '../', './', '/', '//', '\\', '..\\', '%2e%2e', '%2e%2e/', '%2e%2e%2f', '..%2f', '..%5c',
  '%252e%252e%252f', '%c0%ae%c0%ae/', '%u002e', '....//', '..;/', '%00', '%0a', '%20', '\t', '#/../', '#',
  '?raw??', '?import&raw', '?', '&', '@fs/', 'file:///', '~', '*', ':', '%', '%zz', '\u2025', '\uff0e\uff0e/',
  'secret.txt', 'secret.jsonl', 'link.jsonl', 'logs.jsonl', 'pages.txt', 'index.html', 'assets/', 'logs/',
  'deeper/', 'echo/', 'planted/', 'other/', 'agents/', '.axiom/', 'etc/passwd', 'proc/self/environ', 'config',
] as const
const PREFIXES = [
  '/',
  '/assets/',
  '/api/',
  '/api/logs/',
  '/api/logs/echo/',
  '/api/logs/project/',
  '/api/blobs/',
  '/api/cases/',
]

/** The same paths at every run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function makePath(random: (below: number) => number, prefixes: readonly string[]): string {
  const pieces = Array.from({ length: 1 + random(7) }, () => PIECES[random(PIECES.length)] ?? '')
  const root = random(20) === 0 ? rig.root : ''
  return `${prefixes[random(prefixes.length)]}${root}${pieces.join('')}`
}

/** One connection that asks byte by byte what it is told to, and opens itself again when it was cut off. */
class Asker {
  #socket: Socket | undefined
  #received = Buffer.alloc(0)
  #changed: (() => void) | undefined

  async ask(path: string): Promise<string> {
    const socket = this.#open()
    this.#received = Buffer.alloc(0)
    const host = `127.0.0.1:${rig.server.port}`
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${rig.token}\r\n\r\n`)
    while (!this.#isWhole() && !socket.destroyed)
      await new Promise<void>((resolve) => (this.#changed = resolve))
    return this.#received.toString('latin1')
  }

  close(): void {
    this.#socket?.destroy()
  }

  #open(): Socket {
    if (this.#socket && !this.#socket.destroyed) return this.#socket
    const socket = connect(rig.server.port, '127.0.0.1')
    socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk])
      this.#changed?.()
    })
    socket.on('error', () => socket.destroy())
    socket.on('end', () => socket.destroy())
    socket.on('close', () => this.#changed?.())
    this.#socket = socket
    return socket
  }

  #isWhole(): boolean {
    const end = this.#received.indexOf('\r\n\r\n')
    if (end < 0) return false
    const head = this.#received.toString('latin1', 0, end)
    const [, length] = /content-length: (\d+)/i.exec(head) ?? []
    if (length !== undefined) return this.#received.length >= end + 4 + Number(length)
    return !/transfer-encoding: chunked/i.test(head) || this.#received.subarray(-5).toString() === '0\r\n\r\n'
  }
}

async function askAll(
  count: number,
  prefixes: readonly string[],
  seed: number,
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  const ask = async (_: unknown, at: number) => {
    const random = randomFrom(seed + at)
    const asker = new Asker()
    for (let asked = 0; asked < count / CONNECTIONS; asked += 1) {
      const path = makePath(random, prefixes)
      const answer = await asker.ask(path)
      expect(answer.includes(SECRET) || answer.includes('root:x:0'), path).toBe(false)
      const status = Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1] ?? 0)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    asker.close()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, ask))
  return statuses
}

it('No path, however written, reaches a byte outside of what the routes give, even with the token', async () => {
  const statuses = await askAll(REQUESTS, PREFIXES, 1)
  expect(statuses.get(404)).toBeGreaterThan(REQUESTS / 10)
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([])
})

it('No path of a commit reaches a file of the machine', async () => {
  const prefixes = ['files', 'trees', 'cases/task-001/diff'].map(
    (name) => `/api/${name}?commit=${work}&path=`,
  )
  const statuses = await askAll(REQUESTS_TO_GIT, prefixes, 2)
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([])
})

it('A log that is a link, or lies behind one, is none', async () => {
  for (const path of ['echo/link.jsonl', 'other/secret.jsonl', 'planted/secret.jsonl']) {
    expect((await rig.get(`/api/logs/${path}`)).status, path).toBe(404)
  }
})
