import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { collect, endOf, messagesOf } from '../../src/agents/driver.contract.ts'
import { commandDriver } from '../../src/agents/drivers/command.ts'
import { startAllowProxy } from '../../src/platform/sandbox/allow-proxy.ts'
import type { Network, SandboxLevel } from '../../src/platform/sandbox/confinement.ts'
import { hostAt, levels, makeRequest, programs } from './agent-host.ts'

/** Tries one address straight, through a tunnel of the proxy, and by a plain request of the proxy. */
const TRY = `
const http = require('node:http'), net = require('node:net')
const [port] = process.argv.slice(1), proxy = process.env.HTTPS_PROXY && new URL(process.env.HTTPS_PROXY)
const straight = () => new Promise((resolve) => {
  const socket = net.connect({ host: '127.0.0.1', port: Number(port) })
  socket.on('connect', () => { socket.destroy(); resolve('reached') }).on('error', () => resolve('refused'))
})
const tunnel = () => new Promise((resolve) => {
  if (!proxy) return resolve('no proxy')
  const request = http.request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: '127.0.0.1:' + port })
  request.on('connect', (answer, socket) => { socket.destroy(); resolve(answer.statusCode) }).on('error', () => resolve('error')).end()
})
const plain = () => new Promise((resolve) => {
  if (!proxy) return resolve('no proxy')
  http.get({ host: proxy.hostname, port: proxy.port, path: 'http://127.0.0.1:' + port + '/' }, (answer) => {
    let text = ''
    answer.on('data', (chunk) => { text += chunk }).on('end', () => resolve(answer.statusCode + text))
  }).on('error', () => resolve('error'))
})
Promise.all([straight(), tunnel(), plain()]).then((results) => { console.log(results.join(' ')); process.exit(3) })
`

const allowed = createServer((_, response) => response.end(' hello'))
const other = createServer((_, response) => response.end(' hello'))
const port = (server: typeof allowed) => (server.address() as AddressInfo).port

beforeAll(async () => {
  for (const server of [allowed, other]) await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  for (const server of [allowed, other]) server.close()
})

async function attempt(level: SandboxLevel, network: Network, server: typeof allowed): Promise<string> {
  const host = hostAt(level, { network })
  const command = ['node', '-e', TRY, String(port(server))]
  const events = await collect(
    await commandDriver(host, { command, folder: programs }).start(await makeRequest()),
  )
  // The forwarder ends as its program ends.
  expect(endOf(events).exitCode).toBe(3)
  return messagesOf(events).join('').trim()
}

describe.each(levels.filter((level) => level !== 'process-group'))('the network at level %s', (level) => {
  it('is the machine’s by default', async () => {
    expect(await attempt(level, { kind: 'host' }, allowed)).toContain('reached')
  })

  it('is none at all with "none"', async () => {
    expect(await attempt(level, { kind: 'none' }, allowed)).toContain('refused')
  })

  it('reaches with "proxy" what is listed, through the proxy, and nothing else', async () => {
    await using proxy = await startAllowProxy([`127.0.0.1:${port(allowed)}`])
    const network = { kind: 'proxy', socket: proxy.socket } as const
    expect(await attempt(level, network, allowed)).toBe('refused 200 200 hello')
    expect(await attempt(level, network, other)).toBe('refused 403 403')
    expect(proxy.refused).toEqual(Array(2).fill(`127.0.0.1:${port(other)}`))
  })

  it('keeps the end of the tree with "proxy"', async () => {
    await using proxy = await startAllowProxy([])
    const host = hostAt(level, { network: { kind: 'proxy', socket: proxy.socket } })
    const script = `trap 'echo graceful; exit 0' TERM; echo up; while :; do sleep 0.1; done`
    const agent = await commandDriver(host, { command: ['sh', '-c', script], folder: programs }).start(
      await makeRequest(),
    )
    let said = ''
    for await (const event of agent.events) {
      if (event.type !== 'speech') continue
      if (said === '') void agent.stop()
      said += event.text
    }
    expect(said).toBe('up\ngraceful\n')
  })
})
