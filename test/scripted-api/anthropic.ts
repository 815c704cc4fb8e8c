import {
  type Answer,
  type Body,
  bodies,
  type Dialect,
  INPUT_TOKENS,
  OUTPUT_TOKENS,
  pieces,
  sse,
} from './dialect.ts'
import type { ToolUse, Turn } from './script.ts'

/** The Messages interface, with the tool names of claude. */
export const anthropic: Dialect = {
  name: 'anthropic',
  matches: (path) => path.startsWith('/v1/messages'),
  modelOf: (body) => String(body.model ?? ''),
  countTurns(body) {
    if (bodies(body.tools).length === 0) return undefined
    return bodies(body.messages).filter((message) => message.role === 'assistant').length
  },
  answer(turn, body, number, path) {
    if (path.includes('count_tokens')) return json({ input_tokens: INPUT_TOKENS })
    const blocks = blocksOf(turn, number)
    const message = {
      id: `msg_scripted_${number}`,
      type: 'message',
      role: 'assistant',
      model: String(body.model ?? ''),
      stop_sequence: null,
    }
    const stopReason = turn.uses?.length ? 'tool_use' : 'end_turn'
    const usage = { input_tokens: INPUT_TOKENS, output_tokens: OUTPUT_TOKENS }
    if (body.stream !== true) return json({ ...message, content: blocks, stop_reason: stopReason, usage })
    const start = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } }
    const [first = [], ...rest] = blocks.map(framesOf)
    const opening = typed({ type: 'message_start', message: start })
    return {
      contentType: 'text/event-stream',
      head: [opening, ...first.slice(0, 2)],
      rest: [
        ...first.slice(2),
        ...rest.flat(),
        typed({
          type: 'message_delta',
          delta: { stop_reason: stopReason, stop_sequence: null },
          usage: { output_tokens: OUTPUT_TOKENS },
        }),
        typed({ type: 'message_stop' }),
      ],
    }
  },
  errorBody: (status) => ({
    type: 'error',
    error: { type: ERROR_TYPES[status] ?? 'api_error', message: `scripted fault ${status}` },
  }),
  errorFrame: () => typed({ type: 'error', error: { type: 'overloaded_error', message: 'scripted fault' } }),
}

const ERROR_TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

function typed(event: Body & { type: string }): string {
  return sse(event, event.type)
}

function json(value: Body): Answer {
  return { contentType: 'application/json', head: [JSON.stringify(value)], rest: [] }
}

type Block = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: Body }

function blocksOf(turn: Turn, number: number): Block[] {
  const said: Block[] = turn.speech === undefined ? [] : [{ type: 'text', text: turn.speech }]
  const used = (turn.uses ?? []).map((use, i): Block => {
    const { name, input } = claudeTool(use)
    return { type: 'tool_use', id: `toolu_scripted_${number}_${i}`, name, input }
  })
  return [...said, ...used]
}

function framesOf(block: Block, index: number): string[] {
  const empty = block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} }
  const deltas =
    block.type === 'text'
      ? pieces(block.text).map((text) => ({ type: 'text_delta', text }))
      : pieces(JSON.stringify(block.input)).map((part) => ({ type: 'input_json_delta', partial_json: part }))
  return [
    typed({ type: 'content_block_start', index, content_block: empty }),
    ...deltas.map((delta) => typed({ type: 'content_block_delta', index, delta })),
    typed({ type: 'content_block_stop', index }),
  ]
}

function claudeTool(use: ToolUse): { name: string; input: Body } {
  switch (use.tool) {
    case 'write':
      return { name: 'Write', input: { file_path: use.path, content: use.content } }
    case 'shell':
      return { name: 'Bash', input: { command: use.command, description: 'scripted command' } }
    case 'named':
      return { name: use.name, input: use.input }
  }
}
