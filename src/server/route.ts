import type { z } from 'zod'

/** The input of a route, after the guard admitted the request and its form was validated. */
export interface RouteRequest<Query, Body> {
  readonly parameters: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
  header(name: string): string | undefined
  /** Aborted when the client disconnects. */
  readonly gone: AbortSignal
  /** Cuts the connection at once, without another byte. */
  cut(): void
}

/** One route of the API. The table of them makes the router, the OpenAPI document and the security matrix. */
export interface Route<Query = unknown, Body = unknown> {
  readonly method: 'get' | 'post'
  /** With parameters in braces: `/api/cases/{id}`. */
  readonly path: string
  readonly summary: string
  /** The pattern of each path parameter. */
  readonly parameters?: Readonly<Record<string, RegExp>>
  readonly query?: z.ZodType<Query>
  readonly body?: z.ZodType<Body>
  /** The contract type of a successful answer. */
  readonly answer: string
  reply(request: RouteRequest<Query, Body>): Promise<Response>
}

/** Keeps the types of one route together, although the table erases them. */
export function route<Query, Body>(definition: Route<Query, Body>): Route {
  return definition as unknown as Route
}

export function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
  })
}

export function fault(status: number, code: string, message: string, hint = ''): Response {
  return json({ error: { code, message, hint } }, status)
}
