import { resolve } from 'node:path'
import { z } from 'zod'
import { commandRequest } from '../../src/server/commands/command-schema.ts'
import type { CaseSummary, Delta, LogRange, PersonCommand, Snapshot } from '../../src/server/contract.ts'
import { newToken } from '../../src/server/guard/token.ts'
import { listen } from '../../src/server/listen.ts'
import { loadPages } from '../../src/server/pages.ts'
import { fault, json, type Route, route } from '../../src/server/route.ts'
import { Broadcast } from '../../src/server/stream/broadcast.ts'
import { scriptedDetail, scriptedDiff, scriptedLog } from './scripted-case.ts'
import type { Say } from './scripted-rows.ts'

export const PAGES = resolve(import.meta.dirname, '../../dist-web')

/** The real guard and the real pages over rows that a test wrote; it keeps what it was asked to do. */
export interface ScriptedServer extends AsyncDisposable {
  readonly url: string
  readonly token: string
  readonly commands: readonly PersonCommand[]
  readonly stream: Broadcast
  change(delta: Partial<Omit<Delta, 'type' | 'cursor'>>): void
}

export interface Script {
  readonly rows: () => Omit<Snapshot, 'cursor'>
  readonly say: Say
  /** Reads a log where there is a real one. */
  readonly readLog?: (agents: string, file: string, place: LogPlace) => Promise<LogRange>
}

type LogPlace = { readonly from?: number; readonly before?: number; readonly bytes?: number }

export async function startScripted(script: Script): Promise<ScriptedServer> {
  const stream = new Broadcast('scripted', Date.now)
  const commands: PersonCommand[] = []
  const token = newToken()
  const server = await listen({
    host: '127.0.0.1',
    port: 0,
    token,
    routes: [...liveRoutes(script, stream, commands), ...caseRoutes(script)],
    pages: await loadPages(PAGES),
    version: '0.0.0',
    now: Date.now,
    log: () => undefined,
    logDefect: (error) => {
      throw error
    },
  })
  return {
    url: server.url,
    token,
    commands,
    stream,
    change: ({ project, upserts = {}, removes = {}, events = [] }) =>
      stream.publish(
        JSON.stringify({ ...(project ? { project } : {}), upserts, removes, events }).slice(1, -1),
      ),
    [Symbol.asyncDispose]: async () => {
      stream.close()
      await server.close()
    },
  }
}

function liveRoutes({ rows }: Script, stream: Broadcast, commands: PersonCommand[]): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/snapshot',
      summary: '',
      answer: 'Snapshot',
      reply: async () => json({ ...rows(), cursor: stream.cursor }),
    }),
    route({
      method: 'get',
      path: '/api/stream',
      summary: '',
      answer: 'StreamMessage',
      reply: async ({ header, cut }) => {
        const body = stream.join(header('last-event-id'), cut)
        return body
          ? new Response(body, { headers: { 'content-type': 'text/event-stream' } })
          : fault(503, 'SERVER_FULL', 'too many look already')
      },
    }),
    route({
      method: 'post',
      path: '/api/commands',
      summary: '',
      body: commandRequest,
      answer: 'CommandAnswer',
      reply: async ({ body: { command } }) => {
        commands.push(command as PersonCommand)
        return json({ kind: 'done', message: `Done: ${command.kind}`, cases: [] })
      },
    }),
  ]
}

const ID = /^[a-z]+-\d+$/
const place = z.coerce.number().int().min(0).optional()

function caseRoutes({ rows, say, readLog }: Script): Route[] {
  const find = (id: string): readonly [CaseSummary | undefined, readonly CaseSummary[]] => {
    const { cases } = rows()
    return [cases.find((row) => row.id === id), cases]
  }
  return [
    route({
      method: 'get',
      path: '/api/cases/{id}',
      summary: '',
      parameters: { id: ID },
      answer: 'CaseDetail',
      reply: async ({ parameters: { id = '' } }) => {
        const [summary, all] = find(id)
        return summary ? json(scriptedDetail(summary, all, say)) : fault(404, 'NotFound', `there is no ${id}`)
      },
    }),
    route({
      method: 'get',
      path: '/api/cases/{id}/diff',
      summary: '',
      parameters: { id: ID },
      query: z.object({ commit: z.string().optional() }),
      answer: 'Diff',
      reply: async () => json(scriptedDiff(say)),
    }),
    route({
      method: 'get',
      path: '/api/logs/{agents}/{file}',
      summary: '',
      parameters: { agents: /./, file: /./ },
      query: z.strictObject({ from: place, before: place, bytes: place }),
      answer: 'LogRange',
      reply: async ({ parameters: { agents = '', file = '' }, query }) =>
        json(
          readLog
            ? await readLog(agents, file, query as LogPlace)
            : wholeLog(agents, file, query.from, scriptedLog(say)),
        ),
    }),
  ]
}

function wholeLog(agents: string, file: string, from: number | undefined, text: string): LogRange {
  const bytes = Buffer.byteLength(text)
  return from === undefined
    ? { agents, file, bytes, from: 0, to: bytes, text }
    : { agents, file, bytes, from: bytes, to: bytes, text: '' }
}
