import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentExit, Conclusion, Conversation, Line } from '../conversation.ts'
import type { AgentRequest, PermissionAnswer, Session } from '../driver.ts'
import { JsonLines, type JsonObject, objectOf, textOf } from '../json-lines.ts'
import { ClaudeReader } from './claude-reader.ts'

/** An interrupt is answered in well under a second; after this time the process counts as unresponsive. */
const CONTROL_MAX_MS = 5_000

/** The two-way protocol with claude: messages, interrupts and permissions are JSON lines on stdin. */
export class ClaudeConversation implements Conversation {
  readonly #request: AgentRequest
  readonly #session: Session
  #line: Line | undefined
  #reader: ClaudeReader | undefined
  #lines: JsonLines | undefined
  /** Results that belong to turns which were cut short for another message. */
  #cutTurns = 0
  #open = false
  readonly #asked = new Map<string, () => void>()

  constructor(request: AgentRequest, session: Session) {
    this.#request = request
    this.#session = session
  }

  begin(line: Line): void {
    this.#line = line
    this.#open = true
    const emit = line.emit.bind(line)
    const reader = new ClaudeReader(emit, this.#session)
    this.#reader = reader
    this.#lines = new JsonLines((object, raw) => this.#take(object, raw, reader), emit)
    this.#say(this.#request.prompt)
  }

  push(chunk: Buffer): void {
    this.#lines?.push(chunk)
  }

  flush(): void {
    this.#lines?.flush()
    this.#reader?.finish()
  }

  conclude(exit: AgentExit): Conclusion {
    return this.#reader?.conclude(exit, this.#lines?.understood ?? 0) ?? { reason: 'crashed' }
  }

  send(text: string): boolean {
    if (!this.#open) return false
    this.#say(text)
    return true
  }

  async redirect(text: string): Promise<boolean> {
    if (!this.#open) return false
    this.#cutTurns += 1
    const answered = await this.#control({ subtype: 'interrupt' })
    if (!answered || !this.#open) {
      this.#cutTurns = 0
      return false
    }
    this.#say(text)
    return true
  }

  interrupt(): boolean {
    if (!this.#open) return false
    void this.#control({ subtype: 'interrupt' })
    return true
  }

  #take(object: JsonObject, raw: string, reader: ClaudeReader): void {
    switch (object.type) {
      case 'control_response':
        this.#answered(object)
        break
      case 'control_request':
        void this.#permit(object)
        break
      case 'result':
        reader.take(object, raw)
        this.#turnEnded()
        break
      default:
        reader.take(object, raw)
    }
  }

  /** Closes the input at the end of the turn, so that the process exits; earlier input is still read. */
  #turnEnded(): void {
    if (this.#cutTurns > 0) this.#cutTurns -= 1
    else this.#close()
  }

  #close(): void {
    this.#open = false
    this.#line?.stdin.end()
  }

  #say(text: string): void {
    const content = [{ type: 'text', text }]
    const message = { role: 'user', content }
    this.#write({ type: 'user', message, parent_tool_use_id: null, session_id: 'default' })
  }

  #write(object: JsonObject): void {
    this.#line?.stdin.write(`${JSON.stringify(object)}\n`)
  }

  async #control(request: JsonObject): Promise<boolean> {
    const id = randomUUID()
    const answer = new Promise<boolean>((resolve) => this.#asked.set(id, () => resolve(true)))
    this.#write({ type: 'control_request', request_id: id, request })
    const answered = await Promise.race([answer, sleep(CONTROL_MAX_MS, false, { ref: false })])
    this.#asked.delete(id)
    return answered
  }

  #answered(object: JsonObject): void {
    const id = textOf(objectOf(object.response)?.request_id)
    this.#asked.get(id)?.()
  }

  async #permit(object: JsonObject): Promise<void> {
    const request = objectOf(object.request)
    if (request?.subtype !== 'can_use_tool') return
    const tool = textOf(request.tool_name)
    const answer = await this.#ask(tool, request.input)
    const denied = answer.kind === 'deny' ? answer.reason : undefined
    if (denied !== undefined) this.#line?.emit({ type: 'permission-denied', tool, reason: denied })
    const response =
      denied === undefined
        ? { behavior: 'allow', updatedInput: request.input }
        : { behavior: 'deny', message: denied }
    this.#write({
      type: 'control_response',
      response: { subtype: 'success', request_id: object.request_id, response },
    })
  }

  async #ask(tool: string, input: unknown): Promise<PermissionAnswer> {
    try {
      return (await this.#request.permit?.({ tool, input })) ?? { kind: 'allow' }
    } catch {
      return { kind: 'deny', reason: 'Nobody could be asked.' }
    }
  }
}
