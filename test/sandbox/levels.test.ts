import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { probeSandbox } from '../../src/platform/sandbox/probe-sandbox.ts'
import type { LevelReport } from '../../src/platform/sandbox/sandbox-report.ts'
import { levels, machine, makeFolder } from './agent-host.ts'

const HELD = ['write-outside', 'read-secret', 'read-environment', 'outlive', 'be-root'] as const

/** A machine whose first `name` in PATH is this shell script. */
async function machineWith(scripts: Record<string, string>) {
  const folder = join(await makeFolder(), 'bin')
  await mkdir(folder)
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`)
    await chmod(join(folder, name), 0o755)
  }
  return { environment: { ...process.env, PATH: `${folder}:${process.env.PATH}` }, home: homedir() }
}

const MISSING = 'echo "not installed" >&2; exit 127'
/** Runs its program with no confinement at all. */
const LYING = 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"'

function at(tried: readonly LevelReport[], level: string): LevelReport | undefined {
  return tried.find((report) => report.level === level)
}

describe('F25: the level that is reported', () => {
  beforeAll(() => expect(levels.length).toBeGreaterThan(0))

  it('is what the canary found, at every level of this machine', () => {
    for (const { level, probes } of machine.tried.filter(({ works }) => works)) {
      const held = HELD.filter((probe) => probes[probe] === 'held')
      if (level === 'process-group') expect(held).not.toContain('write-outside')
      else expect(held).toEqual(HELD)
    }
  })

  it('falls below a bwrap that fails', async () => {
    const report = await probeSandbox(await machineWith({ bwrap: MISSING }), { all: true })
    expect(at(report.tried, 'bwrap')).toMatchObject({
      works: false,
      note: expect.stringContaining('not installed'),
    })
    expect(report.level).not.toBe('bwrap')
  })

  it('does not believe a bwrap that only runs its program', async () => {
    const report = await probeSandbox(await machineWith({ bwrap: LYING }), { all: true })
    expect(at(report.tried, 'bwrap')?.probes).toMatchObject({
      'write-outside': 'open',
      'read-secret': 'open',
    })
    expect(report.level).not.toBe('bwrap')
  })

  it('is no sandbox and needs consent when only the process group is left', async () => {
    const report = await probeSandbox(await machineWith({ bwrap: MISSING, unshare: MISSING }), { all: true })
    expect(report).toMatchObject({ level: 'process-group', sandboxed: false, consent: 'needed' })
    expect(report.probes).toMatchObject({ 'write-outside': 'open', 'read-secret': 'open' })
  })

  it('is no sandbox when even the process group was asked for by name', async () => {
    const report = await probeSandbox(
      { environment: process.env, home: homedir() },
      { level: 'process-group' },
    )
    expect(report).toMatchObject({ level: 'process-group', sandboxed: false, consent: 'needed' })
  })

  it('shows that the network is open, and that it is not with "none"', async () => {
    const host = { environment: process.env, home: homedir() }
    expect((await probeSandbox(host)).probes['reach-port']).toBe('open')
    if (levels[0] === 'process-group') return
    const closed = await probeSandbox(host, { network: { kind: 'none' } })
    expect(closed.probes['reach-port']).toBe('held')
  })
})
