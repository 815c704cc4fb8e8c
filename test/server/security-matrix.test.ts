import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  fill,
  INDEX,
  layOutGit,
  type RawAnswer,
  type RawRequest,
  type Rig,
  rawRequest,
  startRig,
} from './rig.ts'

let rig: Rig
let work: string

beforeAll(async () => {
  rig = await startRig()
  await fill(rig.store, 2)
  work = layOutGit(rig.folder).work
})
afterAll(() => rig[Symbol.asyncDispose]())

/** Every route that the router itself knows; one that is added later is among them without anybody's doing. */
function apiRoutes(): { readonly method: string; readonly path: string }[] {
  return rig.server.routes.filter(({ method, path }) => method !== 'ALL' && path !== '*' && path !== '/*')
}

/** A path of the route that really has an answer, so that a refusal is due to the guard alone. */
function filled(path: string): string {
  const query =
    path === '/api/files' ? `?commit=${work}&path=kept.txt` : path === '/api/trees' ? `?commit=${work}` : ''
  return (
    path
      .replace(':id', 'task-001')
      .replace(':agents', 'project')
      .replace(':file', 'signals.jsonl')
      .replace(':digest', '0'.repeat(64)) + query
  )
}

const bearer = () => ({ authorization: `Bearer ${rig.token}` })
const jsonType = { 'content-type': 'application/json' }
const own = () => ({ origin: rig.server.url })

/** What an attacker can send: from a page, through a rebound name, by a form, or as a program of this machine. */
const ATTACKS: readonly (readonly [string, () => Record<string, string>, readonly number[]])[] = [
  ['no token', () => ({}), [401]],
  ['no token, own origin', () => own(), [401]],
  ['no token, said to be a page of ours', () => ({ 'sec-fetch-site': 'same-origin' }), [401]],
  ['an empty token', () => ({ authorization: 'Bearer ' }), [401]],
  ['a wrong token', () => ({ authorization: `Bearer ${'x'.repeat(43)}` }), [401]],
  ['the token without its last letter', () => ({ authorization: `Bearer ${rig.token.slice(0, -1)}` }), [401]],
  ['the token as a cookie', () => ({ cookie: `token=${rig.token}` }), [401]],
  ['the token in another header', () => ({ 'x-token': rig.token }), [401]],
  ['the token by basic', () => ({ authorization: `Basic ${btoa(`:${rig.token}`)}` }), [401]],
  ['a foreign origin with the token', () => ({ ...bearer(), origin: 'https://evil.example' }), [403]],
  ['a null origin with the token', () => ({ ...bearer(), origin: 'null' }), [403]],
  ['a foreign port as origin', () => ({ ...bearer(), origin: 'http://127.0.0.1:1' }), [403]],
  [
    'an origin that begins like ours',
    () => ({ ...bearer(), origin: `${rig.server.url}.evil.example` }),
    [403],
  ],
  ['https as origin', () => ({ ...bearer(), origin: rig.server.url.replace('http:', 'https:') }), [403]],
  ['a foreign host with the token', () => ({ ...bearer(), host: `evil.example:${rig.server.port}` }), [421]],
  ['0.0.0.0 as host', () => ({ ...bearer(), host: `0.0.0.0:${rig.server.port}` }), [421]],
  ['a host without its port', () => ({ ...bearer(), host: '127.0.0.1' }), [421]],
  ['another port as host', () => ({ ...bearer(), host: '127.0.0.1:1' }), [421]],
  [
    'a host with something behind it',
    () => ({ ...bearer(), host: `127.0.0.1:${rig.server.port}.evil` }),
    [400, 421],
  ],
  ['a cross-site fetch with the token', () => ({ ...bearer(), 'sec-fetch-site': 'cross-site' }), [403]],
  ['a same-site fetch with the token', () => ({ ...bearer(), 'sec-fetch-site': 'same-site' }), [403]],
]

async function ask(request: RawRequest): Promise<RawAnswer> {
  return rawRequest(rig.server, request)
}

describe('the guard', () => {
  it('knows the routes: each is in the OpenAPI document, and nothing else is', async () => {
    const { paths } = (await (await rig.get('/api/openapi.json')).json()) as {
      paths: Record<string, Record<string, unknown>>
    }
    const named = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    )
    const routed = apiRoutes().map(({ method, path }) => `${method} ${path}`)
    expect(named.sort()).toEqual([...new Set(routed)].sort())
    expect(named.length).toBeGreaterThan(9)
  })

  it('lets the token through on every route', async () => {
    for (const { method, path } of apiRoutes()) {
      const headers = { ...bearer(), ...own(), ...(method === 'POST' ? jsonType : {}) }
      const { status } = await ask({
        method,
        path: filled(path),
        headers,
        ...(method === 'POST' ? { body: '{}' } : {}),
      })
      expect([path, [401, 403, 415, 421].includes(status)]).toEqual([path, false])
    }
  })

  it.each(ATTACKS)('answers nothing to %s', async (_name, headers, statuses) => {
    for (const { method, path } of apiRoutes()) {
      const sent = { ...(method === 'POST' ? jsonType : {}), ...headers() }
      const answer = await ask({
        method,
        path: filled(path),
        headers: sent,
        ...(method === 'POST' ? { body: '{}' } : {}),
      })
      expect([method, path, answer.status]).toEqual([
        method,
        path,
        statuses.find((one) => one === answer.status),
      ])
      expect(answer.body).not.toContain('task')
      expect(answer.headers['set-cookie']).toBeUndefined()
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  it('answers nothing without a token, whatever the method', async () => {
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']
    for (const method of methods) {
      for (const { path } of apiRoutes()) {
        const { status, body } = await ask({ method, path: filled(path), headers: jsonType })
        expect([method, path, status]).toEqual([method, path, 401])
        expect(body).not.toContain('task')
      }
    }
  })

  it('takes no form, though it has the token', async () => {
    const types = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain', '']
    for (const type of types) {
      const answer = await ask({
        method: 'POST',
        path: '/api/commands',
        headers: { ...bearer(), 'content-type': type },
        body: JSON.stringify({ key: 'form-post-1', command: { kind: 'pause' } }),
      })
      expect([type, answer.status]).toEqual([type, 415])
    }
    expect((await rig.snapshot()).project.paused).toBeNull()
  })

  it('asks in its order: host before origin before site before token before form', async () => {
    const worst = {
      host: 'evil.example',
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
      'content-type': 'text/plain',
    }
    const statuses: number[] = []
    const left: Record<string, string> = { ...worst }
    for (const better of [
      {},
      { host: `127.0.0.1:${rig.server.port}` },
      { origin: rig.server.url },
      { 'sec-fetch-site': 'same-origin' },
      bearer(),
    ]) {
      Object.assign(left, better)
      statuses.push((await ask({ method: 'POST', path: '/api/commands', headers: left, body: 'x' })).status)
    }
    expect(statuses).toEqual([421, 403, 403, 401, 415])
  })

  it('gives pages without a token, and in them nothing but what was built', async () => {
    for (const path of ['/', '/cases', '/case/task-001', '/index.html']) {
      const { status, body, headers } = await ask({ path })
      expect([path, status, body]).toEqual([path, 200, INDEX])
      expect(headers['content-security-policy']).toContain("default-src 'none'")
      expect(headers['content-security-policy']).not.toContain('unsafe')
    }
    const hashed = await ask({ path: '/assets/app-AbCdEf12.js' })
    expect(hashed.headers['cache-control']).toContain('immutable')
    for (const headers of [
      { host: 'evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
      { origin: 'https://e.example' },
    ]) {
      expect((await ask({ path: '/', headers })).body).not.toContain('<script')
    }
  })

  it('lets a person follow a link to a page, and to nothing else', async () => {
    const followed = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    }
    expect((await ask({ path: '/cases/task-001', headers: followed })).status).toBe(200)
    for (const { method, path } of apiRoutes()) {
      const headers = { ...followed, ...bearer(), ...(method === 'POST' ? jsonType : {}) }
      const body = method === 'POST' ? { body: '{}' } : {}
      expect([path, (await ask({ method, path: filled(path), headers, ...body })).status]).toEqual([
        path,
        403,
      ])
    }
  })

  it('has no other protocol to change to', async () => {
    const upgraded = rawRequest(rig.server, {
      path: '/api/stream',
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'eA==',
      },
    })
    await expect(upgraded).rejects.toThrow()
  })

  it('writes down who asked, and never the token', async () => {
    await ask({ path: `/api/snapshot?token=${rig.token}` })
    const text = JSON.stringify(rig.accesses)
    expect(text).toContain('"peer":"127.0.0.1"')
    expect(text).toContain('/api/snapshot')
    expect(text).not.toContain(rig.token)
    expect(rig.troubles).toEqual([])
  })
})

describe('a request that is too much', () => {
  const post = (body: string) =>
    ask({ method: 'POST', path: '/api/commands', headers: { ...bearer(), ...jsonType }, body })

  it('is refused: a body without end, a header without end, a body that is no JSON', async () => {
    expect((await post(`"${'x'.repeat(600 * 1024)}"`)).status).toBe(413)
    expect((await post('{')).status).toBe(400)
    expect((await post('{"key":"abcdefgh","command":{"kind":"shell","line":"id"}}')).status).toBe(400)
    const { status } = await ask({ path: '/', headers: { 'x-long': 'x'.repeat(20_000) } })
    expect(status).toBe(431)
  })
})
