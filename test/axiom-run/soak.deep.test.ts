import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { processesIn } from '../demo/demo-process.ts'
import { until } from '../interventions/project.ts'
import { ShiftedClock } from './clock.ts'
import { ALONE, developer, lastLine, RunScene, summary } from './scene.ts'

/** `npm run soak` asks for more. Each round is ten minutes of the program's own time. */
const ROUNDS = Number(process.env.AXIOM_SOAK_ROUNDS ?? 5)
const TASKS_PER_ROUND = 2
const ROUND_MS = 10 * 60_000
const LIMIT_MS = ROUNDS * 120_000 + 300_000
/** What the first rounds open for good: caches, pools, sockets. */
const WARM_UP_ROUNDS = 2
/** A timer or a pipe may be on its way out when one looks. */
const SLACK = 4
const LOOKS = 8
const HEAP_BYTES_MAX = 12 * 2 ** 20
const HEAP_BYTES_PER_TASK_MAX = 64 * 2 ** 10

interface Counts {
  readonly serial: number
  readonly resources: Readonly<Record<string, number>>
  readonly listeners: number
  readonly descriptors: number
  readonly heapUsed: number
}

/** What a run holds while one agent waits and nobody else is at work. */
interface Sample extends Omit<Counts, 'serial' | 'resources'> {
  readonly handles: number
  readonly processes: number
  readonly workspaces: number
  readonly ledger: number
}

/** The least of several looks: what only passes by is in one of them, what is held is in all. */
async function sample(scene: RunScene, pid: number, round: number): Promise<Sample> {
  const seen: Sample[] = []
  for (let look = 1; look <= LOOKS; look += 1) seen.push(await lookOnce(scene, pid, round * LOOKS + look))
  const names = Object.keys(seen[0] ?? {}) as (keyof Sample)[]
  const least = names.map((name) => [name, Math.min(...seen.map((one) => one[name]))])
  return Object.fromEntries(least) as Sample
}

async function lookOnce(scene: RunScene, pid: number, serial: number): Promise<Sample> {
  const file = join(scene.top, 'counts')
  let counts: Counts | undefined
  process.kill(pid, 'SIGUSR2')
  await until(() => {
    counts = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Counts) : undefined
    return counts?.serial === serial
  })
  if (!counts) throw new Error('nothing was counted')
  const { resources, listeners, descriptors, heapUsed } = counts
  const entries = (folder: string): number => readdirSync(join(scene.root, folder)).length
  return {
    handles: Object.values(resources).reduce((sum, count) => sum + count, 0),
    listeners,
    descriptors,
    heapUsed,
    processes: processesIn(scene.root).length,
    workspaces: entries('.workspaces'),
    ledger: entries('.axiom/processes'),
  }
}

it(
  'a run that goes on for hours holds no more at its end than at its beginning',
  async () => {
    const scene = await RunScene.open({ tasks: ['holds'] })
    const clock = new ShiftedClock(scene)
    const counting = resolve(import.meta.dirname, 'count-handles.mjs')
    const env = {
      ...clock.environment,
      NODE_OPTIONS: `${clock.environment.NODE_OPTIONS} --import=${counting}`,
      AXIOM_TEST_COUNTS: join(scene.top, 'counts'),
    }
    scene.play([
      developer(
        'holds',
        { do: 'run', command: `touch ${scene.gate('waits')}` },
        { do: 'repeat', times: 1_000_000, everyMs: 1_000, steps: [{ do: 'say', text: 'I am still at it.' }] },
      ),
    ])
    const run = scene.begin([...ALONE, '--agents', '3'], env, ['--expose-gc'])
    await until(() => scene.isOpen('waits'))
    const samples: Sample[] = []
    for (let round = 1; round <= ROUNDS; round += 1) {
      const criterion = ['--criterion', 'GET /health returns 200']
      for (let task = 0; task < TASKS_PER_ROUND; task += 1)
        await scene.ok(
          'case',
          'create',
          '--type',
          'task',
          '--parent',
          'op-001',
          '--content',
          `Add ${round}`,
          ...criterion,
        )
      await until(async () => {
        const others = (await scene.cases({ type: 'task' })).filter(({ id }) => id !== 'task-001')
        return others.every(({ status }) => status === 'done')
      })
      clock.pass(ROUND_MS)
      await until(
        () =>
          readdirSync(join(scene.root, '.workspaces')).filter((name) => name.includes('-task-')).length === 1,
      )
      samples.push(await sample(scene, run.pid, round - 1))
    }
    process.stdout.write(`${samples.map((one) => JSON.stringify(one)).join('\n')}\n`)
    run.interrupt()
    await run.until('Ctrl-C again')
    run.interrupt()
    const ran = await run.ended
    expect([ran.code, lastLine(ran)]).toEqual([130, summary({ done: ROUNDS * TASKS_PER_ROUND, waiting: 1 })])
    const first = samples[WARM_UP_ROUNDS - 1]
    const last = samples.at(-1)
    if (!first || !last) throw new Error('too few rounds')
    for (const name of ['handles', 'listeners', 'descriptors', 'processes', 'workspaces', 'ledger'] as const)
      expect([name, last[name]]).toEqual([
        name,
        expect.toSatisfy((count: number) => count <= first[name] + SLACK),
      ])
    const tasks = (ROUNDS - WARM_UP_ROUNDS) * TASKS_PER_ROUND
    expect(last.heapUsed - first.heapUsed).toBeLessThan(HEAP_BYTES_MAX + tasks * HEAP_BYTES_PER_TASK_MAX)
  },
  LIMIT_MS,
)
