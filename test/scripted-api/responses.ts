import { type Body, bodies, type Dialect, INPUT_TOKENS, OUTPUT_TOKENS, pieces, sse } from './dialect.ts'
import type { ToolUse, Turn } from './script.ts'

/** The Responses interface, with the tool names of codex. */
export const responses: Dialect = {
  name: 'responses',
  matches: (path) => path.endsWith('/responses'),
  modelOf: (body) => String(body.model ?? ''),
  countTurns(body) {
    if (bodies(body.tools).length === 0) return undefined
    const spoken = bodies(body.input).map(isSpoken)
    return spoken.filter((is, i) => is && !spoken[i - 1]).length
  },
  answer(turn, body, number) {
    const id = `resp_scripted_${number}`
    const items = itemsOf(turn, body, number)
    const usage = {
      input_tokens: INPUT_TOKENS,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: OUTPUT_TOKENS,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: INPUT_TOKENS + OUTPUT_TOKENS,
    }
    const [first = [], ...rest] = items.map(framesOf)
    return {
      contentType: 'text/event-stream',
      head: [
        typed({ type: 'response.created', response: { id, status: 'in_progress', output: [] } }),
        ...first.slice(0, 2),
      ],
      rest: [
        ...first.slice(2),
        ...rest.flat(),
        typed({ type: 'response.completed', response: { id, status: 'completed', output: items, usage } }),
      ],
    }
  },
  errorBody: (status) => ({
    error: { message: `scripted fault ${status}`, type: 'server_error', code: null },
  }),
  errorFrame: () =>
    typed({
      type: 'response.failed',
      response: {
        id: 'resp_scripted',
        status: 'failed',
        error: { code: 'server_error', message: 'scripted fault' },
      },
    }),
}

function typed(event: Body & { type: string }): string {
  return sse(event, event.type)
}

/** Everything the model sends in one answer stands side by side in the next request's input. */
function isSpoken(item: Body): boolean {
  return (
    item.type === 'function_call' ||
    item.type === 'custom_tool_call' ||
    item.type === 'reasoning' ||
    item.role === 'assistant'
  )
}

type Item =
  | { type: 'message'; id: string; role: 'assistant'; status: 'completed'; content: Body[] }
  | {
      type: 'function_call'
      id: string
      call_id: string
      name: string
      arguments: string
      status: 'completed'
    }

function itemsOf(turn: Turn, body: Body, number: number): Item[] {
  const said: Item[] =
    turn.speech === undefined
      ? []
      : [
          {
            type: 'message',
            id: `msg_scripted_${number}`,
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: turn.speech, annotations: [] }],
          },
        ]
  const used = (turn.uses ?? []).map((use, i): Item => {
    const { name, input } = codexTool(use, toolNames(body))
    const id = `call_scripted_${number}_${i}`
    return {
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: JSON.stringify(input),
      status: 'completed',
    }
  })
  return [...said, ...used]
}

function framesOf(item: Item, index: number): string[] {
  const begun = item.type === 'message' ? { ...item, content: [] } : { ...item, arguments: '' }
  const text = item.type === 'message' ? String(item.content[0]?.text ?? '') : ''
  return [
    typed({
      type: 'response.output_item.added',
      output_index: index,
      item: { ...begun, status: 'in_progress' },
    }),
    ...pieces(text).map((delta) =>
      typed({
        type: 'response.output_text.delta',
        output_index: index,
        content_index: 0,
        item_id: item.id,
        delta,
      }),
    ),
    typed({ type: 'response.output_item.done', output_index: index, item }),
  ]
}

function toolNames(body: Body): string[] {
  return bodies(body.tools).map((tool) => String(tool.name ?? ''))
}

/** The shell tool differs between versions and models: the one that was offered is used. */
function codexTool(use: ToolUse, offered: readonly string[]): { name: string; input: Body } {
  switch (use.tool) {
    case 'write':
      return codexTool(
        { tool: 'shell', command: `printf %s ${quote(use.content)} > ${quote(use.path)}` },
        offered,
      )
    case 'shell':
      if (offered.includes('exec_command')) return { name: 'exec_command', input: { cmd: use.command } }
      if (offered.includes('shell_command')) return { name: 'shell_command', input: { command: use.command } }
      return { name: 'shell', input: { command: ['bash', '-lc', use.command] } }
    case 'named':
      return { name: use.name, input: use.input }
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
