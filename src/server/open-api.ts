import { z } from 'zod'
import type { Route } from './route.ts'

/** The OpenAPI document of all routes. */
export function describeApi(routes: readonly Route[], version: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'AXIOM',
      version,
      description:
        'Every route wants the bearer token that the server was started with. The types named in the answers are those of src/server/contract.ts. The pages themselves are served without a token: they hold nothing of the project.',
    },
    security: [{ bearer: [] }],
    paths: Object.fromEntries(routes.map((one) => [one.path, { [one.method]: describeRoute(one) }])),
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  }
}

function describeRoute(one: Route): object {
  return {
    summary: one.summary,
    operationId: operationId(one),
    parameters: [...pathParameters(one), ...queryParameters(one)],
    ...(one.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: z.toJSONSchema(one.body, { io: 'input' }) } },
          },
        }
      : {}),
    responses: {
      200: { description: one.answer },
      ...(one.body ? { 400: { description: 'ErrorAnswer: the body is malformed' } } : {}),
      ...(one.body ? { 409: { description: 'CommandAnswer: refused, nothing changed' } } : {}),
      401: { description: 'ErrorAnswer: no valid token' },
      403: { description: 'ErrorAnswer: asked from a foreign page' },
      404: { description: 'ErrorAnswer: there is no such thing' },
      421: { description: 'ErrorAnswer: asked under a foreign name' },
    },
  }
}

function operationId({ method, path }: Route): string {
  const words = path.split(/[^A-Za-z]+/).filter((word) => word !== '' && word !== 'api')
  return [method, ...words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)].join('')
}

function pathParameters({ path, parameters = {} }: Route): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', ...(parameters[name] ? { pattern: parameters[name].source } : {}) },
  }))
}

function queryParameters({ query }: Route): object[] {
  if (!query) return []
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'input' })
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}
