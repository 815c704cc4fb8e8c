import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NO_CREDENTIALS } from '../../src/agents/credentials.ts'
import {
  collect,
  type DriverSubject,
  driverContract,
  endOf,
  messagesOf,
  type Scene,
} from '../../src/agents/driver.contract.ts'
import { acpDriver } from '../../src/agents/drivers/acp.ts'
import { acpProfile } from '../../src/agents/drivers/acp-profile.ts'
import { claudeDriver } from '../../src/agents/drivers/claude.ts'
import { codexDriver } from '../../src/agents/drivers/codex.ts'
import { commandDriver } from '../../src/agents/drivers/command.ts'
import type { SandboxLevel } from '../../src/platform/sandbox/confinement.ts'
import { hostAt, levels, makeRequest, processesWith, programs } from './agent-host.ts'

const NO_TALK = 'the prompt is all that a command hears'

function commandSubject(level: SandboxLevel): DriverSubject {
  const word = randomUUID()
  let scene: Scene = 'completes'
  const driver = (name: Scene) =>
    commandDriver(hostAt(level), {
      command: ['node', join(programs, 'scripted-command.mjs'), name, word],
      folder: programs,
    })
  const play = (name: Scene) => () => {
    scene = name
    return makeRequest()
  }
  return {
    name: `command (${level})`,
    driver: {
      ...driver(scene),
      start: (request) => driver(scene).start(request),
    },
    scenes: { completes: play('completes'), hangs: play('hangs'), dies: play('dies') },
    without: {
      'uses-tool': 'its tools are its own',
      listens: NO_TALK,
      remembers: NO_TALK,
      'rate-limited': 'what it writes to stderr is prose',
    },
    survivors: () => processesWith(word),
  }
}

const scripted = { program: join(programs, 'scripted-claude.mjs'), credentials: NO_CREDENTIALS }

function claudeSubject(level: SandboxLevel): DriverSubject {
  const word = randomUUID()
  const play = (scene: Scene) => () => makeRequest({ prompt: `${scene} ${word}` })
  return {
    name: `claude (${level})`,
    driver: claudeDriver(hostAt(level), scripted),
    scenes: {
      completes: play('completes'),
      'uses-tool': play('uses-tool'),
      hangs: play('hangs'),
      listens: play('listens'),
      remembers: play('remembers'),
      'rate-limited': play('rate-limited'),
      dies: play('dies'),
    },
    without: {},
    survivors: () => processesWith(word),
  }
}

const tightest = 'bwrap'

function codexSubject(): DriverSubject {
  const word = randomUUID()
  const play = (scene: Scene) => () => makeRequest({ prompt: `${scene} ${word}` })
  return {
    name: 'codex',
    driver: codexDriver(hostAt(tightest), {
      program: join(programs, 'scripted-codex.mjs'),
      credentials: NO_CREDENTIALS,
    }),
    scenes: {
      completes: play('completes'),
      'uses-tool': play('uses-tool'),
      hangs: play('hangs'),
      remembers: play('remembers'),
      'rate-limited': play('rate-limited'),
      dies: play('dies'),
    },
    without: { listens: 'its input is closed with the prompt' },
    survivors: () => processesWith(word),
  }
}

function acpSubject(): DriverSubject {
  const word = randomUUID()
  const play = (scene: Scene) => () => makeRequest({ prompt: `${scene} ${word}` })
  const profile = { ...acpProfile('acp', [join(programs, 'scripted-acp.mjs')]), resume: true }
  return {
    name: 'acp',
    driver: acpDriver(hostAt(tightest), { profile, credentials: NO_CREDENTIALS }),
    scenes: {
      completes: play('completes'),
      'uses-tool': play('uses-tool'),
      hangs: play('hangs'),
      listens: play('listens'),
      remembers: play('remembers'),
      'rate-limited': play('rate-limited'),
      dies: play('dies'),
    },
    without: {},
    survivors: () => processesWith(word),
  }
}

for (const level of levels) {
  driverContract(commandSubject(level))
  driverContract(claudeSubject(level))
}
driverContract(codexSubject())
driverContract(acpSubject())

describe('the claude dialect', () => {
  const driver = claudeDriver(hostAt(tightest), scripted)

  it('tells a refused tool and lets the agent go on', async () => {
    const request = await makeRequest({
      prompt: 'uses-tool',
      permit: () => Promise.resolve({ kind: 'deny', reason: 'not on my watch' }),
    })
    const events = await collect(await driver.start(request))
    expect(events).toContainEqual({ type: 'permission-denied', tool: 'Bash', reason: 'not on my watch' })
    expect(events).toContainEqual({ type: 'tool-result', call: 'call-1', text: 'deny', failed: true })
    expect(endOf(events).reason).toBe('completed')
  })

  it('goes on with another message in the same process after an interrupt', async () => {
    const agent = await driver.start(await makeRequest({ prompt: 'listens' }))
    const reading = collect(agent)
    expect(await agent.interrupt('something else')).toBe(true)
    const events = await reading
    expect(messagesOf(events).at(-1)).toBe('heard: something else')
    expect(endOf(events)).toMatchObject({ reason: 'completed', exitCode: 0 })
  })

  it('tells when the quota returns', async () => {
    const events = await collect(await driver.start(await makeRequest({ prompt: 'rate-limited' })))
    expect(events).toContainEqual(expect.objectContaining({ type: 'retry', attempt: 1 }))
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'rate-limit', resetAtMs: 1_900_000_000_000 }),
    )
  })

  it('counts only its own cost, and passes over what it has never heard of', async () => {
    const request = await makeRequest({ prompt: 'remembers' })
    const first = await collect(await driver.start(request))
    const session = endOf(first).session ?? {
      id: '',
      costUsd: 0,
      usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
    }
    expect(session).toMatchObject({ costUsd: 0.01, usage: { inputTokens: 10, outputTokens: 5 } })
    const second = await collect(await driver.resume(session, request))
    expect(second).toContainEqual({ type: 'cost', usd: 0.01 })
    expect(endOf(second).session?.costUsd).toBeCloseTo(0.02)
    expect(second).toContainEqual(expect.objectContaining({ type: 'unknown' }))
  })
})

describe('the other dialects', () => {
  it('count only what a resumed codex session used anew', async () => {
    const { driver, scenes } = codexSubject()
    const request = await makeRequest({ prompt: 'remembers' })
    expect(scenes.remembers).toBeDefined()
    const first = endOf(await collect(await driver.start(request))).session
    if (!first) throw new Error('no session')
    const events = await collect(await driver.resume(first, request))
    const usage = { inputTokens: 1_000, cachedInputTokens: 0, outputTokens: 0 }
    expect(events).toContainEqual({ type: 'usage', usage })
  })

  it('do not take the history of a loaded session for new speech', async () => {
    const { driver } = acpSubject()
    const request = await makeRequest({ prompt: 'remembers' })
    const first = endOf(await collect(await driver.start(request))).session
    if (!first) throw new Error('no session')
    const events = await collect(await driver.resume(first, request))
    expect(messagesOf(events)).toEqual(['you said 41'])
    expect(events).toContainEqual({ type: 'cost', usd: 0.01 })
  })

  it('answer what an agent of the protocol asks, and pass over news from the future', async () => {
    const request = await makeRequest({
      prompt: 'uses-tool',
      permit: () => Promise.resolve({ kind: 'deny', reason: 'no' }),
    })
    const events = await collect(await acpSubject().driver.start(request))
    expect(events).toContainEqual({ type: 'permission-denied', tool: 'Bash', reason: 'no' })
    expect(events).toContainEqual({ type: 'tool-result', call: 'call-1', text: 'no', failed: false })
    expect(events).toContainEqual(expect.objectContaining({ type: 'unknown' }))
  })
})
