import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { probeSandbox } from '../../src/platform/sandbox/probe-sandbox.ts'
import type { LevelReport } from '../../src/platform/sandbox/sandbox-report.ts'
import { machine, makeFolder } from './agent-host.ts'

const HELD = ['write-outside', 'write-root', 'read-secret', 'read-environment', 'outlive', 'be-root'] as const
const DIST = resolve(import.meta.dirname, '../../dist')

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

/** The real ones, but nothing closes the root. */
const OPEN_BWRAP = `done=; n=$#; while [ $n -gt 0 ]; do
  word=$1; shift; n=$((n - 1))
  if [ -z "$done" ] && [ "$word" = --ro-bind ]; then word=--bind; done=1; fi
  set -- "$@" "$word"
done; exec /usr/bin/bwrap "$@"`
const OPEN_UNSHARE = `n=$#; while [ $n -gt 0 ]; do
  word=$(printf '%s' "$1" | sed 's/mount -o remount,bind,ro "$m"/true/'); shift; n=$((n - 1))
  set -- "$@" "$word"
done; exec /usr/bin/unshare "$@"`

function at(tried: readonly LevelReport[], level: string): LevelReport | undefined {
  return tried.find((report) => report.level === level)
}

describe('F25: the level that is reported', () => {
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
    expect(report).toMatchObject({ level: 'unshare', sandboxed: true })
  })

  it('does not believe a bwrap that only runs its program', async () => {
    const report = await probeSandbox(await machineWith({ bwrap: LYING }), { all: true })
    expect(at(report.tried, 'bwrap')?.probes).toMatchObject({
      'write-outside': 'open',
      'read-secret': 'open',
    })
    expect(report).toMatchObject({ level: 'unshare', sandboxed: true })
  })

  it('is no sandbox where a bwrap leaves the root writable', async () => {
    const { tried } = await probeSandbox(await machineWith({ bwrap: OPEN_BWRAP }), { level: 'bwrap' })
    expect(at(tried, 'bwrap')).toMatchObject({
      works: true,
      note: 'not refused: write-root, reach-port',
      probes: { 'write-outside': 'held', 'write-root': 'open' },
    })
  })

  it('is no sandbox where the script leaves the root writable', async () => {
    const { tried } = await probeSandbox(await machineWith({ unshare: OPEN_UNSHARE }), { level: 'unshare' })
    expect(at(tried, 'unshare')).toMatchObject({
      works: true,
      note: 'not refused: write-root, reach-port',
      probes: { 'write-outside': 'held', 'write-root': 'open' },
    })
  })

  it('holds where every tool lies in a folder that is masked inside', async () => {
    const folder = await makeFolder()
    for (const place of ['/usr/sbin', '/usr/bin'])
      for (const name of await readdir(place))
        await symlink(join(place, name), join(folder, name)).catch(() => {})
    const host = { environment: { PATH: folder }, home: homedir() }
    for (const level of ['bwrap', 'unshare'] as const)
      expect(await probeSandbox(host, { level })).toMatchObject({ level, sandboxed: true })
  })

  it.each(['bwrap', 'unshare'] as const)(
    'holds at %s beside another mount, whatever its name',
    async (level) => {
      const place = await mkdtemp('/process of a \\\\ -')
      onTestFinished(() => rm(place, { recursive: true }))
      const probe = `import { probeSandbox } from ${JSON.stringify(join(DIST, 'platform/sandbox/probe-sandbox.js'))}
      const host = { environment: process.env, home: process.env.HOME }
      process.stdout.write(JSON.stringify(await probeSandbox(host, { level: '${level}' })))`
      const mounted = 'mount -t tmpfs -o mode=777 none "$1"; shift; exec "$@"'
      const node = [process.execPath, '--input-type=module', '-e', probe]
      const args = ['--mount', '--', 'sh', '-c', mounted, 'sh', place, ...node]
      const { stdout } = await promisify(execFile)('unshare', args)
      expect(JSON.parse(stdout)).toMatchObject({ level, sandboxed: true, probes: { 'write-root': 'held' } })
    },
  )

  it.each(['bwrap', 'unshare'] as const)(
    'does not work at %s when the agent cannot be started there',
    async (level) => {
      const host = { environment: process.env, home: homedir() }
      const agent = { program: join(DIST, 'sim/main.js'), folder: `${DIST}/` }
      expect(await probeSandbox(host, { level, agent })).toMatchObject({ sandboxed: true })
      const hidden = await makeFolder()
      await writeFile(join(hidden, 'agent.js'), '')
      const lost = { program: join(hidden, 'agent.js'), folder: DIST }
      expect((await probeSandbox(host, { level, agent: lost })).tried[0]).toMatchObject({
        works: false,
        note: expect.stringMatching(/^the agent could not be started: [\s\S]*Cannot find module/),
      })
    },
  )

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
    const closed = await probeSandbox(host, { network: { kind: 'none' } })
    expect(closed.probes['reach-port']).toBe('held')
  })
})
