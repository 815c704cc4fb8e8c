import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../platform/failure.ts'
import { RotatingLog } from '../platform/process/rotating-log.ts'
import { type ProcessEnd, type SupervisedProcess, supervise } from '../platform/process/supervise.ts'
import type { TreeRecord } from '../platform/process/sweep-tree.ts'
import { confine } from '../platform/sandbox/confine.ts'
import type { Command, Limits, Network, SandboxHost, SandboxLevel } from '../platform/sandbox/confinement.ts'
import { findProgram } from '../platform/sandbox/mount-plan.ts'
import type { Conversation } from './conversation.ts'
import type { AgentEnd, AgentEvent, AgentProcess, AgentRequest } from './driver.ts'
import { EventQueue } from './event-queue.ts'
import type { ProviderLimiter } from './provider-limiter.ts'
import { Redactor } from './redaction.ts'

/** What all agents of one orchestrator share. */
export interface AgentHost {
  readonly sandbox: SandboxHost
  /** As the canary found it. */
  readonly level: SandboxLevel
  readonly masked: readonly string[]
  readonly readOnly: readonly string[]
  readonly readWrite: readonly string[]
  readonly network: Network
  readonly limits: Limits
  /** Values that must never appear in logs or events. */
  readonly secrets: readonly string[]
  readonly stopGraceMs: number
  /** Shared by all agents, so that all of them pause when their provider refuses one. */
  readonly limiter?: ProviderLimiter
  now(): number
  /** How an agent waits until it may start; the system clock's when absent. */
  sleepUntil?(atMs: number, signal: AbortSignal): Promise<void>
}

/** Agents flush their transcript on SIGTERM; killing sooner loses the last signal. */
export const STOP_GRACE_MS = 5_000
/** Time for a program whose protocol has no closing message to notice that its input is closed. */
const FINISH_MAX_MS = 2_000
/** Enough that a burst does not stall the agent, few enough to cost little memory. */
const EVENTS_WAITING_MAX = 256
const WORDS_BYTES_MAX = 4_096

export interface Launch extends Command {
  readonly conversation: Conversation
  readonly readOnly?: readonly string[]
  /** Credentials of this one driver, besides the host's. */
  readonly secrets?: readonly string[]
}

/** Starts a confined, supervised, logged and redacted process, and connects the conversation to it. */
export async function startAgent(
  host: AgentHost,
  request: AgentRequest,
  launch: Launch,
): Promise<AgentProcess> {
  const path = host.sandbox.environment.PATH ?? ''
  if ((await findProgram(launch.program, path, request.workspace)) === undefined)
    throw new Failure('PREREQ_NO_AGENT', `The program "${launch.program}" was not found.`, {
      hint: `Install it, or choose another "agents.driver".`,
    })
  const redactor = new Redactor([...host.secrets, ...(launch.secrets ?? [])])
  const log = await RotatingLog.open(request.logFile)
  try {
    const confined = await confine(
      { ...launch, environment: { ...authorOf(request), ...launch.environment, ...request.environment } },
      await confinementOf(host, request, launch),
      host.level,
      host.sandbox,
    )
    return new AgentRun(await supervise(confined), launch, host, log, redactor)
  } catch (error) {
    await log.close()
    throw error
  }
}

/** The user's git settings are not visible inside, and a commit needs an author. */
function authorOf({ assignment: { agent } }: AgentRequest): Record<string, string> {
  const email = `${agent}@axiom.invalid`
  return {
    GIT_AUTHOR_NAME: agent,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: agent,
    GIT_COMMITTER_EMAIL: email,
  }
}

async function confinementOf(host: AgentHost, request: AgentRequest, launch: Launch) {
  await mkdir(request.folder, { recursive: true, mode: 0o700 })
  return {
    workspace: request.workspace,
    home: join(request.folder, 'home'),
    temporary: join(request.folder, 'temporary'),
    masked: host.masked,
    readOnly: [...host.readOnly, ...(launch.readOnly ?? []), ...(request.readOnly ?? [])],
    readWrite: [...host.readWrite, ...(request.readWrite ?? [])],
    network: host.network,
    limits: host.limits,
  }
}

class AgentRun implements AgentProcess {
  readonly ended: Promise<AgentEnd>
  readonly #running: SupervisedProcess
  readonly #conversation: Conversation
  readonly #host: AgentHost
  readonly #log: RotatingLog
  readonly #redactor: Redactor
  readonly #queue = new EventQueue<AgentEvent>(EVENTS_WAITING_MAX)
  #intent: 'none' | 'interrupt' | 'stop' = 'none'
  #over = false
  #words = ''
  lastSignMs: number

  constructor(
    running: SupervisedProcess,
    { conversation }: Launch,
    host: AgentHost,
    log: RotatingLog,
    redactor: Redactor,
  ) {
    this.#running = running
    this.#conversation = conversation
    this.#host = host
    this.#log = log
    this.#redactor = redactor
    this.lastSignMs = host.now()
    conversation.begin({
      stdin: running.stdin,
      emit: (event) => this.#queue.put(event),
      finish: () => void this.#finish(),
    })
    this.ended = this.#follow()
  }

  get events(): AsyncIterable<AgentEvent> {
    return this.#queue
  }

  get tree(): TreeRecord {
    return this.#running.record
  }

  send(text: string): Promise<boolean> {
    return Promise.resolve(!this.#over && this.#conversation.send(text))
  }

  async interrupt(text?: string): Promise<boolean> {
    if (this.#over) return false
    if (text !== undefined) return this.#conversation.redirect(text)
    this.#intent = 'interrupt'
    // A turn that the protocol cannot end is ended by a signal; a process that ignores both is stopped below.
    if (!this.#conversation.interrupt()) await this.#running.signal('SIGINT')
    await Promise.race([this.ended, sleep(this.#host.stopGraceMs, undefined, { ref: false })])
    await this.#running.stop(this.#host.stopGraceMs)
    await this.ended
    return true
  }

  async stop(): Promise<void> {
    if (this.#intent === 'none') this.#intent = 'stop'
    await this.#running.stop(this.#host.stopGraceMs)
    await this.ended
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  async #finish(): Promise<void> {
    this.#running.stdin.end()
    await Promise.race([this.ended, sleep(FINISH_MAX_MS, undefined, { ref: false })])
    await this.#running.stop(this.#host.stopGraceMs)
  }

  async #follow(): Promise<AgentEnd> {
    const reading = Promise.all([this.#readSpeech(), this.#readWords()])
    const exit = await this.#running.ended
    this.#queue.unbound()
    await reading
    this.#over = true
    const end = this.#judge(exit)
    await this.#log.close().catch(() => {})
    this.#queue.put(end)
    this.#queue.close()
    return end
  }

  async #readSpeech(): Promise<void> {
    for await (const chunk of chunksOf(this.#running.stdout)) {
      const clean = await this.#take(chunk, this.#redactor)
      this.#conversation.push(clean)
      await this.#queue.room()
    }
    const rest = this.#redactor.flush()
    await this.#log.write(rest)
    this.#conversation.push(rest)
    this.#conversation.flush()
  }

  async #readWords(): Promise<void> {
    const redactor = this.#redactor.another()
    for await (const chunk of chunksOf(this.#running.stderr)) this.#hear(await this.#take(chunk, redactor))
    const rest = redactor.flush()
    await this.#log.write(rest)
    this.#hear(rest)
  }

  #hear(words: Buffer): void {
    this.#words = (this.#words + words.toString('utf8')).slice(-WORDS_BYTES_MAX)
  }

  async #take(chunk: Buffer, redactor: Redactor): Promise<Buffer> {
    this.lastSignMs = this.#host.now()
    const clean = redactor.push(chunk)
    await this.#log.write(clean)
    return clean
  }

  #judge(exit: ProcessEnd): AgentEnd {
    const { exitCode, signal } = exit
    const conclusion = this.#conversation.conclude({ exitCode, signal, words: this.#words })
    const session = conclusion.session ? { session: conclusion.session } : {}
    if (this.#intent !== 'none') {
      const reason = this.#intent === 'stop' ? 'stopped' : 'interrupted'
      return { type: 'end', reason, exitCode, signal, ...session }
    }
    return { type: 'end', ...conclusion, exitCode, signal }
  }
}

/** A stream that is destroyed early counts as ended, not as failed. */
async function* chunksOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* stream
  } catch {
    return
  }
}
