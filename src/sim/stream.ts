import { add, callTotals, costUsd, NOTHING, SIM_MODEL, type Totals, tokensOf } from './ledger.ts'
import { type Random, seededUuid } from './random.ts'

/** The variable parts of the closing event of a turn. */
export interface Closing {
  readonly isError: boolean
  readonly subtype: 'success' | 'error_during_execution'
  readonly terminalReason: string
  readonly text: string
  readonly apiErrorStatus?: number
}

export interface Denial {
  readonly tool_name: string
  readonly tool_use_id: string
  readonly tool_input: unknown
}

/** Speaks claude's stream-json dialect: one JSON object per line. */
export class ClaudeStream {
  readonly session: string
  readonly #write: (text: string) => void
  readonly #flush: () => Promise<void>
  readonly #random: Random
  readonly #earlier: Totals
  readonly #denials: Denial[] = []
  #promptTokens = 0
  #turn: Totals = NOTHING
  #process: Totals = NOTHING
  #calls = 0
  #turnCalls = 0

  constructor(options: {
    readonly session: string
    readonly random: Random
    readonly earlier: Totals
    readonly write: (text: string) => void
    readonly flush: () => Promise<void>
  }) {
    this.session = options.session
    this.#random = options.random
    this.#earlier = options.earlier
    this.#write = options.write
    this.#flush = options.flush
  }

  /** The usage of the whole session, earlier processes included. */
  get totals(): Totals {
    return add(this.#earlier, this.#process)
  }

  beginTurn(facts: { readonly cwd: string; readonly prompt: string; readonly permissionMode: string }): void {
    this.#promptTokens += tokensOf(facts.prompt)
    this.#turn = NOTHING
    this.#turnCalls = 0
    this.event({
      type: 'system',
      subtype: 'init',
      cwd: facts.cwd,
      tools: ['Bash', 'Edit', 'Read', 'Write'],
      mcp_servers: [],
      model: SIM_MODEL,
      permissionMode: facts.permissionMode,
      apiKeySource: 'none',
      claude_code_version: 'axiom-sim',
    })
  }

  speech(text: string): void {
    this.#assistant({ type: 'text', text }, tokensOf(text))
  }

  thought(text: string, extra: Totals): void {
    this.#spend(extra)
    this.#assistant({ type: 'thinking', thinking: text, signature: 'sim' }, tokensOf(text))
  }

  /** Returns the id that the result must name. */
  toolUse(name: string, input: unknown): string {
    const id = `toolu_sim_${this.#identifier()}`
    this.#assistant({ type: 'tool_use', id, name, input }, tokensOf(JSON.stringify(input)))
    return id
  }

  toolResult(id: string, text: string, isError: boolean): void {
    this.event({
      type: 'user',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: text, is_error: isError }],
      },
      parent_tool_use_id: null,
    })
  }

  denied(denial: Denial, message: string): void {
    this.#denials.push(denial)
    this.event({ type: 'system', subtype: 'permission_denied', ...denial, message })
  }

  close(closing: Closing, durationMs: number): void {
    const totals = this.totals
    this.event({
      type: 'result',
      subtype: closing.subtype,
      is_error: closing.isError,
      duration_ms: durationMs,
      duration_api_ms: 0,
      num_turns: this.#turnCalls,
      result: closing.text,
      stop_reason: closing.isError ? null : 'end_turn',
      total_cost_usd: costUsd(totals),
      usage: usageOf(this.#turn),
      modelUsage: { [SIM_MODEL]: modelUsageOf(totals) },
      permission_denials: this.#denials.splice(0),
      terminal_reason: closing.terminalReason,
      api_error_status: closing.apiErrorStatus ?? null,
      ...(closing.isError && closing.subtype !== 'success' ? { errors: [closing.text] } : {}),
    })
  }

  event(fields: Readonly<Record<string, unknown>>): void {
    this.#write(
      `${JSON.stringify({ ...fields, session_id: this.session, uuid: seededUuid(this.#random) })}\n`,
    )
  }

  /** Settles when the reader has read the output; a step with much output must wait for it. */
  flush(): Promise<void> {
    return this.#flush()
  }

  /** Bytes outside the dialect. */
  raw(text: string): void {
    this.#write(text)
  }

  #assistant(block: Readonly<Record<string, unknown>>, outputTokens: number): void {
    this.#spend(callTotals(this.#promptTokens, this.#calls === 0, outputTokens))
    this.#calls += 1
    this.#turnCalls += 1
    this.event({
      type: 'assistant',
      message: {
        id: `msg_sim_${this.#identifier()}`,
        type: 'message',
        role: 'assistant',
        model: SIM_MODEL,
        content: [block],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...usageOf(NOTHING), input_tokens: this.#promptTokens, output_tokens: 1 },
      },
      parent_tool_use_id: null,
    })
  }

  #spend(totals: Totals): void {
    this.#turn = add(this.#turn, totals)
    this.#process = add(this.#process, totals)
  }

  #identifier(): string {
    return seededUuid(this.#random).slice(0, 13)
  }
}

function usageOf(totals: Totals): Record<string, number> {
  return {
    input_tokens: totals.inputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: totals.cachedInputTokens,
    output_tokens: totals.outputTokens,
  }
}

function modelUsageOf(totals: Totals): Record<string, number> {
  return {
    inputTokens: totals.inputTokens,
    outputTokens: totals.outputTokens,
    cacheReadInputTokens: totals.cachedInputTokens,
    cacheCreationInputTokens: 0,
    costUSD: costUsd(totals),
  }
}
