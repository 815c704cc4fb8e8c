import { describe, expect, it } from 'vitest'
import { systemClock } from '../platform/clock.ts'
import { chooseLevel, eachProbe } from '../platform/sandbox/sandbox-report.ts'
import { createAgentHost, requireSandbox } from './agent-host.ts'
import { isInstalled, openDriver } from './open-driver.ts'

const held = { level: 'bwrap', works: true, note: '', probes: eachProbe('held') } as const
const open = {
  level: 'process-group',
  works: true,
  note: 'not refused: all',
  probes: eachProbe('open'),
} as const

describe('agents without a sandbox', () => {
  it.each([
    ['claude', false, true],
    ['claude', true, false],
    ['sim', false, false],
  ])('of the driver %s, consent %s: refused %s', (driver, consent, refused) => {
    const act = () => requireSandbox(chooseLevel([open], 'host'), driver, consent)
    if (refused) expect(act).toThrow(expect.objectContaining({ code: 'SANDBOX_MISSING' }))
    else expect(act).not.toThrow()
  })

  it('need no consent where one holds', () => {
    expect(() => requireSandbox(chooseLevel([held], 'host'), 'claude', false)).not.toThrow()
  })
})

describe('the host of agents', () => {
  const sandbox = { environment: { API_TOKEN: 'a-secret-of-the-user', EDITOR: 'vi' }, home: '/nowhere' }
  const facts = { sandbox, report: chooseLevel([held], 'host'), masked: ['/repository'], clock: systemClock }

  it('takes level, network and limits from what was found and configured, and knows the secrets', () => {
    const settings = { network: 'proxy', allow: ['a.example'], limits: { processesMax: 7 } } as const
    const host = createAgentHost({ ...facts, proxySocket: '/x.sock' }, settings)
    expect(host).toMatchObject({
      level: 'bwrap',
      network: { kind: 'proxy', socket: '/x.sock' },
      limits: { processesMax: 7 },
      secrets: ['a-secret-of-the-user'],
    })
  })

  it('refuses a narrow network that it cannot make', () => {
    const code = 'SANDBOX_NETWORK_UNSUPPORTED'
    expect(() => createAgentHost(facts, { network: 'proxy' })).toThrow(expect.objectContaining({ code }))
  })

  it('opens each driver by its name, and says which there are', async () => {
    const host = createAgentHost(facts, {})
    const places = { folder: '/', built: '/' }
    for (const driver of ['claude', 'codex', 'gemini', 'opencode', 'acp', 'command', 'sim'])
      expect((await openDriver(host, { driver }, places)).name).toBe(driver)
    await expect(openDriver(host, { driver: 'clod' }, places)).rejects.toMatchObject({
      code: 'AGENT_DRIVER_UNKNOWN',
      hint: expect.stringContaining('claude'),
    })
  })

  it('knows which programs are on the machine', async () => {
    const there = (choice: { driver: string; command?: string[] }) =>
      isInstalled(choice, '/usr/bin:/bin', '/')
    expect(await there({ driver: 'sim' })).toBe(true)
    expect(await there({ driver: 'command', command: ['sh', '-c', 'true'] })).toBe(true)
    expect(await there({ driver: 'command', command: ['no-such-program'] })).toBe(false)
    expect(await there({ driver: 'claude', command: ['usr/bin/env'] })).toBe(true)
    expect(await there({ driver: 'claude', command: ['no-such-program'] })).toBe(false)
    expect(await there({ driver: 'gemini', command: ['sh'] })).toBe(false)
  })
})
