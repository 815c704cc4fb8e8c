import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { Failure, systemCode } from '../platform/failure.ts'
import { type AppOptions, createApp } from './create-app.ts'
import { hostAndPort, hostsOf } from './guard/choose-bind.ts'

const HEADER_BYTES_MAX = 16 * 1024
const HEADERS_MAX = 64
const HEADERS_MS_MAX = 10_000
const REQUEST_MS_MAX = 30_000
const KEEP_ALIVE_MS = 5_000
const CONNECTIONS_MAX = 512

export interface Listening {
  readonly url: string
  readonly port: number
  /** Every route of the router, middleware included. */
  readonly routes: readonly { readonly method: string; readonly path: string }[]
  close(): Promise<void>
}

export interface ListenOptions extends Omit<AppOptions, 'rules'> {
  readonly host: string
  /** Zero means any free port. */
  readonly port: number
  readonly token: string
}

/** Answers at an address until it is closed. */
export async function listen(options: ListenOptions): Promise<Listening> {
  let fetch: ReturnType<typeof createApp>['fetch'] = () => new Response(null, { status: 503 })
  const server = createAdaptorServer({
    fetch: (request, env) => fetch(request, env as HttpBindings),
    overrideGlobalObjects: false,
    serverOptions: { maxHeaderSize: HEADER_BYTES_MAX },
  }) as Server
  limit(server)
  await bind(server, options)
  const { port } = server.address() as AddressInfo
  const app = createApp({ ...options, rules: { hosts: hostsOf(options.host, port), token: options.token } })
  fetch = app.fetch
  return {
    url: `http://${hostAndPort(options.host, port)}`,
    port,
    routes: app.routes.map(({ method, path }) => ({ method, path })),
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function limit(server: Server): void {
  server.maxHeadersCount = HEADERS_MAX
  server.headersTimeout = HEADERS_MS_MAX
  server.requestTimeout = REQUEST_MS_MAX
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.maxConnections = CONNECTIONS_MAX
  // The server supports no protocol upgrade.
  server.on('upgrade', (_request, socket) => socket.destroy())
}

async function bind(server: Server, { host, port }: ListenOptions): Promise<void> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new Failure('SERVER_PORT', `port ${port} of ${host} cannot be used (${systemCode(error)})`, {
      hint: 'name another one with --port, or leave it out for one that is free',
      cause: error,
    })
  }
}
