import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'

/** A host that may be reached: by name, by name and port, or with all names below it (`*.example.com`). */
export type AllowedHost = string

/** A proxy for programs without network access: it listens on a Unix socket and allows only named hosts. */
export interface AllowProxy extends AsyncDisposable {
  /** The socket's path; it is mounted into the sandbox. */
  readonly socket: string
  /** Refused hosts, newest last, for the report of a run. */
  readonly refused: readonly string[]
}

const USUAL_PORTS = [80, 443]
const REFUSED_MAX = 100
const CONNECT_MAX_MS = 30_000

export async function startAllowProxy(allow: readonly AllowedHost[]): Promise<AllowProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'proxy-'))
  const socket = join(folder, 'proxy.sock')
  const refused: string[] = []
  const permits = (host: string, port: number): boolean => {
    if (isAllowed(allow, host, port)) return true
    refused.push(`${host}:${port}`)
    if (refused.length > REFUSED_MAX) refused.shift()
    return false
  }
  const server = createServer((incoming, response) => forward(incoming, response, permits))
  server.on('connect', (incoming, client, head) => tunnel(incoming, client, head, permits))
  const open = new Set<Socket>()
  server.on('connection', (client: Socket) => {
    open.add(client)
    client.once('close', () => open.delete(client))
  })
  await once(server.listen(socket), 'listening')
  // The folder is private; inside the sandbox another user has to reach the socket.
  await chmod(socket, 0o666)
  return {
    socket,
    refused,
    async [Symbol.asyncDispose]() {
      server.close()
      for (const client of open) client.destroy()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Whether the list contains a host and port. An entry without a port means the usual web ports. Pure. */
export function isAllowed(allow: readonly AllowedHost[], host: string, port: number): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return allow.some((entry) => {
    const [, pattern = '', number] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
    const ports = number === undefined ? USUAL_PORTS : [Number(number)]
    const named = pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern
    return named && ports.includes(port)
  })
}

type Permits = (host: string, port: number) => boolean

/** `CONNECT host:port`: bytes are passed through unread. */
function tunnel(incoming: IncomingMessage, client: Duplex, head: Buffer, permits: Permits): void {
  client.on('error', () => client.destroy())
  const [, host = '', port = ''] = /^\[?([^\]]*?)\]?:(\d+)$/.exec(incoming.url ?? '') ?? []
  if (!permits(host, Number(port))) {
    client.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    return
  }
  const server = connect({ host, port: Number(port) })
  server.setTimeout(CONNECT_MAX_MS, () => server.destroy(new Error('timed out')))
  server.once('connect', () => {
    server.setTimeout(0)
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    server.write(head)
    server.pipe(client).pipe(server)
  })
  server.once('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
  client.once('close', () => server.destroy())
}

/** A plain request with a whole address. */
function forward(incoming: IncomingMessage, response: ServerResponse, permits: Permits): void {
  const url = URL.canParse(incoming.url ?? '') ? new URL(incoming.url ?? '') : undefined
  if (url?.protocol !== 'http:' || !permits(url.hostname, Number(url.port || 80))) {
    response.writeHead(403).end()
    return
  }
  const { 'proxy-connection': _hop, ...headers } = incoming.headers
  const outgoing = requestHttp(
    url,
    { method: incoming.method, headers, timeout: CONNECT_MAX_MS },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    },
  )
  outgoing.once('error', () => {
    if (response.headersSent) response.destroy()
    else response.writeHead(502).end()
  })
  incoming.pipe(outgoing)
}
