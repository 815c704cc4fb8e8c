import { type AgentErrorCode, classifyError } from '../agent-error.ts'
import type { AgentExit, Conclusion } from '../conversation.ts'
import { type AgentEvent, NO_USAGE, type Session, type Usage } from '../driver.ts'
import { concludeError, judgeSilentEnd, wasKilled } from '../end-of-process.ts'
import { type JsonObject, listOf, numberOf, objectOf, textOf } from '../json-lines.ts'

const RAW_LENGTH_MAX = 2_000

/**
 * Reads claude's stream, one event at a time: what it says, and what its end means. Holds no process, so that
 * all of it can be tested on recorded lines.
 */
export class ClaudeReader {
  readonly #emit: (event: AgentEvent) => void
  #session: string
  #costUsd: number
  #usage: Usage
  #started = false
  #message = ''
  #result: JsonObject | undefined
  #resetAtMs: number | undefined
  readonly #denied = new Set<string>()

  constructor(emit: (event: AgentEvent) => void, session: Session) {
    this.#emit = emit
    this.#session = session.id
    this.#costUsd = session.costUsd
    this.#usage = session.usage
  }

  take(event: JsonObject, raw: string): void {
    // A subagent's messages are tool output, not the agent's speech.
    const kind = event.parent_tool_use_id ? 'stream_event' : event.type
    switch (kind) {
      case 'system':
        this.#system(event)
        break
      case 'assistant':
        this.#assistant(event)
        break
      case 'user':
        this.#user(event)
        break
      case 'result':
        this.#end(event)
        break
      case 'rate_limit_event':
        this.#rateLimit(event)
        break
      case 'stream_event':
        this.#emit({ type: 'activity', what: 'at work' })
        break
      default:
        this.#emit({ type: 'unknown', raw: raw.slice(0, RAW_LENGTH_MAX) })
    }
  }

  /** The stream ended: a message that was cut off counts as complete. */
  finish(): void {
    this.#hush()
  }

  /** Success needs a result, no error and exit code 0: each of them alone has been seen to be wrong. */
  conclude(exit: AgentExit, understood: number): Conclusion {
    const session = this.#started ? { session: this.#sessionNow() } : {}
    const result = this.#result
    if (!result) {
      if (understood === 0 && exit.exitCode === 0)
        return concludeError(
          'AGENT_OUTPUT_INVALID',
          'It ended without a single line that could be understood.',
        )
      const verdict = judgeSilentEnd(exit)
      // An exit with code 0 but without a result is a crash.
      if (exit.exitCode === 0) return { reason: 'crashed', ...concludeCrash(exit), ...session }
      return { ...verdict, ...session }
    }
    if (result.is_error !== false) return { ...this.#failure(result), ...session }
    if (exit.exitCode === 0) return { reason: 'completed', ...session }
    const verdict = judgeSilentEnd(exit)
    return wasKilled(exit)
      ? { ...verdict, ...session }
      : { ...concludeError('AGENT_FAILED', verdict.error?.message ?? ''), ...session }
  }

  #sessionNow(): Session {
    return { id: this.#session, costUsd: this.#costUsd, usage: this.#usage }
  }

  #system(event: JsonObject): void {
    switch (event.subtype) {
      case 'init':
        this.#begin(event)
        break
      case 'api_retry':
        this.#emit({
          type: 'retry',
          attempt: numberOf(event.attempt),
          attemptsMax: numberOf(event.max_retries),
          delayMs: numberOf(event.retry_delay_ms),
          reason: [event.error_status, event.error].filter(Boolean).join(' '),
        })
        break
      case 'permission_denied':
        this.#deny(event)
        break
      default:
        this.#emit({ type: 'activity', what: textOf(event.subtype) })
    }
  }

  /** The init event is sent again at every turn. */
  #begin(event: JsonObject): void {
    this.#session = textOf(event.session_id) || this.#session
    if (this.#started) this.#emit({ type: 'activity', what: 'another turn' })
    else this.#emit({ type: 'started', session: this.#session, model: textOf(event.model) })
    this.#started = true
  }

  #assistant(event: JsonObject): void {
    const message = objectOf(event.message)
    const id = textOf(message?.id) || textOf(event.uuid)
    for (const block of listOf(message?.content)) {
      if (block.type === 'text') this.#speak(id, textOf(block.text))
      else if (block.type === 'tool_use')
        this.#emit({
          type: 'tool-call',
          call: textOf(block.id),
          tool: textOf(block.name),
          input: block.input,
        })
      else this.#emit({ type: 'activity', what: textOf(block.type) })
    }
  }

  #speak(message: string, text: string): void {
    if (this.#message !== message) this.#hush()
    // Blocks of one message are paragraphs, so that a signal at the start of a block starts a line.
    const piece = this.#message === message ? `\n${text}` : text
    this.#message = message
    this.#emit({ type: 'speech', message, text: piece, ends: false })
  }

  #hush(): void {
    if (this.#message === '') return
    this.#emit({ type: 'speech', message: this.#message, text: '', ends: true })
    this.#message = ''
  }

  #user(event: JsonObject): void {
    for (const block of listOf(objectOf(event.message)?.content)) {
      if (block.type !== 'tool_result') continue
      this.#hush()
      const call = textOf(block.tool_use_id)
      this.#emit({ type: 'tool-result', call, text: flatten(block.content), failed: block.is_error === true })
    }
  }

  #rateLimit(event: JsonObject): void {
    const info = objectOf(event.rate_limit_info)
    if (info?.status === 'rejected') {
      this.#resetAtMs = numberOf(info.resetsAt) * 1_000 || undefined
      this.#emit({ type: 'rate-limit', resetAtMs: this.#resetAtMs, reason: textOf(info.rateLimitType) })
    } else this.#emit({ type: 'activity', what: 'rate limit' })
  }

  #deny(event: JsonObject): void {
    const call = textOf(event.tool_use_id)
    if (this.#denied.has(call)) return
    this.#denied.add(call)
    const reason =
      textOf(event.decision_reason) || textOf(event.message) || textOf(event.decision_reason_type)
    this.#emit({ type: 'permission-denied', tool: textOf(event.tool_name), reason })
  }

  /** One process can send several results; their totals cover the session so far. */
  #end(result: JsonObject): void {
    this.#hush()
    this.#result = result
    for (const denial of listOf(result.permission_denials)) this.#deny(denial)
    const usage = usageOf(objectOf(result.usage))
    this.#usage = addUsage(this.#usage, usage)
    if (usage.inputTokens + usage.outputTokens > 0) this.#emit({ type: 'usage', usage })
    const total = numberOf(result.total_cost_usd)
    if (total > this.#costUsd) this.#emit({ type: 'cost', usd: total - this.#costUsd })
    this.#costUsd = Math.max(total, this.#costUsd)
    if (result.is_error === false) return
    const { error, reason } = this.#failure(result)
    if (reason === 'rate-limited' && this.#resetAtMs === undefined)
      this.#emit({
        type: 'rate-limit',
        resetAtMs: resetIn(textOf(result.result)),
        reason: error?.message ?? '',
      })
  }

  #failure(result: JsonObject): Conclusion {
    const message = [textOf(result.result), ...(Array.isArray(result.errors) ? result.errors : [])].join('\n')
    return concludeError(errorCode(result, message), message.trim() || textOf(result.terminal_reason))
  }
}

function concludeCrash(exit: AgentExit): Pick<Conclusion, 'error'> {
  const { error } = judgeSilentEnd({ ...exit, exitCode: undefined, signal: 'nothing: it went away' })
  return error ? { error } : {}
}

const BY_STATUS: Readonly<Record<number, AgentErrorCode>> = {
  401: 'AGENT_LOGGED_OUT',
  403: 'AGENT_LOGGED_OUT',
  404: 'AGENT_MODEL_UNKNOWN',
  429: 'AGENT_RATE_LIMITED',
}

function errorCode(result: JsonObject, message: string): AgentErrorCode {
  const status = numberOf(result.api_error_status)
  const known = BY_STATUS[status]
  if (known) return known
  if (status >= 500) return 'AGENT_OVERLOADED'
  if (result.subtype === 'error_max_turns') return 'AGENT_TURNS_EXCEEDED'
  if (result.subtype === 'error_max_budget_usd') return 'AGENT_BUDGET_EXCEEDED'
  if (result.terminal_reason === 'prompt_too_long') return 'AGENT_PROMPT_TOO_LONG'
  return classifyError(`${message} ${textOf(result.stop_reason)}`)
}

/** A spent subscription gives its reset time in seconds after a bar: `… limit reached|1735689600`. */
function resetIn(text: string): number | undefined {
  const seconds = /limit[^|]{0,80}\|(\d{10})\b/i.exec(text)?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1_000
}

function usageOf(usage: JsonObject | undefined): Usage {
  if (!usage) return NO_USAGE
  const cached = numberOf(usage.cache_read_input_tokens)
  const created = numberOf(usage.cache_creation_input_tokens)
  return {
    inputTokens: numberOf(usage.input_tokens) + cached + created,
    cachedInputTokens: cached,
    outputTokens: numberOf(usage.output_tokens),
  }
}

function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  }
}

function flatten(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((block) => textOf(block.text))
    .join('\n')
}
