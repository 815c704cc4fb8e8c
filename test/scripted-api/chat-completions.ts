import { type Body, bodies, type Dialect, INPUT_TOKENS, OUTPUT_TOKENS, pieces, sse } from './dialect.ts'
import type { ToolUse, Turn } from './script.ts'

/** The Chat Completions interface, with the tool names of opencode. */
export const chatCompletions: Dialect = {
  name: 'chat-completions',
  matches: (path) => path.endsWith('/chat/completions'),
  modelOf: (body) => String(body.model ?? ''),
  countTurns(body) {
    if (bodies(body.tools).length === 0) return undefined
    return bodies(body.messages).filter((message) => message.role === 'assistant').length
  },
  answer(turn, body, number) {
    const chunk = (delta: Body, reason: string | null = null): string =>
      sse({
        id: `chatcmpl-scripted-${number}`,
        object: 'chat.completion.chunk',
        created: 0,
        model: String(body.model ?? ''),
        choices: [{ index: 0, delta, finish_reason: reason }],
      })
    const [first, ...said] = pieces(turn.speech ?? '').map((content) => chunk({ content }))
    return {
      contentType: 'text/event-stream',
      head: [chunk({ role: 'assistant', content: '' }), ...(first === undefined ? [] : [first])],
      rest: [
        ...said,
        ...callsOf(turn, number).map((call) => chunk({ tool_calls: [call] })),
        chunk({}, turn.uses?.length ? 'tool_calls' : 'stop'),
        usageFrame(number),
        'data: [DONE]\n\n',
      ],
    }
  },
  errorBody: (status) => ({
    error: { message: `scripted fault ${status}`, type: 'server_error', code: status },
  }),
  errorFrame: () => sse({ error: { message: 'scripted fault', type: 'server_error', code: 500 } }),
}

function usageFrame(number: number): string {
  return sse({
    id: `chatcmpl-scripted-${number}`,
    object: 'chat.completion.chunk',
    created: 0,
    choices: [],
    usage: {
      prompt_tokens: INPUT_TOKENS,
      completion_tokens: OUTPUT_TOKENS,
      total_tokens: INPUT_TOKENS + OUTPUT_TOKENS,
    },
  })
}

function callsOf(turn: Turn, number: number): Body[] {
  return (turn.uses ?? []).map((use, index) => {
    const { name, input } = opencodeTool(use)
    const call = { name, arguments: JSON.stringify(input) }
    return { index, id: `call_scripted_${number}_${index}`, type: 'function', function: call }
  })
}

function opencodeTool(use: ToolUse): { name: string; input: Body } {
  switch (use.tool) {
    case 'write':
      return { name: 'write', input: { filePath: use.path, content: use.content } }
    case 'shell':
      return { name: 'bash', input: { command: use.command, description: 'scripted command' } }
    case 'named':
      return { name: use.name, input: use.input }
  }
}
