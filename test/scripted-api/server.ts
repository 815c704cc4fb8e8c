import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { anthropic } from './anthropic.ts'
import { chatCompletions } from './chat-completions.ts'
import { type Answer, type Body, type Dialect, isBody } from './dialect.ts'
import { gemini } from './gemini.ts'
import { responses } from './responses.ts'
import { CLOSING_WORDS, type Fault, type ModelRequest, type Turn } from './script.ts'

const DIALECTS: readonly Dialect[] = [anthropic, responses, chatCompletions, gemini]
const BODY_BYTES_MAX = 16 * 1024 * 1024
const REQUESTS_MAX = 10_000

export interface ScriptedApi extends AsyncDisposable {
  readonly url: string
  /** Every request that was asked of the model, in order of arrival; side requests included. */
  readonly requests: readonly ModelRequest[]
  /** Takes another script for the requests from now on, and forgets the earlier ones. */
  play(script: Script): void
  close(): Promise<void>
}

export interface Script {
  readonly turns: readonly Turn[]
  /** What goes wrong with this request; asked for each request that carries tools. */
  readonly faultFor?: (request: ModelRequest) => Fault | undefined
}

/**
 * A model's interface on the loopback address. It holds no conversation: the turn is found by counting
 * how often the model has spoken in the request, so that retries, resumed and parallel clients need no book-keeping.
 */
export async function startScriptedApi(opening: Script = { turns: [] }): Promise<ScriptedApi> {
  const requests: ModelRequest[] = []
  let script = opening
  const server = createServer((request, response) => {
    answerRequest(script, requests, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  const play = (next: Script): void => {
    script = next
    requests.length = 0
  }
  return { url: `http://127.0.0.1:${port}`, requests, play, close, [Symbol.asyncDispose]: close }
}

async function answerRequest(
  script: Script,
  requests: ModelRequest[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = request.url ?? '/'
  const dialect = DIALECTS.find((candidate) => candidate.matches(new URL(path, 'http://x').pathname))
  if (request.method !== 'POST' || !dialect) {
    response
      .writeHead(request.method === 'HEAD' ? 200 : 404, { 'content-type': 'application/json' })
      .end('{}')
    return
  }
  const body = await readBody(request)
  const turns = dialect.countTurns(body)
  const asked = requests.filter(({ number }) => number !== undefined).length
  const known: ModelRequest = {
    dialect: dialect.name,
    number: turns === undefined ? undefined : asked,
    turn: turns ?? 0,
    model: dialect.modelOf(body, path),
    headers: request.headers,
    body,
    atMs: Date.now(),
  }
  if (requests.length < REQUESTS_MAX) requests.push(known)
  const fault = turns === undefined ? undefined : script.faultFor?.(known)
  const scripted = (turns === undefined ? undefined : script.turns[turns]) ?? { speech: CLOSING_WORDS }
  const turn = scripted.reply ? { ...scripted, speech: scripted.reply(known) } : scripted
  const answer = dialect.answer(turn, body, requests.length, path)
  if (fault) return failRequest(fault, dialect, answer, response)
  response.writeHead(200, { 'content-type': answer.contentType })
  for (const frame of answer.head) response.write(frame)
  if (!turn.stalls?.(known)) response.end(answer.rest.join(''))
}

async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) throw new Error('the request is larger than any client sends')
    chunks.push(chunk)
  }
  const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}')
  return isBody(value) ? value : {}
}

function failRequest(fault: Fault, dialect: Dialect, answer: Answer, response: ServerResponse): void {
  switch (fault.kind) {
    case 'hang':
      return
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'status':
      response
        .writeHead(fault.status, {
          'content-type': 'application/json',
          ...(fault.retryAfterS === undefined ? {} : { 'retry-after': String(fault.retryAfterS) }),
        })
        .end(JSON.stringify(dialect.errorBody(fault.status)))
      return
    case 'error-in-stream':
    case 'reset-in-stream':
      response.writeHead(200, { 'content-type': answer.contentType })
      for (const frame of answer.head) response.write(frame)
      if (fault.kind === 'error-in-stream') response.end(dialect.errorFrame())
      else setImmediate(() => response.socket?.resetAndDestroy())
  }
}
