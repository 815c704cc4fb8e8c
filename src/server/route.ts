import type { z } from 'zod'

/** What a route is asked with, after the guard let it pass and its form was found right. */
export interface RouteRequest<Query, Body> {
  readonly parameters: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
  header(name: string): string | undefined
  /** Given when whoever asked has gone. */
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
  /** The form of each parameter of the path. */
  readonly parameters?: Readonly<Record<string, RegExp>>
  readonly query?: z.ZodType<Query>
  readonly body?: z.ZodType<Body>
  /** The type of the contract that a good answer has. */
  readonly answer: string
  reply(request: RouteRequest<Query, Body>): Promise<Response>
}

/** Keeps the types of one route together while the table forgets them. */
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
