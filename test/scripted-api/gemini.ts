import { type Body, bodies, type Dialect, INPUT_TOKENS, OUTPUT_TOKENS, pieces, sse } from './dialect.ts'
import type { ToolUse, Turn } from './script.ts'

/** The generateContent interface, with the tool names of gemini. */
export const gemini: Dialect = {
  name: 'gemini',
  matches: (path) => /\/models\/[^/]+:(stream)?[gG]enerateContent|:countTokens/.test(path),
  modelOf: (_body, path) => /\/models\/([^/:]+):/.exec(path)?.[1] ?? '',
  countTurns(body) {
    if (bodies(body.tools).length === 0) return undefined
    return bodies(body.contents).filter((content) => content.role === 'model').length
  },
  answer(turn, _body, number, path) {
    if (path.includes(':countTokens')) {
      return {
        contentType: 'application/json',
        head: [JSON.stringify({ totalTokens: INPUT_TOKENS })],
        rest: [],
      }
    }
    if (!path.includes(':streamGenerateContent')) {
      const parts = [{ text: turn.speech ?? '' }, ...callsOf(turn)]
      const whole = { ...chunk(parts, number, true), usageMetadata: USAGE }
      return { contentType: 'application/json', head: [JSON.stringify(whole)], rest: [] }
    }
    const [first, ...said] = pieces(turn.speech ?? '').map((text) => sse(chunk([{ text }], number)))
    return {
      contentType: 'text/event-stream',
      head: first === undefined ? [] : [first],
      rest: [...said, sse({ ...chunk(callsOf(turn), number, true), usageMetadata: USAGE })],
    }
  },
  errorBody: (status) => ({
    error: { code: status, message: `scripted fault ${status}`, status: STATUS_NAMES[status] ?? 'INTERNAL' },
  }),
  errorFrame: () => sse({ error: { code: 500, message: 'scripted fault', status: 'INTERNAL' } }),
}

const STATUS_NAMES: Record<number, string> = {
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  401: 'UNAUTHENTICATED',
}

const USAGE = {
  promptTokenCount: INPUT_TOKENS,
  candidatesTokenCount: OUTPUT_TOKENS,
  totalTokenCount: INPUT_TOKENS + OUTPUT_TOKENS,
}

function chunk(parts: Body[], number: number, last = false): Body {
  return {
    responseId: `scripted-${number}`,
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(last ? { finishReason: 'STOP' } : {}) }],
  }
}

function callsOf(turn: Turn): Body[] {
  const calls = (turn.uses ?? []).map((use) => ({ functionCall: geminiTool(use) }))
  return calls.length > 0 ? calls : [{ text: '' }]
}

function geminiTool(use: ToolUse): { name: string; args: Body } {
  switch (use.tool) {
    case 'write':
      return { name: 'write_file', args: { file_path: use.path, content: use.content } }
    case 'shell':
      return { name: 'run_shell_command', args: { command: use.command } }
    case 'named':
      return { name: use.name, args: use.input }
  }
}
