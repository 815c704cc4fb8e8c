import type { TreeRecord } from '../platform/process/sweep-tree.ts'
import { agentError } from './agent-error.ts'
import type { AgentEnd, AgentEvent, AgentProcess, AgentRequest, Driver, Session } from './driver.ts'
import type { Permit, ProviderLimiter, ProviderOutcome } from './provider-limiter.ts'

export interface LimiterClock {
  now(): number
  sleepUntil(atMs: number, signal: AbortSignal): Promise<void>
}

/** An agent that got the answer "soon" this often is refused with a wait, like one at a closed provider. */
const SHORT_WAITS_MAX = 60
const COME_BACK_MS = 5_000

/**
 * A driver that starts agents only when the limiter permits it. An agent that may not start ends as if its
 * quota were spent, with the time of the reset: the run keeps its place, waits, and counts no attempt. No
 * process is started.
 */
export function limitDriver(driver: Driver, limiter: ProviderLimiter, clock: LimiterClock): Driver {
  const permitted = async (start: () => Promise<AgentProcess>): Promise<AgentProcess> => {
    const permission = await askPatiently(driver.name, limiter, clock)
    if (permission.kind === 'closed') return refusedAgent(driver.name, permission.untilMs, clock.now())
    const { permit } = permission
    const tell = (outcome: ProviderOutcome): void => limiter.report(permit, outcome, clock.now())
    try {
      return new WatchedAgent(await start(), tell)
    } catch (error) {
      tell({ kind: 'unknown' })
      throw error
    }
  }
  return {
    name: driver.name,
    abilities: driver.abilities,
    start: (request: AgentRequest) => permitted(() => driver.start(request)),
    resume: (session: Session, request: AgentRequest) => permitted(() => driver.resume(session, request)),
  }
}

async function askPatiently(
  provider: string,
  limiter: ProviderLimiter,
  clock: LimiterClock,
): Promise<{ kind: 'start'; permit: Permit } | { kind: 'closed'; untilMs: number }> {
  for (let waits = 0; waits < SHORT_WAITS_MAX; waits += 1) {
    const permission = limiter.mayStart(provider, clock.now())
    if (permission.kind !== 'soon') return permission
    await clock.sleepUntil(permission.atMs, new AbortController().signal)
  }
  return { kind: 'closed', untilMs: clock.now() + COME_BACK_MS }
}

/** Reports the provider's answer to an agent as soon as an event shows it. */
class WatchedAgent implements AgentProcess {
  readonly ended: Promise<AgentEnd>
  readonly #agent: AgentProcess
  readonly #tell: (outcome: ProviderOutcome) => void
  #resetAtMs: number | undefined
  #wasAnswered = false

  constructor(agent: AgentProcess, tell: (outcome: ProviderOutcome) => void) {
    this.#agent = agent
    this.#tell = tell
    this.ended = agent.ended.then((end) => {
      tell(this.#outcomeOf(end))
      return end
    })
  }

  get events(): AsyncIterable<AgentEvent> {
    return this.#listen()
  }

  get lastSignMs(): number {
    return this.#agent.lastSignMs
  }

  get tree(): AgentProcess['tree'] {
    return this.#agent.tree
  }

  send(text: string): Promise<boolean> {
    return this.#agent.send(text)
  }

  interrupt(text?: string): Promise<boolean> {
    return this.#agent.interrupt(text)
  }

  stop(): Promise<void> {
    return this.#agent.stop()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  async *#listen(): AsyncGenerator<AgentEvent, void, undefined> {
    for await (const event of this.#agent.events) {
      if (event.type === 'retry') this.#tell({ kind: 'refused' })
      if (event.type === 'rate-limit') this.#resetAtMs = event.resetAtMs
      if (event.type === 'speech' || event.type === 'tool-call') this.#noteAnswer()
      yield event
    }
  }

  #noteAnswer(): void {
    if (!this.#wasAnswered) this.#tell({ kind: 'answered' })
    this.#wasAnswered = true
  }

  #outcomeOf({ reason, error }: AgentEnd): ProviderOutcome {
    if (reason === 'rate-limited' || error?.code === 'AGENT_UNREACHABLE')
      return { kind: 'refused', resetAtMs: this.#resetAtMs }
    return { kind: reason === 'completed' ? 'answered' : 'unknown' }
  }
}

/** Matches no process: an agent that was refused has none. */
const NO_TREE: TreeRecord = { pid: -1, startTicks: Number.MAX_SAFE_INTEGER, marker: 'never started' }

/** An agent without a process: its only event says when to try again. */
function refusedAgent(provider: string, untilMs: number, nowMs: number): AgentProcess {
  const reason = `${provider} is left alone for a while, because it refused other agents`
  const error = agentError('AGENT_RATE_LIMITED', reason)
  const end: AgentEnd = { type: 'end', reason: 'rate-limited', exitCode: undefined, signal: undefined, error }
  return {
    events: inOrder([{ type: 'rate-limit', resetAtMs: untilMs, reason }, end]),
    ended: Promise.resolve(end),
    lastSignMs: nowMs,
    tree: NO_TREE,
    send: () => Promise.resolve(false),
    interrupt: () => Promise.resolve(false),
    stop: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

async function* inOrder(events: readonly AgentEvent[]): AsyncGenerator<AgentEvent, void, undefined> {
  yield* events
}
