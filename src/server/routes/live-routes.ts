import type { CommandDesk } from '../commands/carry-out.ts'
import { commandRequest } from '../commands/command-schema.ts'
import type { Picture } from '../picture/picture.ts'
import { fault, json, type Route, route } from '../route.ts'

/** The holder of the token is the user of the project. */
const PERSON = 'user'

/** The snapshot, the stream of changes, and the commands. */
export function liveRoutes(picture: Picture, desk: CommandDesk): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/snapshot',
      summary: 'Everything that moves, as rows, and the cursor from which the stream goes on.',
      answer: 'Snapshot',
      reply: async () =>
        new Response(picture.snapshot(), { headers: { 'content-type': 'application/json; charset=utf-8' } }),
    }),
    route({
      method: 'get',
      path: '/api/stream',
      summary: 'Server-sent events after the cursor in "Last-Event-ID".',
      answer: 'StreamMessage, one per event',
      reply: async ({ header, cut }) => {
        const body = picture.stream.join(header('last-event-id'), cut)
        return body
          ? new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
          : fault(503, 'SERVER_FULL', 'too many look already', 'close a tab and try again')
      },
    }),
    route({
      method: 'post',
      path: '/api/commands',
      summary: 'Carries out a command of a person, once for each key.',
      body: commandRequest,
      answer: 'CommandAnswer',
      reply: async ({ body: { key, command } }) => {
        const answer = await desk.carryOut(key, PERSON, command)
        return json(answer, answer.kind === 'done' ? 200 : 409)
      },
    }),
  ]
}
