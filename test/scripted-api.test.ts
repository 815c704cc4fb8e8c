import { afterEach, describe, expect, it } from 'vitest'
import { CLOSING_WORDS, type Turn } from './scripted-api/script.ts'
import { type Script, type ScriptedApi, startScriptedApi } from './scripted-api/server.ts'

const TURNS: readonly Turn[] = [
  { speech: 'first words', uses: [{ tool: 'shell', command: 'true' }] },
  { speech: 'second words' },
]
const TOOLS = [{ name: 'anything' }]

let api: ScriptedApi | undefined

afterEach(async () => {
  await api?.close()
  api = undefined
})

async function start(options: Partial<Script> = {}): Promise<ScriptedApi> {
  api = await startScriptedApi({ turns: TURNS, ...options })
  return api
}

async function post(path: string, body: unknown): Promise<Response> {
  return fetch(`${api?.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
}

/** One conversation in each interface in which the model has already spoken once. */
const SPOKEN_ONCE: readonly [string, string, Record<string, unknown>][] = [
  [
    'anthropic',
    '/v1/messages?beta=true',
    { stream: true, messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'user' }] },
  ],
  [
    'responses',
    '/v1/responses',
    {
      input: [
        { role: 'user' },
        { type: 'message', role: 'assistant' },
        { type: 'function_call' },
        { type: 'function_call_output' },
      ],
    },
  ],
  ['chat-completions', '/v1/chat/completions', { messages: [{ role: 'user' }, { role: 'assistant' }] }],
  [
    'gemini',
    '/v1beta/models/m:streamGenerateContent?alt=sse',
    { contents: [{ role: 'user' }, { role: 'model' }, { role: 'user' }] },
  ],
]

/** The words of an answer, whichever interface it is in. */
function speechOf(text: string): string {
  const said = [...text.matchAll(/"(?:text|delta|content)":"((?:[^"\\]|\\.)*)"/g)].map((match) => match[1])
  return said.join('')
}

describe('the scripted model', () => {
  it.each(SPOKEN_ONCE)('finds its turn by what was said before (%s)', async (dialect, path, body) => {
    const { requests } = await start()
    const text = await (await post(path, { ...body, tools: TOOLS })).text()
    expect(speechOf(text)).toContain('second words')
    expect(requests).toMatchObject([{ dialect, turn: 1, number: 0 }])
  })

  it.each(SPOKEN_ONCE)('answers a request without tools with constant words (%s)', async (_, path, body) => {
    const { requests } = await start()
    expect(speechOf(await (await post(path, body)).text())).toContain(CLOSING_WORDS)
    expect(requests[0]?.number).toBeUndefined()
  })

  it.each(SPOKEN_ONCE)('tears its speech over several pieces (%s)', async (_, path, body) => {
    await start({ turns: [{}, { speech: 'DISCOVERY_GLOBAL is torn' }] })
    const text = await (await post(path, { ...body, tools: TOOLS })).text()
    expect(speechOf(text)).toContain('DISCOVERY_GLOBAL is torn')
    const deltas = text.split('data: ').filter((frame) => !/completed|output_item.done/.test(frame))
    expect(deltas.some((frame) => frame.includes('DISCOVERY_GLOBAL is torn'))).toBe(false)
  })

  it('refuses with the status and the waiting time that the script names', async () => {
    await start({ faultFor: () => ({ kind: 'status', status: 429, retryAfterS: 7 }) })
    const answer = await post('/v1/messages', { tools: TOOLS, messages: [] })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7'])
    expect(await answer.json()).toMatchObject({ error: { type: 'rate_limit_error' } })
  })

  it('resets the connection, before the answer or in the middle of it', async () => {
    await start({ faultFor: ({ number }) => ({ kind: number === 0 ? 'reset' : 'reset-in-stream' }) })
    await expect(post('/v1/messages', { tools: TOOLS, messages: [] })).rejects.toThrow()
    await expect(
      post('/v1/messages', { stream: true, tools: TOOLS, messages: [] }).then((answer) => answer.text()),
    ).rejects.toThrow()
  })

  it('breaks a stream off with an error event', async () => {
    await start({ faultFor: () => ({ kind: 'error-in-stream' }) })
    const text = await (await post('/v1/messages', { stream: true, tools: TOOLS, messages: [] })).text()
    expect(text).toContain('overloaded_error')
    expect(text).not.toContain('message_stop')
  })
})
