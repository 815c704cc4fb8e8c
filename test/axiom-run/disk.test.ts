import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { processesIn } from '../demo/demo-process.ts'
import { until } from '../interventions/project.ts'
import { ShiftedClock } from './clock.ts'
import { ALONE, developer, lastLine, RunScene, summary, writes } from './scene.ts'

const MEGABYTE = 1_000_000
const WIDE_MEGABYTES = 900
const DISK_MEGABYTES = 160
/** Max looks again after a minute. */
const LOOK_MS = 61_000

/** Everything that the project writes is on a small disk of its own, with ballast that can be thrown off. */
class SmallDisk {
  readonly #path: string

  constructor(folder: string) {
    mount(['-t', 'tmpfs', '-o', `size=${WIDE_MEGABYTES}m,mode=0755`, 'axiom-run', folder])
    onTestFinished(() => void spawnSync('umount', ['--lazy', folder]))
    this.#path = folder
  }

  /** A project is not begun on a disk as small as it then becomes. */
  shrink(): void {
    mount(['-o', `remount,size=${DISK_MEGABYTES}m`, this.#path])
  }

  /** Leaves so much space, or none at all. */
  leave(megabytes: number): void {
    this.empty()
    const ballast = openSync(join(this.#path, 'ballast'), 'w')
    const piece = Buffer.alloc(1024 * 1024)
    try {
      while (this.freeMegabytes > megabytes) writeSync(ballast, piece)
      if (megabytes === 0) for (;;) writeSync(ballast, Buffer.alloc(1))
    } catch {
      // Full, as it was meant.
    } finally {
      closeSync(ballast)
    }
  }

  empty(): void {
    rmSync(join(this.#path, 'ballast'), { force: true })
  }

  get freeMegabytes(): number {
    const { bavail, bsize } = statfsSync(this.#path)
    return (bavail * bsize) / MEGABYTE
  }
}

function mount(words: readonly string[]): void {
  const { status, stderr } = spawnSync('mount', words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`this test mounts a small tmpfs, which needs root: ${stderr}`)
}

const disk = { warnMegabytes: 100, pauseMegabytes: 60, stopMegabytes: 30 }

it('a disk that becomes short is told, then holds new work, then stops everybody; with space again all goes on', async () => {
  const top = new RunScene()
  const small = new SmallDisk(top.top)
  const scene = await RunScene.open({ tasks: ['one', 'two', 'three'], config: { disk } }, top)
  small.shrink()
  const clock = new ShiftedClock(scene)
  const waits = (name: string) =>
    [
      { do: 'edit', file: `${name}.loose`, write: 'half\n' },
      { do: 'run', command: `touch ${scene.gate(`${name}-waits`)}` },
      { do: 'barrier', path: scene.gate('never'), atMostMs: 500_000 },
    ] as const
  scene.play([developer('one', ...waits('one')), developer('two', ...waits('two'))])
  const run = scene.atTerminal(['--autopilot', '--yes', '--agents', '2'], clock.environment)
  await until(() => scene.isOpen('one-waits') && scene.isOpen('two-waits'))
  for (const [megabytes, word] of [
    [80, 'DISK_WARNING'],
    [45, 'DISK_CRITICAL'],
    [15, 'DISK_EMERGENCY'],
  ] as const) {
    small.leave(megabytes)
    clock.pass(LOOK_MS)
    await run.until(word)
  }
  await until(async () => (await scene.cases({ type: 'task' })).every(({ leases }) => leases === undefined))
  const stopped = await scene.case('task-001')
  const { saved } = stopped.metadata.run as { saved: string[] }
  expect(scene.git(`show ${saved[0]}:one.loose`)).toBe('half')
  expect((await scene.case('task-003')).fence ?? 0).toBe(0)
  scene.play(['one', 'two', 'three'].map((name) => developer(name, ...writes(`${name}.txt`))))
  small.empty()
  clock.pass(LOOK_MS)
  const { code } = await run.ended
  expect([code, run.shown()]).toEqual([0, expect.stringContaining('3 done, 0 failed, 0 blocked, 0 waiting')])
})

it('a disk without a byte left ends the run with nothing torn, and the next run finishes', async () => {
  const top = new RunScene()
  const small = new SmallDisk(top.top)
  const scene = await RunScene.open(
    { tasks: ['one', 'two'], config: { disk: { warnMegabytes: 3, pauseMegabytes: 2, stopMegabytes: 1 } } },
    top,
  )
  small.shrink()
  scene.play([
    developer(
      'one',
      { do: 'run', command: `touch ${scene.gate('waits')}` },
      { do: 'barrier', path: scene.gate('go'), atMostMs: 500_000 },
      ...writes('one.txt'),
    ),
  ])
  scene.openGate('go.later')
  const run = scene.begin(ALONE)
  await until(() => scene.isOpen('waits'))
  // The name of the gate needs no space of its own.
  spawnSync('mv', [scene.gate('go.later'), scene.gate('go')])
  small.leave(0)
  const full = await run.ended
  expect(full.code, full.stdout).not.toBe(0)
  await until(() => processesIn(scene.top).length === 0)
  small.empty()
  await scene.ok('store', 'verify')
  const again = await scene.run(...ALONE)
  expect([again.code, lastLine(again)]).toEqual([0, summary({ done: 2 })])
})
