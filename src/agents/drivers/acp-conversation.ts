import { type AnyMessage, type ClientConnection, type ClientContext, client } from '@agentclientprotocol/sdk'
import { agentError, classifyError } from '../agent-error.ts'
import type { AgentExit, Conclusion, Conversation, Line } from '../conversation.ts'
import type { AgentRequest, PermissionAnswer, Session } from '../driver.ts'
import { concludeError, judgeSilentEnd } from '../end-of-process.ts'
import { JsonLines, type JsonObject, listOf, objectOf, textOf } from '../json-lines.ts'
import type { AcpProfile } from './acp-profile.ts'
import { AcpReader } from './acp-reader.ts'

/** The conversation with one agent over the Agent Client Protocol: one session, one prompt after another. */
export class AcpConversation implements Conversation {
  readonly #profile: AcpProfile
  readonly #request: AgentRequest
  readonly #model: string | undefined
  readonly #before: Session
  #session = ''
  #line: Line | undefined
  #lines: JsonLines | undefined
  #reader: AcpReader | undefined
  #incoming: ReadableStreamDefaultController<AnyMessage> | undefined
  #connection: ClientConnection | undefined
  /** Texts that wait for the end of the running turn. */
  readonly #next: string[] = []
  #outcome: Conclusion | undefined
  #cancelled = false

  constructor(profile: AcpProfile, request: AgentRequest, model: string | undefined, before: Session) {
    this.#profile = profile
    this.#request = request
    this.#model = model
    this.#before = before
  }

  begin(line: Line): void {
    this.#line = line
    const reader = new AcpReader(line.emit.bind(line), this.#before)
    this.#reader = reader
    this.#lines = new JsonLines((object) => this.#take(object, reader), line.emit.bind(line))
    const stream = {
      readable: new ReadableStream<AnyMessage>({
        start: (controller) => {
          this.#incoming = controller
        },
      }),
      writable: new WritableStream<AnyMessage>({
        write: (message) => void line.stdin.write(`${JSON.stringify(message)}\n`),
      }),
    }
    this.#connection = client()
      .onRequest('session/request_permission', objectParams, ({ params }) => this.#permit(params))
      // The agent writes its files itself; no process outside the sandbox writes for it.
      .onRequest('fs/write_text_file', objectParams, () => ({}))
      .connect(stream)
    void this.#talk(this.#connection.agent, reader)
  }

  push(chunk: Buffer): void {
    this.#lines?.push(chunk)
  }

  flush(): void {
    this.#lines?.flush()
    this.#reader?.hush()
    this.#connection?.close()
  }

  /** The protocol reports the end of a turn; AXIOM ends the process, so its exit code means nothing. */
  conclude(exit: AgentExit): Conclusion {
    const totals = this.#reader?.totals
    const session =
      this.#profile.resume && this.#session !== '' && totals
        ? { session: { id: this.#session, ...totals } }
        : {}
    return { ...(this.#outcome ?? this.#silentEnd(exit)), ...session }
  }

  #silentEnd(exit: AgentExit): Conclusion {
    const verdict = judgeSilentEnd(exit)
    // Some agents have a launcher that exits with an ordinary code when the agent dies.
    if (this.#session !== '' && (exit.exitCode === 0 || verdict.error?.code === 'AGENT_FAILED'))
      return { reason: 'crashed', error: agentError('AGENT_CRASHED', 'It ended in the middle of a turn.') }
    if (exit.exitCode !== 0) return verdict
    if ((this.#lines?.understood ?? 0) === 0)
      return concludeError('AGENT_OUTPUT_INVALID', 'It ended without a single line that could be understood.')
    return concludeError('AGENT_FAILED', 'It ended before a session was opened.')
  }

  send(text: string): boolean {
    if (this.#outcome) return false
    this.#next.push(text)
    return true
  }

  redirect(text: string): Promise<boolean> {
    if (this.#outcome || this.#session === '') return Promise.resolve(false)
    this.#next.unshift(text)
    return this.#cancel().then(() => true)
  }

  interrupt(): boolean {
    if (this.#session === '') return false
    this.#cancelled = true
    void this.#cancel()
    return true
  }

  async #cancel(): Promise<void> {
    await this.#connection?.agent.notify('session/cancel', { sessionId: this.#session }).catch(() => {})
  }

  async #talk(agent: ClientContext, reader: AcpReader): Promise<void> {
    try {
      await this.#open(agent)
      this.#next.unshift(this.#firstPrompt())
      let reason = ''
      for (let text = this.#next.shift(); text !== undefined && !this.#cancelled; text = this.#next.shift()) {
        const prompt = { sessionId: this.#session, prompt: [{ type: 'text', text }] }
        const response = await ask(agent, 'session/prompt', prompt)
        reader.endTurn(response)
        reason = textOf(response.stopReason)
      }
      this.#outcome = outcomeOf(reason)
    } catch (error) {
      reader.hush()
      this.#outcome = this.#failure(error)
    }
    this.#line?.finish()
  }

  async #open(agent: ClientContext): Promise<void> {
    const { name, mode, model, systemPromptInMeta } = this.#profile
    await ask(agent, 'initialize', {
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    })
    const mcpServers = (this.#request.toolServers ?? []).map(
      ({ command: [program, ...args], ...server }) => ({
        name: server.name,
        command: program,
        args,
        env: Object.entries(server.environment).map(([key, value]) => ({ name: key, value })),
      }),
    )
    const meta = systemPromptInMeta ? { _meta: { systemPrompt: { append: this.#request.systemPrompt } } } : {}
    const place = { cwd: this.#request.workspace, mcpServers, ...meta }
    const loaded = this.#before.id
    const opened =
      loaded === ''
        ? await ask(agent, 'session/new', place)
        : await ask(agent, 'session/load', { sessionId: loaded, ...place })
    this.#session = loaded || textOf(opened.sessionId)
    const sessionId = this.#session
    if (mode !== undefined) await ask(agent, 'session/set_mode', { sessionId, modeId: mode })
    const modelId = this.#model
    if (modelId !== undefined && model === 'set-model')
      await ask(agent, 'session/set_model', { sessionId, modelId })
    if (modelId !== undefined && model === 'config-option')
      await ask(agent, 'session/set_config_option', { sessionId, configId: 'model', value: modelId })
    this.#line?.emit({ type: 'started', session: sessionId, model: modelId ?? name })
  }

  #firstPrompt(): string {
    const { prompt, systemPrompt } = this.#request
    const isNew = this.#before.id === '' && !this.#profile.systemPromptInMeta && systemPrompt !== ''
    return isNew ? `${systemPrompt}\n\n${prompt}` : prompt
  }

  /** Updates are read here, because the library drops those that its own version does not know. */
  #take(message: JsonObject, reader: AcpReader): void {
    if (message.method !== 'session/update') {
      this.#incoming?.enqueue(message as AnyMessage)
      return
    }
    const update = objectOf(objectOf(message.params)?.update)
    // Loading a session replays its history, which is not speech of this run.
    if (update && this.#session !== '') reader.update(update)
  }

  async #permit(params: JsonObject): Promise<JsonObject> {
    const call = objectOf(params.toolCall)
    const tool = textOf(call?.name) || textOf(call?.title) || textOf(call?.kind)
    const answer = await this.#answer(tool, call?.rawInput)
    if (answer.kind === 'deny') this.#line?.emit({ type: 'permission-denied', tool, reason: answer.reason })
    const option = chooseOption(listOf(params.options), answer.kind === 'allow' ? 'allow' : 'reject')
    return { outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' } }
  }

  async #answer(tool: string, input: unknown): Promise<PermissionAnswer> {
    try {
      return (await this.#request.permit?.({ tool, input })) ?? { kind: 'allow' }
    } catch {
      return { kind: 'deny', reason: 'Nobody could be asked.' }
    }
  }

  #failure(error: unknown): Conclusion | undefined {
    // The connection closes when the process exits; the exit itself gives the better reason.
    if (!isProtocolError(error)) return undefined
    const text = `${error.message} ${JSON.stringify(error.data ?? '')}`
    const conclusion = concludeError(classifyError(text), text)
    if (conclusion.reason === 'rate-limited')
      this.#line?.emit({ type: 'rate-limit', resetAtMs: undefined, reason: error.message })
    return conclusion
  }
}

/** `once` before `always`: in an untrusted folder an agent refuses the permission for a whole session. */
function chooseOption(options: readonly JsonObject[], wanted: 'allow' | 'reject'): JsonObject | undefined {
  return (
    options.find(({ kind }) => kind === `${wanted}_once`) ??
    options.find(({ kind }) => textOf(kind).startsWith(wanted))
  )
}

/** The protocol's own types reject unknown fields; a newer agent may send some. */
function objectParams(params: unknown): JsonObject {
  return objectOf(params) ?? {}
}

async function ask(agent: ClientContext, method: string, params: JsonObject): Promise<JsonObject> {
  return objectOf(await agent.request<unknown, JsonObject>(method, params)) ?? {}
}

function isProtocolError(error: unknown): error is Error & { code: number; data?: unknown } {
  return error instanceof Error && 'code' in error && typeof error.code === 'number'
}

function outcomeOf(stopReason: string): Conclusion {
  switch (stopReason) {
    case 'end_turn':
    case 'cancelled':
      return { reason: 'completed' }
    case 'refusal':
      return concludeError('AGENT_REFUSED', 'The model refused the request.')
    case 'max_tokens':
    case 'max_turn_requests':
      return concludeError('AGENT_TURNS_EXCEEDED', stopReason)
    default:
      return concludeError('AGENT_FAILED', `It stopped for a reason nobody knows: ${stopReason}`)
  }
}
