import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AgentHost } from '../../src/agents/agent-run.ts'
import { collect, driverContract, endOf, messagesOf, type Scene } from '../../src/agents/driver.contract.ts'
import type { AgentRequest, Driver } from '../../src/agents/driver.ts'
import { simDriver } from '../../src/agents/drivers/sim.ts'
import type { Entry } from '../../src/sim/playbook.ts'
import type { Step } from '../../src/sim/step.ts'
import { makeAgentHost } from '../clients/agent-host.ts'
import { countProcessesWith, makeScratch, type Scratch } from '../clients/scratch.ts'

const BUILT = resolve(import.meta.dirname, '../../dist')
const MARKER = `axiom-sim-orphan-${process.pid}`

let host: AgentHost
const scratches: Scratch[] = []

beforeAll(async () => {
  host = await makeAgentHost()
})

afterAll(() => {
  for (const scratch of scratches) scratch.remove()
})

const orphan: Step = { do: 'double-fork', marker: MARKER, seconds: 300 }
const say = (text: string): Step => ({ do: 'say', text })

const SCENES: Record<Scene, readonly Entry[]> = {
  completes: [{ steps: [say('I begin.'), say('Now the work is done, and the work is done well.')] }],
  'uses-tool': [{ steps: [{ do: 'run', command: 'git status --short' }, say('I looked.')] }],
  hangs: [{ steps: [say('I wait.'), orphan, { do: 'ignore-sigterm' }, { do: 'hang' }] }],
  listens: [{ steps: [{ do: 'listen', answer: 'heard: {message}' }] }],
  remembers: [{ resumed: true, steps: [say('you said 41')] }, { steps: [say('the number is 41')] }],
  'rate-limited': [{ steps: [{ do: 'rate-limit', resetInS: 60 }] }],
  dies: [{ steps: [orphan, { do: 'crash' }] }],
}

/** A request whose agent plays these entries. The playbook lies in the workspace, where the agent can read it. */
function stage(entries: readonly Entry[], changes: Partial<AgentRequest> = {}): AgentRequest {
  const scratch = makeScratch()
  scratches.push(scratch)
  const playbook = join(scratch.workspace, '.git', 'playbook.json')
  writeFileSync(playbook, JSON.stringify({ entries }))
  return scratch.request({ environment: { AXIOM_SIM_PLAYBOOK: playbook }, ...changes })
}

const driver: Driver = {
  name: 'sim',
  abilities: { send: true, redirect: true, resume: true, permissions: true },
  start: (request) => simDriver(host, { built: BUILT }).start(request),
  resume: (session, request) => simDriver(host, { built: BUILT }).resume(session, request),
}

driverContract({
  name: 'sim',
  driver,
  scenes: Object.fromEntries(Object.entries(SCENES).map(([scene, entries]) => [scene, () => stage(entries)])),
  without: {},
  survivors: () => Promise.resolve(countProcessesWith(MARKER)),
})

describe('the simulated agent behind its driver', () => {
  it('plays its role without a playbook, and really commits', async () => {
    const scratch = makeScratch()
    scratches.push(scratch)
    const events = await collect(await driver.start(scratch.request({ prompt: '# Task\nAdd a greeting\n' })))
    expect(endOf(events)).toMatchObject({ reason: 'completed' })
    expect(messagesOf(events).at(-1)).toMatch(/<axiom>COMPLETE<\/axiom>$/)
    expect(scratch.subjects()[0]).toBe('feat: Add a greeting #task-001 @echo-001')
  })

  it('is redirected in the middle of its work', async () => {
    const agent = await driver.start(stage([{ steps: [say('I wait.'), { do: 'hang' }] }]))
    const iterator = agent.events[Symbol.asyncIterator]()
    for (let next = await iterator.next(); !next.done && next.value.type !== 'speech'; )
      next = await iterator.next()
    expect(await agent.interrupt('leave that')).toBe(true)
    const heard: string[] = []
    for (let next = await iterator.next(); !next.done; next = await iterator.next())
      if (next.value.type === 'speech') heard.push(next.value.text)
    expect(heard).toContain('heard: leave that')
    expect(await agent.ended).toMatchObject({ reason: 'completed' })
  })

  it('asks before it uses a tool', async () => {
    const permit: AgentRequest['permit'] = async ({ tool }) =>
      tool === 'Bash' ? { kind: 'deny', reason: 'not today' } : { kind: 'allow' }
    const steps: Step[] = [
      { do: 'edit', file: 'a.txt', write: 'x', asks: true },
      { do: 'run', command: 'rm a.txt', asks: true },
    ]
    const request = stage([{ steps }], { permit })
    const events = await collect(await driver.start(request))
    expect(events).toContainEqual({ type: 'permission-denied', tool: 'Bash', reason: 'not today' })
    expect(scratches.at(-1)?.read('a.txt')).toBe('x')
  })

  it('with a broken playbook is a coded failure that names the fault', async () => {
    const request = stage([{ steps: [{ do: 'dance' } as unknown as Step] }])
    const end = endOf(await collect(await driver.start(request)))
    expect(end).toMatchObject({
      reason: 'failed',
      error: { code: 'AGENT_PLAYBOOK_INVALID', retryable: false },
    })
    expect(end.error?.message).toContain('entries[0].steps[0].do must be one of')
  })

  it('that prints binary or breaks its dialect is understood as far as it speaks it', async () => {
    const request = stage([
      { steps: [{ do: 'flood', bytes: 200_000, form: 'binary' }, { do: 'wrong-format' }, say('good again')] },
    ])
    const events = await collect(await driver.start(request))
    expect(messagesOf(events).at(-1)).toBe('good again')
    expect(events.filter(({ type }) => type === 'problem').length).toBeGreaterThan(1)
    expect(endOf(events)).toMatchObject({ reason: 'completed' })
  })

  it('shows overload as retries and a spent quota with the time of its return', async () => {
    const entries: Entry[] = [
      {
        steps: [
          { do: 'overload', attempts: 2, delayMs: 5 },
          { do: 'rate-limit', resetInS: 3_600 },
        ],
      },
    ]
    const before = Date.now()
    const events = await collect(await driver.start(stage(entries)))
    expect(events.filter(({ type }) => type === 'retry')).toHaveLength(3)
    const [limit] = events.flatMap((event) => (event.type === 'rate-limit' ? [event] : []))
    expect((limit?.resetAtMs ?? 0) - before).toBeGreaterThan(3_500_000)
  })

  it('speaks no signal when it shows files and prompts full of them', async () => {
    const events = await collect(await driver.start(stage([{ steps: [{ do: 'spoof' }] }])))
    const results = events.flatMap((event) => (event.type === 'tool-result' ? [event.text] : []))
    expect(results.join('\n')).toContain('<axiom>COMPLETE</axiom>')
    const outsideFences = messagesOf(events).map((text) => text.replace(/```[\s\S]*?```|`[^`]*`/g, ''))
    expect(outsideFences.join('\n')).not.toContain('<axiom>')
  })
})
