import type { AgentEvent, Session, Usage } from '../driver.ts'
import { type JsonObject, listOf, numberOf, objectOf, textOf } from '../json-lines.ts'

const RAW_LENGTH_MAX = 2_000

/** Turns the updates of an Agent Client Protocol session into events. Holds no connection. */
export class AcpReader {
  readonly #emit: (event: AgentEvent) => void
  #costUsd: number
  #usage: Usage
  #message = ''
  #messages = 0
  readonly #calls = new Set<string>()

  constructor(emit: (event: AgentEvent) => void, session: Session) {
    this.#emit = emit
    this.#costUsd = session.costUsd
    this.#usage = session.usage
  }

  get totals(): Pick<Session, 'costUsd' | 'usage'> {
    return { costUsd: this.#costUsd, usage: this.#usage }
  }

  update(update: JsonObject): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        this.#speak(textOf(update.messageId), textOf(objectOf(update.content)?.text))
        break
      case 'tool_call':
        this.#call(update)
        break
      case 'tool_call_update':
        this.#call(update)
        this.#result(update)
        break
      case 'usage_update':
        this.#cost(objectOf(update.cost))
        break
      case 'user_message_chunk':
      case 'agent_thought_chunk':
      case 'plan':
      case 'available_commands_update':
      case 'current_mode_update':
      case 'config_option_update':
      case 'session_info_update':
        this.#emit({ type: 'activity', what: textOf(update.sessionUpdate) })
        break
      default:
        this.#emit({ type: 'unknown', raw: JSON.stringify(update).slice(0, RAW_LENGTH_MAX) })
    }
  }

  /** The turn is over: completes its last message and counts its usage. */
  endTurn(response: JsonObject): void {
    this.hush()
    const quota = objectOf(objectOf(objectOf(response._meta)?.quota)?.token_count)
    const usage = objectOf(response.usage)
    const used: Usage = {
      inputTokens: numberOf(usage?.inputTokens) || numberOf(quota?.input_tokens),
      cachedInputTokens: numberOf(usage?.cachedReadTokens),
      outputTokens: numberOf(usage?.outputTokens) || numberOf(quota?.output_tokens),
    }
    if (used.inputTokens + used.outputTokens > 0) this.#emit({ type: 'usage', usage: used })
  }

  /** Ends the current message. Chunks without an id belong together until another kind of update arrives. */
  hush(): void {
    if (this.#message === '') return
    this.#emit({ type: 'speech', message: this.#message, text: '', ends: true })
    this.#message = ''
  }

  #speak(id: string, text: string): void {
    if (this.#message !== '' && id !== '' && this.#message !== id) this.hush()
    if (this.#message === '') {
      this.#messages += 1
      this.#message = id || `message-${this.#messages}`
    }
    this.#emit({ type: 'speech', message: this.#message, text, ends: false })
  }

  #call(update: JsonObject): void {
    const call = textOf(update.toolCallId)
    if (this.#calls.has(call)) return
    this.hush()
    this.#calls.add(call)
    const tool = textOf(update.name) || textOf(update.title) || textOf(update.kind)
    this.#emit({ type: 'tool-call', call, tool, input: update.rawInput })
  }

  #result(update: JsonObject): void {
    if (update.status !== 'completed' && update.status !== 'failed') return
    const text = listOf(update.content)
      .map((part) => textOf(objectOf(part.content)?.text))
      .join('\n')
    this.#emit({
      type: 'tool-result',
      call: textOf(update.toolCallId),
      text,
      failed: update.status === 'failed',
    })
  }

  /** The protocol counts the cost of the whole session. */
  #cost(cost: JsonObject | undefined): void {
    if (cost?.currency !== 'USD') return
    const total = numberOf(cost.amount)
    if (total > this.#costUsd) this.#emit({ type: 'cost', usd: total - this.#costUsd })
    this.#costUsd = Math.max(this.#costUsd, total)
  }
}
