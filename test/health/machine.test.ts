import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configSchema } from '../../src/config/schema.ts'
import { decideHealth, NO_HEALTH } from '../../src/health/decide-health.ts'
import { measureDisk, measureMemory } from '../../src/health/measure-machine.ts'
import { ProcessLedger } from '../../src/health/process-ledger.ts'
import { findProcess, signalProcess } from '../../src/platform/process/process-table.ts'

const WAIT_MAX_MS = 60_000

let folder = ''
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'axiom-health-')))
})
const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
  rmSync(folder, { recursive: true, force: true })
})

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const begun = Date.now()
  while (!(await holds())) {
    if (Date.now() - begun > WAIT_MAX_MS) throw new Error('it did not come to pass')
    await sleep(25)
  }
}

const pidIn = (name: string): number => Number(readFileSync(join(folder, name), 'utf8'))
const isGone = async (pid: number): Promise<boolean> => (await findProcess(pid)) === undefined

/** An orchestrator in a process of its own, with an agent below it that leaves its group, its session and its parent. */
async function startOrchestrator(): Promise<ChildProcess> {
  const line = `trap '' TERM HUP; setsid sh -c 'trap "" TERM HUP; echo $$ > far; exec sleep 600' & echo $$ > near; sleep 600; :`
  const program = resolve(import.meta.dirname, 'programs/orchestrator.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', program, join(folder, 'ledger'), line], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  cleanups.push(() => {
    for (const name of ['near', 'far'])
      if (existsSync(join(folder, 'ledger', name))) signalProcess(pidIn(`ledger/${name}`), 'SIGKILL')
    child.kill('SIGKILL')
  })
  await until(
    () => existsSync(join(folder, 'ledger/far')) && readFileSync(join(folder, 'ledger/far'), 'utf8') !== '',
  )
  await until(() => readdirSync(join(folder, 'ledger')).some((name) => name.endsWith('.json')))
  return child
}

describe('orphans', () => {
  it('are none while their orchestrator lives, and are ended with all their processes when it was killed', async () => {
    mkdirSync(join(folder, 'ledger'))
    const child = await startOrchestrator()
    const near = pidIn('ledger/near')
    const far = pidIn('ledger/far')
    const ledger = await ProcessLedger.open(join(folder, 'ledger'), process.pid)
    expect(await ledger.findOrphans()).toEqual([])
    child.kill('SIGKILL')
    await until(() => child.signalCode !== null && isGone(child.pid ?? 0))
    expect(await isGone(far)).toBe(false)
    const orphans = await ledger.findOrphans()
    expect(orphans).toMatchObject([{ agent: 'echo-007', tree: { pid: near } }])
    expect(orphans[0]?.processes).toBeGreaterThanOrEqual(2)
    for (const orphan of orphans) expect(await ledger.sweep(orphan)).toBeGreaterThanOrEqual(2)
    await until(async () => (await isGone(near)) && (await isGone(far)))
    expect(await ledger.findOrphans()).toEqual([])
    expect(readdirSync(join(folder, 'ledger')).filter((name) => name.endsWith('.json'))).toEqual([])
  })

  it('are never taken for ours by a pid that was given to somebody else', async () => {
    const ledger = await ProcessLedger.open(folder, process.pid)
    const stranger = spawn('sleep', ['600'], { detached: true })
    cleanups.push(() => void stranger.kill('SIGKILL'))
    const entry = {
      agent: 'echo-001',
      tree: { pid: stranger.pid, startTicks: 1, marker: 'long-gone' },
      owner: { pid: 999_999_999, startTicks: 1 },
    }
    writeFileSync(join(folder, 'long-gone.json'), JSON.stringify(entry))
    writeFileSync(join(folder, 'torn.json'), '{"agent":"echo-002","tr')
    expect(await ledger.findOrphans()).toEqual([])
    expect(await isGone(stranger.pid ?? 0)).toBe(false)
  })
})

describe('a disk of its own', () => {
  const MEGABYTE = 1_000_000
  const limits = configSchema.parse({
    disk: { warnMegabytes: 40, pauseMegabytes: 25, stopMegabytes: 10 },
  }).disk

  function mountSmallDisk(): string {
    const disk = join(folder, 'disk')
    mkdirSync(disk)
    const options = ['-t', 'tmpfs', '-o', 'size=64m', 'axiom-health', disk]
    const { status, stderr } = spawnSync('mount', options, { encoding: 'utf8' })
    if (status !== 0)
      throw new Error(`this test mounts a small tmpfs, which needs root (CAP_SYS_ADMIN): ${stderr}`)
    cleanups.push(() => void spawnSync('umount', ['--lazy', disk]))
    return disk
  }

  it('is warned of, held, stopped and released as it fills up and empties', async () => {
    const disk = mountSmallDisk()
    const steps: string[][] = []
    let memory = NO_HEALTH
    const look = async (): Promise<void> => {
      const diskFreeBytes = await measureDisk([join(disk, 'not/yet/made'), tmpdir()])
      const agents = [
        { agent: 'echo-001', task: 'task-001', lastSignMs: steps.length, owesSigns: true, isAlive: true },
      ]
      const facts = { diskFreeBytes, memory: { availableBytes: 1, totalBytes: 1 }, agents, orphans: [] }
      const decision = decideHealth(facts, memory, limits, new Date(steps.length * 60_000).toISOString())
      memory = decision.memory
      steps.push(decision.actions.map((one) => (one.kind === 'alert' ? one.alert.code : one.kind)))
    }
    const fill = (name: string, megabytes: number): void =>
      writeFileSync(join(disk, name), Buffer.alloc(megabytes * MEGABYTE, 1))
    await look()
    fill('a', 32)
    await look()
    fill('b', 15)
    await look()
    fill('c', 13)
    await look()
    rmSync(join(disk, 'c'))
    rmSync(join(disk, 'b'))
    await look()
    rmSync(join(disk, 'a'))
    await look()
    expect(steps).toEqual([
      [],
      ['DISK_WARNING'],
      ['DISK_CRITICAL', 'clean', 'hold'],
      ['DISK_EMERGENCY', 'stop-all', 'clean'],
      ['DISK_RECOVERED', 'release'],
      ['DISK_RECOVERED'],
    ])
  })
})

it('knows the memory of the machine', () => {
  const { availableBytes, totalBytes } = measureMemory()
  expect(availableBytes).toBeGreaterThan(0)
  expect(totalBytes).toBeGreaterThanOrEqual(availableBytes)
})
