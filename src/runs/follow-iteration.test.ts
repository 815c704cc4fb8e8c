import { describe, expect, it } from 'vitest'
import { AXIOM } from '../vocabulary/axiom.ts'
import { followIteration, type Heard } from './follow-iteration.ts'
import { RunControl } from './run-control.ts'
import type { AgentFarewell, AgentNews } from './run-ports.ts'

const bye: AgentFarewell = { type: 'end', reason: 'completed', exitCode: 0 }
const error = (code: string, retryable: boolean) => ({
  code,
  message: 'what it said',
  hint: 'Log in.',
  retryable,
})

async function follow(
  news: readonly AgentNews[],
  farewell = bye,
): Promise<Heard & { seen: string[]; waits: string[] }> {
  const seen: string[] = []
  const waits: string[] = []
  async function* events(): AsyncGenerator<AgentNews> {
    yield* news
  }
  const heard = await followIteration(
    {
      events: events(),
      ended: Promise.resolve(farewell),
      send: () => Promise.resolve(false),
      stop: () => Promise.resolve(),
    },
    { names: AXIOM.signals, role: 'developer', task: 'task-001' },
    {
      onSignal: ({ type, payload }) => seen.push(`${type}:${payload}`),
      onActivity: (activity) => seen.push(activity),
      onServiceWait: (reason) => waits.push(reason),
    },
  )
  return { ...heard, seen, waits }
}
const speech = (text: string, ends = true, message = text): AgentNews => ({
  type: 'speech',
  message,
  text,
  ends,
})

describe('what is heard in an iteration', () => {
  it.each<[string, AgentFarewell, Heard['end']]>([
    ['exit 0', bye, { kind: 'completed' }],
    [
      'another exit code',
      { type: 'end', reason: 'failed', exitCode: 3 },
      { kind: 'failed', reason: 'it ended with exit code 3', needsPerson: false },
    ],
    [
      'an error that may pass',
      { type: 'end', reason: 'failed', exitCode: 1, error: error('AGENT_FAILED', true) },
      { kind: 'failed', reason: 'AGENT_FAILED: what it said', needsPerson: false },
    ],
    [
      'an error that only a person can end',
      { type: 'end', reason: 'failed', exitCode: 1, error: error('AGENT_LOGGED_OUT', false) },
      { kind: 'failed', reason: 'AGENT_LOGGED_OUT: what it said. Log in.', needsPerson: true },
    ],
    [
      'turns that are used up, which is only an end of the iteration',
      { type: 'end', reason: 'failed', exitCode: 1, error: error('AGENT_TURNS_EXCEEDED', true) },
      { kind: 'completed' },
    ],
    [
      'a death',
      { type: 'end', reason: 'crashed', exitCode: undefined, error: error('AGENT_CRASHED', true) },
      { kind: 'crashed', reason: 'AGENT_CRASHED: what it said' },
    ],
    ['a stop', { type: 'end', reason: 'stopped', exitCode: 143 }, { kind: 'stopped' }],
    ['an interruption', { type: 'end', reason: 'interrupted', exitCode: 0 }, { kind: 'stopped' }],
  ])('%s', async (_, farewell, end) => {
    expect((await follow([], farewell)).end).toEqual(end)
  })

  it('a spent quota, with the time of its return', async () => {
    const limit: AgentNews = { type: 'rate-limit', resetAtMs: 41, reason: 'quota' }
    const farewell: AgentFarewell = {
      type: 'end',
      reason: 'rate-limited',
      exitCode: 1,
      error: error('AGENT_RATE_LIMITED', true),
    }
    const { end } = await follow([limit], farewell)
    expect(end).toEqual({ kind: 'rate-limited', reason: 'AGENT_RATE_LIMITED: what it said', resetAtMs: 41 })
  })

  it('is what the agent says, in any pieces, and a verdict only in its last message', async () => {
    const { signals, problems, seen, output } = await follow([
      speech('<axiom>COMPLETE</axiom>'),
      speech('Half.\n<axiom>PROG', false, 'b'),
      speech('RESS:50</axiom>', true, 'b'),
      { type: 'tool-call', tool: 'Bash', input: { command: 'git\n status' } },
      { type: 'tool-result' },
      speech('<axiom>BLOCKED:no key</axiom>'),
    ])
    expect(signals.map(({ type }) => type)).toEqual(['PROGRESS', 'BLOCKED'])
    expect(problems).toMatchObject([{ code: 'SIGNAL_NOT_LAST' }])
    expect(seen).toEqual(['PROGRESS:50', 'Bash: git status', 'BLOCKED:no key'])
    expect(output.startsWith('<axiom>COMPLETE</axiom>\nHalf.')).toBe(true)
  })

  it('sums what was spent, and shows when the program waits by itself', async () => {
    const usage = { inputTokens: 10, cachedInputTokens: 5, outputTokens: 2 }
    const { spent, waits } = await follow([
      { type: 'usage', usage },
      { type: 'cost', usd: 0.5 },
      { type: 'retry', delayMs: 10, reason: 'overloaded' },
      { type: 'usage', usage },
      { type: 'cost', usd: 0.25 },
    ])
    expect(spent).toEqual({
      tokens: { inputTokens: 20, cachedInputTokens: 10, outputTokens: 4 },
      costUsd: 0.75,
    })
    expect(waits).toEqual(['overloaded'])
  })

  it('tells the same words from others, and keeps a bounded end of them', async () => {
    const [a, b, c] = await Promise.all(['x', 'x', 'y'].map((text) => follow([speech(text.repeat(100_000))])))
    expect(a?.outputDigest).toBe(b?.outputDigest)
    expect(a?.outputDigest).not.toBe(c?.outputDigest)
    expect(a?.output.length).toBeLessThanOrEqual(16_000)
  })
})

describe('the control of a run', () => {
  const message = (text: string) => ({ by: 'the person', text })

  it('gives each message to the agent once, in order, and keeps what it cannot take', async () => {
    const control = new RunControl()
    const taken: string[] = []
    {
      await using _ = control.deliverTo(async (text) => {
        if (taken.length === 2) return false
        taken.push(text)
        return true
      })
      for (const text of ['one', 'two', 'three', 'four']) control.tell(message(text))
    }
    expect(taken.map((text) => text.split('\n')[1])).toEqual(['one', 'two'])
    control.tell(message('five'))
    expect(control.takeMessages().map(({ text }) => text)).toEqual(['three', 'four', 'five'])
    expect(control.takeMessages()).toEqual([])
  })

  it('takes no more than its bound', () => {
    const control = new RunControl()
    const answers = Array.from({ length: 101 }, (_, i) => control.tell(message(String(i))))
    expect(answers.lastIndexOf(true)).toBe(99)
    expect(answers.at(-1)).toBe(false)
  })

  it('lets a paused run end when it is stopped', async () => {
    const control = new RunControl()
    control.pause()
    const resumed = control.resumed()
    control.stop()
    await resumed
    expect(control.stopping.aborted).toBe(true)
  })
})
