import { classifyError } from '../agent-error.ts'
import type { AgentExit, Conclusion, Conversation, Line } from '../conversation.ts'
import type { Session, Usage } from '../driver.ts'
import { concludeError, judgeSilentEnd } from '../end-of-process.ts'
import { JsonLines, type JsonObject, numberOf, objectOf, textOf } from '../json-lines.ts'

const RAW_LENGTH_MAX = 2_000

/** The protocol of `codex exec --json`: one prompt in, whole items out, session totals at the end. */
export class CodexConversation implements Conversation {
  readonly #prompt: string
  #session: Session
  #line: Line | undefined
  #lines: JsonLines | undefined
  #messages = 0
  #outcome: 'none' | 'completed' | 'failed' = 'none'
  #failure = ''
  readonly #calls = new Set<string>()

  constructor(prompt: string, session: Session) {
    this.#prompt = prompt
    this.#session = session
  }

  begin(line: Line): void {
    this.#line = line
    this.#lines = new JsonLines((object, raw) => this.#take(object, raw), line.emit.bind(line))
    line.stdin.end(this.#prompt)
  }

  push(chunk: Buffer): void {
    this.#lines?.push(chunk)
  }

  flush(): void {
    this.#lines?.flush()
  }

  conclude(exit: AgentExit): Conclusion {
    const session = this.#session.id === '' ? {} : { session: this.#session }
    if (this.#outcome === 'failed')
      return { ...concludeError(classifyError(this.#failure), this.#failure), ...session }
    if (this.#outcome === 'completed' && exit.exitCode === 0) return { reason: 'completed', ...session }
    if (exit.exitCode === 0)
      return { ...concludeError('AGENT_OUTPUT_INVALID', 'It ended without the end of its turn.'), ...session }
    return { ...judgeSilentEnd(exit), ...session }
  }

  send(): boolean {
    return false
  }

  redirect(): Promise<boolean> {
    return Promise.resolve(false)
  }

  interrupt(): boolean {
    return false
  }

  #take(event: JsonObject, raw: string): void {
    switch (event.type) {
      case 'thread.started':
        this.#session = { ...this.#session, id: textOf(event.thread_id) }
        this.#line?.emit({ type: 'started', session: this.#session.id, model: '' })
        break
      case 'turn.started':
      case 'item.updated':
        this.#line?.emit({ type: 'activity', what: textOf(event.type) })
        break
      case 'item.started':
        this.#call(objectOf(event.item) ?? {})
        break
      case 'item.completed':
        this.#item(objectOf(event.item) ?? {})
        break
      case 'turn.completed':
        this.#outcome = 'completed'
        this.#count(objectOf(event.usage))
        break
      case 'turn.failed':
        this.#fail(textOf(objectOf(event.error)?.message))
        break
      case 'error':
        // Also sent while the program retries; only the end of the turn is final.
        this.#line?.emit({ type: 'activity', what: textOf(event.message) })
        break
      default:
        this.#line?.emit({ type: 'unknown', raw: raw.slice(0, RAW_LENGTH_MAX) })
    }
  }

  #item(item: JsonObject): void {
    switch (item.type) {
      case 'agent_message':
        this.#messages += 1
        this.#line?.emit({
          type: 'speech',
          message: textOf(item.id) || `message-${this.#messages}`,
          text: textOf(item.text),
          ends: true,
        })
        break
      case 'command_execution':
      case 'mcp_tool_call':
      case 'file_change':
        this.#call(item)
        this.#line?.emit({
          type: 'tool-result',
          call: textOf(item.id),
          text: textOf(item.aggregated_output) || JSON.stringify(item.result ?? item.changes ?? ''),
          failed: item.status === 'failed' || numberOf(item.exit_code) !== 0,
        })
        break
      default:
        this.#line?.emit({ type: 'activity', what: textOf(item.type) })
    }
  }

  /** Some items are reported only when they are complete. */
  #call(item: JsonObject): void {
    const id = textOf(item.id)
    const tool = TOOLS[textOf(item.type)]
    if (tool === undefined || this.#calls.has(id)) return
    this.#calls.add(id)
    const name = item.type === 'mcp_tool_call' ? `${textOf(item.server)}.${textOf(item.tool)}` : tool
    const input = item.command ?? item.arguments ?? item.changes
    this.#line?.emit({ type: 'tool-call', call: id, tool: name, input })
  }

  #fail(message: string): void {
    this.#outcome = 'failed'
    this.#failure = message
    if (concludeError(classifyError(message), message).reason === 'rate-limited')
      this.#line?.emit({ type: 'rate-limit', resetAtMs: undefined, reason: message })
  }

  #count(usage: JsonObject | undefined): void {
    if (!usage) return
    const total: Usage = {
      inputTokens: numberOf(usage.input_tokens),
      cachedInputTokens: numberOf(usage.cached_input_tokens),
      outputTokens: numberOf(usage.output_tokens),
    }
    this.#line?.emit({ type: 'usage', usage: subtractUsage(total, this.#session.usage) })
    this.#session = { ...this.#session, usage: total }
  }
}

const TOOLS: Readonly<Record<string, string>> = {
  command_execution: 'shell',
  mcp_tool_call: 'mcp',
  file_change: 'edit',
}

/** A session that was compacted may count less than before: then all of it is new. */
function subtractUsage(total: Usage, before: Usage): Usage {
  if (total.inputTokens < before.inputTokens || total.outputTokens < before.outputTokens) return total
  return {
    inputTokens: total.inputTokens - before.inputTokens,
    cachedInputTokens: Math.max(0, total.cachedInputTokens - before.cachedInputTokens),
    outputTokens: total.outputTokens - before.outputTokens,
  }
}
