import { describe, expect, it } from 'vitest'
import type { AgentEnd, AgentEvent, AgentProcess, AgentRequest, Driver } from './driver.ts'

/**
 * The behaviour that every driver must have. A subject provides a driver and, for each scene, a request that
 * makes its program play it; scenes that a program cannot play are absent, with the reason in `without`.
 */
export interface DriverSubject {
  readonly name: string
  readonly driver: Driver
  readonly scenes: Partial<Record<Scene, () => Promise<AgentRequest> | AgentRequest>>
  readonly without: Partial<Record<Scene, string>>
  /** Processes of the scene that are still alive, for example found by a word in their arguments. */
  survivors(): Promise<number>
}

export type Scene =
  /** Says `the work is done` in its last message, and ends. */
  | 'completes'
  /** Uses a tool, then ends. */
  | 'uses-tool'
  /** Never ends by itself; a child of it survives the death of its parent. */
  | 'hangs'
  /** Waits for a second message, answers `heard: <message>`, and ends. */
  | 'listens'
  /** Says `the number is 41` when started, `you said 41` when resumed. */
  | 'remembers'
  /** The model's service answers 429 for ever. */
  | 'rate-limited'
  /** Dies by SIGKILL in the middle. */
  | 'dies'

export async function collect(agent: AgentProcess): Promise<AgentEvent[]> {
  const events: AgentEvent[] = []
  for await (const event of agent.events) events.push(event)
  return events
}

export function endOf(events: readonly AgentEvent[]): AgentEnd {
  const last = events.at(-1)
  if (last?.type !== 'end') throw new Error(`the last event is ${last?.type ?? 'missing'}, not the end`)
  return last
}

/** The text of each message, in order. */
export function messagesOf(events: readonly AgentEvent[]): string[] {
  const messages: string[] = []
  let open: { readonly message: string; text: string } | undefined
  for (const event of events) {
    if (event.type !== 'speech') continue
    open ??= { message: event.message, text: '' }
    if (open.message !== event.message) throw new Error(`${event.message} began before ${open.message} ended`)
    open.text += event.text
    if (!event.ends) continue
    messages.push(open.text)
    open = undefined
  }
  if (open) throw new Error(`a message never ended: ${open.text}`)
  return messages
}

export function driverContract(subject: DriverSubject): void {
  const scene = (name: Scene, behaviour: string, test: (request: AgentRequest) => Promise<void>) => {
    const make = subject.scenes[name]
    if (make) it(behaviour, async () => test(await make()))
    else it(`cannot play "${name}"`, () => expect(subject.without[name]).toBeTypeOf('string'))
  }

  describe(`the ${subject.name} driver`, () => {
    scene('completes', 'speaks in whole messages and ends once, as completed', async (request) => {
      const events = await collect(await subject.driver.start(request))
      expect(messagesOf(events).at(-1)).toContain('the work is done')
      expect(events.filter(({ type }) => type === 'end')).toHaveLength(1)
      expect(endOf(events)).toMatchObject({ reason: 'completed', exitCode: 0 })
      expect(endOf(events).error).toBeUndefined()
    })

    scene('uses-tool', 'pairs each tool result with its call', async (request) => {
      const events = await collect(await subject.driver.start(request))
      const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []))
      const results = events.flatMap((event) => (event.type === 'tool-result' ? [event.call] : []))
      expect(calls.length).toBeGreaterThan(0)
      expect(results).toEqual(calls)
      expect(endOf(events).reason).toBe('completed')
    })

    scene('hangs', 'is stopped with its whole process tree', async (request) => {
      const agent = await subject.driver.start(request)
      await firstSign(agent)
      await agent.stop()
      expect(await agent.ended).toMatchObject({ type: 'end', reason: 'stopped' })
      expect(await subject.survivors()).toBe(0)
    })

    scene('hangs', 'ends as interrupted when interrupted without a message', async (request) => {
      const agent = await subject.driver.start(request)
      await firstSign(agent)
      expect(await agent.interrupt()).toBe(true)
      expect(await agent.ended).toMatchObject({ reason: 'interrupted' })
      expect(await subject.survivors()).toBe(0)
    })

    scene('hangs', 'is stopped by leaving the block that holds it', async (request) => {
      {
        await using agent = await subject.driver.start(request)
        await firstSign(agent)
      }
      expect(await subject.survivors()).toBe(0)
    })

    scene('listens', 'takes a message while it runs', async (request) => {
      const agent = await subject.driver.start(request)
      const reading = collect(agent)
      expect(await agent.send('second thoughts')).toBe(true)
      const events = await reading
      expect(messagesOf(events).join('\n')).toContain('heard: second thoughts')
      expect(endOf(events).reason).toBe('completed')
      expect(await agent.send('too late')).toBe(false)
    })

    scene('remembers', 'goes on with a session and counts only what is new', async (request) => {
      const first = await collect(await subject.driver.start(request))
      const { session } = endOf(first)
      if (!session) throw new Error('the end carries no session')
      const second = await collect(await subject.driver.resume(session, request))
      expect(messagesOf(second).join('\n')).toContain('you said 41')
      expect(Math.abs(costOf(second) - costOf(first))).toBeLessThan(costOf(first) / 2 + 1e-9)
    })

    scene('rate-limited', 'turns a spent quota into waiting', async (request) => {
      const end = endOf(await collect(await subject.driver.start(request)))
      expect(end.reason).toBe('rate-limited')
      expect(end.error).toMatchObject({ retryable: true })
    })

    scene('dies', 'tells a death from an end', async (request) => {
      const events = await collect(await subject.driver.start(request))
      const end = endOf(events)
      // Output before the crash still arrives as whole messages.
      messagesOf(events)
      expect(end.reason).toBe('crashed')
      expect(end.error?.code).toBe('AGENT_CRASHED')
      expect(await subject.survivors()).toBe(0)
    })
  })
}

/** Waits for the first sign that the agent runs; its further events are not read. */
async function firstSign(agent: AgentProcess): Promise<void> {
  const iterator = agent.events[Symbol.asyncIterator]()
  await iterator.next()
  void drain(iterator)
}

async function drain(iterator: AsyncIterator<AgentEvent>): Promise<void> {
  while (!(await iterator.next()).done);
}

function costOf(events: readonly AgentEvent[]): number {
  return events.reduce((sum, event) => sum + (event.type === 'cost' ? event.usd : 0), 0)
}
