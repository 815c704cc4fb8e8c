import type { HttpBindings } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { type Context, Hono } from 'hono'
import type { z } from 'zod'
import { Failure } from '../platform/failure.ts'
import { type GuardRules, judgeRequest } from './guard/judge-request.ts'
import { SAFETY_HEADERS } from './headers.ts'
import { describeApi } from './open-api.ts'
import type { Page, Pages } from './pages.ts'
import { readBody } from './read-body.ts'
import { fault, json, type Route, route } from './route.ts'

/**
 * One line of the access log. It holds no query and no header, because a token may be in either by mistake.
 */
export interface Access {
  readonly at: string
  readonly peer: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly ms: number
}

export interface AppOptions {
  readonly rules: GuardRules
  readonly routes: readonly Route[]
  readonly pages: Pages
  readonly version: string
  readonly now: () => number
  log(access: Access): void
  /** Logs a defect of AXIOM; the client learns only that there was one. */
  logDefect(error: unknown): void
}

type Env = { Bindings: HttpBindings }
type AppContext = Context<Env>

/** The whole request path: guard, then the pages or one route of the table. */
export function createApp(options: AppOptions): Hono<Env> {
  const app = new Hono<Env>()
  app.use('*', async (context, next) => {
    const begunMs = options.now()
    const objection = objectTo(context, options)
    if (objection) context.res = fault(objection.status, objection.code, objection.message, objection.hint)
    else await next()
    for (const [name, value] of Object.entries(SAFETY_HEADERS)) context.res.headers.set(name, value)
    if (!context.res.headers.has('cache-control')) context.res.headers.set('cache-control', 'no-store')
    options.log({
      at: new Date(begunMs).toISOString(),
      peer: peerOf(context),
      method: context.req.method,
      path: context.req.path,
      status: context.res.status,
      ms: options.now() - begunMs,
    })
  })
  const all = [describing(options), ...options.routes]
  for (const one of all) app.on(one.method, honoPath(one), (context) => answer(context, one))
  app.get('*', (context) => {
    const page = options.pages.find(context.req.path)
    return page ? pageAnswer(context, page) : notFound()
  })
  app.notFound(() => notFound())
  app.onError((error) => {
    options.logDefect(error)
    return fault(500, 'BUG', 'this is a defect of AXIOM', 'its log has the details')
  })
  return app
}

function describing({ routes, version }: AppOptions): Route {
  const self: Route = route({
    method: 'get',
    path: '/api/openapi.json',
    summary: 'This document: every route of the API.',
    answer: 'OpenAPI',
    reply: async () => json(describeApi([self, ...routes], version)),
  })
  return self
}

function objectTo(context: AppContext, { rules, pages }: AppOptions) {
  const { req } = context
  const isPage = ['GET', 'HEAD'].includes(req.method) && pages.find(req.path) !== undefined
  const length = req.header('content-length')
  const hasBody = (length !== undefined && length !== '0') || req.header('transfer-encoding') !== undefined
  const asked = {
    method: req.method,
    host: new URL(req.url).host,
    header: (name: string) => req.header(name),
  }
  return judgeRequest(asked, rules, !isPage, hasBody)
}

/** Known failures become answers; a bug is rethrown to where bugs are logged. */
async function answer(context: AppContext, one: Route): Promise<Response> {
  try {
    return await replyTo(context, one)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return fault(STATUS_OF_CODE[error.code] ?? 503, error.code, error.message, error.hint)
  }
}

const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  NotFound: 404,
  SERVER_BODY_TOO_LARGE: 413,
  SERVER_BODY_MALFORMED: 400,
  SERVER_REQUEST_MALFORMED: 400,
}

async function replyTo(context: AppContext, one: Route): Promise<Response> {
  const parameters = context.req.param() as Readonly<Record<string, string>>
  for (const [name, form] of Object.entries(one.parameters ?? {})) {
    if (!form.test(parameters[name] ?? '')) return notFound()
  }
  const query = one.query ? checked(one.query, context.req.query()) : undefined
  const body = one.body ? checked(one.body, await readBody(context.req.raw)) : undefined
  return one.reply({
    parameters,
    query,
    body,
    header: (name) => context.req.header(name),
    gone: context.req.raw.signal,
    cut: () => context.env?.outgoing?.destroy(),
  })
}

function checked(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Failure('SERVER_REQUEST_MALFORMED', faults.join('; '), {
    hint: 'the OpenAPI document says what is expected',
  })
}

function pageAnswer(context: AppContext, page: Page): Response {
  const headers = {
    'content-type': page.type,
    etag: page.etag,
    'cache-control': page.hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
  if (context.req.header('if-none-match') === page.etag) return new Response(null, { status: 304, headers })
  return new Response(page.bytes, { headers })
}

function notFound(): Response {
  return fault(404, 'NotFound', 'there is nothing here', 'the OpenAPI document names every route')
}

function honoPath({ path }: Route): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

/** A request without a socket, as tests make them, has no peer. */
function peerOf(context: AppContext): string {
  return context.env?.incoming ? (getConnInfo(context).remote.address ?? '') : ''
}
