import { expect, it } from 'vitest'
import { collect, endOf, messagesOf } from '../../../src/agents/driver.contract.ts'
import type { AgentEvent } from '../../../src/agents/driver.ts'
import type { Fault } from '../../scripted-api/script.ts'
import { until } from '../work-suite.ts'
import { useClaude } from './use-claude.ts'

const client = useClaude()

/** How often the driver lets the program try one call again. */
const RETRIES_MAX = 3
/** The share of calls beyond the budget that a storm may cost. */
const BUDGET_FACTOR = 1.2

const STORM: readonly Fault[] = [
  { kind: 'status', status: 429, retryAfterS: 1 },
  { kind: 'status', status: 500 },
  { kind: 'reset' },
  { kind: 'status', status: 529 },
]

async function run(faultFor: (number: number) => Fault | undefined): Promise<AgentEvent[]> {
  const scratch = client.stage({
    turns: [
      { speech: 'One.', uses: [{ tool: 'shell', command: 'git status' }] },
      { speech: 'Two.', uses: [{ tool: 'shell', command: 'git status' }] },
      { speech: 'Three: the work is done.' },
    ],
    faultFor: ({ number }) => (number === undefined ? undefined : faultFor(number)),
  })
  return collect(await client.driver.start(scratch.request()))
}

it('works through a service that fails every other call, at no more calls than faults and answers', async () => {
  const events = await run((number) => (number % 2 === 0 ? STORM[(number / 2) % STORM.length] : undefined))
  expect(messagesOf(events).at(-1)).toBe('Three: the work is done.')
  expect(endOf(events).reason).toBe('completed')
  expect(client.api.requests.length).toBeLessThanOrEqual(Math.floor(6 * BUDGET_FACTOR))
  expect(events.filter(({ type }) => type === 'retry').length).toBeGreaterThanOrEqual(2)
})

it.each([
  ['429', { kind: 'status', status: 429, retryAfterS: 1 }],
  ['500', { kind: 'status', status: 500 }],
  ['529', { kind: 'status', status: 529 }],
  ['reset', { kind: 'reset' }],
] as const)(
  'gives up within its budget when every call ends in %s, and may be tried later',
  async (_, fault) => {
    const events = await run(() => fault)
    const calls = client.api.requests.length
    expect(endOf(events)).toMatchObject({ error: { retryable: true } })
    expect(endOf(events).reason).toBe(fault.kind === 'reset' ? 'failed' : 'rate-limited')
    expect(calls).toBeLessThanOrEqual(Math.floor((1 + RETRIES_MAX) * BUDGET_FACTOR))
    expect(calls).toBeGreaterThan(1)
  },
)

it.each([
  ['an error in the stream', { kind: 'error-in-stream' }],
  ['a connection reset in the stream', { kind: 'reset-in-stream' }],
] as const)('survives %s', async (_, fault) => {
  const events = await run((number) => (number === 1 ? fault : undefined))
  expect(endOf(events).reason).toBe('completed')
  expect(client.api.requests.length).toBeLessThanOrEqual(6)
})

it('never asks again what was refused for good', async () => {
  const events = await run(() => ({ kind: 'status', status: 403 }))
  expect(endOf(events).reason).toBe('failed')
  expect(client.api.requests).toHaveLength(1)
})

it('never asks the same again when the request was wrong, though the program leaves out what may be new', async () => {
  const events = await run(() => ({ kind: 'status', status: 400 }))
  expect(endOf(events)).toMatchObject({ reason: 'failed' })
  const asked = client.api.requests.map(({ headers, body }) =>
    JSON.stringify([headers['anthropic-beta'], body]),
  )
  expect(new Set(asked).size).toBe(asked.length)
  expect(asked.length).toBeLessThanOrEqual(1 + RETRIES_MAX)
})

it('is stopped while the service does not answer at all', async () => {
  const scratch = client.stage({ turns: [], faultFor: () => ({ kind: 'hang' }) })
  const agent = await client.driver.start(scratch.request())
  const reading = collect(agent)
  await until(() => client.api.requests.length > 0)
  await agent.stop()
  expect(endOf(await reading).reason).toBe('stopped')
  expect(client.api.requests).toHaveLength(1)
})
