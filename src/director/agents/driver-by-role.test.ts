import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAgentHost } from '../../agents/agent-host.ts'
import { configSchema } from '../../config/schema.ts'
import { systemClock } from '../../platform/clock.ts'
import { chooseLevel, eachProbe } from '../../platform/sandbox/sandbox-report.ts'
import { openDriverByRole } from './driver-by-role.ts'

const held = { level: 'bwrap', works: true, note: '', probes: eachProbe('held') } as const
const report = chooseLevel([held], 'host')
let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'axiom-driver-'))
  mkdirSync(join(root, 'tools'))
  writeFileSync(join(root, 'tools/wrapper'), '#!/bin/sh\n', { mode: 0o755 })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

async function driverFor(agents: object, searchPath = '/nowhere'): Promise<string> {
  const sandbox = { environment: { PATH: searchPath }, home: root }
  const driver = await openDriverByRole({
    host: createAgentHost({ sandbox, report, masked: [], clock: systemClock }, {}),
    report,
    agents: configSchema.parse({ agents }).agents,
    places: { folder: root, built: root },
    searchPath,
    allowUnsandboxed: false,
  })
  return driver.name
}

describe('the program that is configured for a driver', () => {
  it.each([
    ['claude', ['tools/wrapper']],
    ['codex', ['./tools/wrapper']],
    ['command', ['tools/wrapper', '--fast']],
  ])('is what %s is found by: %j', async (driver, command) => {
    expect(await driverFor({ driver, command })).toBe(driver)
    await expect(driverFor({ driver, command: ['tools/nothing'] })).rejects.toMatchObject({
      code: 'PREREQ_NO_AGENT',
    })
  })

  it('is found by its name on the search path, too, and in place of the usual one', async () => {
    expect(await driverFor({ driver: 'claude', command: ['wrapper'] }, join(root, 'tools'))).toBe('claude')
    writeFileSync(join(root, 'tools/claude'), '#!/bin/sh\n', { mode: 0o755 })
    expect(await driverFor({ driver: 'claude' }, join(root, 'tools'))).toBe('claude')
    await expect(
      driverFor({ driver: 'claude', command: ['gone'] }, join(root, 'tools')),
    ).rejects.toMatchObject({ code: 'PREREQ_NO_AGENT' })
  })

  it('is that of its own driver alone: of a fallback, or of a role', async () => {
    const fallback = [{ driver: 'codex', command: ['tools/wrapper'] }]
    expect(await driverFor({ driver: 'claude', fallback })).toBe('codex')
    const bare = [{ driver: 'codex' }]
    await expect(
      driverFor({ driver: 'claude', command: ['tools/nothing'], fallback: bare }),
    ).rejects.toMatchObject({ code: 'PREREQ_NO_AGENT' })
    const roles = { developer: { driver: 'claude', command: ['tools/wrapper'] } }
    expect(await driverFor({ driver: 'sim', roles })).toBe('claude')
  })

  it('makes nothing of "auto", which goes by the names of the programs', async () => {
    const auto = { driver: 'auto', command: ['tools/wrapper'] }
    await expect(driverFor(auto)).rejects.toMatchObject({ code: 'PREREQ_NO_AGENT' })
    writeFileSync(join(root, 'tools/codex'), '#!/bin/sh\n', { mode: 0o755 })
    expect(await driverFor(auto, join(root, 'tools'))).toBe('codex')
  })
})
