import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { isAlive, listProcesses, treeOf } from '../../src/platform/process/process-table.ts'
import type { TreeRecord } from '../../src/platform/process/sweep-tree.ts'
import { countProcessesWith } from '../clients/scratch.ts'
import { seeded } from '../model/generate-commands.ts'
import { seedOr } from '../seed.ts'
import { expectKept, filesInWorkspaces, type SeenFile } from './saved-work.ts'
import { landedOn, openScene, type Theatre, until } from './scene.ts'

const SEED = seedOr(3)
const AGENTS_AT_ONCE = 4
/** Restarts that a task survives, and failed attempts that a run does. */
const BLOWS_MAX = 2
const MOMENT_MAX_MS = 800
const PROGRAM = join(import.meta.dirname, 'programs/restless-agent.mjs')

/** `program`: the agent alone. `tree`: the sandbox around it as well, as the kernel does it when memory is short. */
type Blow = 'program' | 'tree' | 'exit'
const BLOWS: readonly Blow[] = ['program', 'tree', 'exit']

interface Fate {
  readonly task: string
  readonly blows: readonly { readonly kind: Blow; readonly afterMs: number }[]
}

function drawFates(count: number): Fate[] {
  const random = seeded(SEED)
  const draw = (choices: number): number => Math.floor(random() * choices)
  return Array.from({ length: count }, (_, i) => ({
    task: `task-${String(i + 1).padStart(3, '0')}`,
    // Of every three tasks one has no peace at all, and one is left alone.
    blows: Array.from({ length: [1 + draw(BLOWS_MAX), BLOWS_MAX, 0][i % 3] ?? 0 }, () => ({
      kind: BLOWS[draw(BLOWS.length)] ?? 'program',
      afterMs: draw(MOMENT_MAX_MS),
    })),
  }))
}

/** Agents at so many tasks are killed while they work. */
export function killAgents(tasks: number): void {
  const fates = drawFates(tasks)
  const kills = (fate: Fate): number => fate.blows.filter(({ kind }) => kind !== 'exit').length

  it('F3: give their task back once for each kill; nothing of what they did is lost, and every task lands', async () => {
    const scene = await openScene({ tasks: fates.map(({ task }) => `Do the work of ${task}`) })
    try {
      const gates = join(scene.scratch, 'gates')
      mkdirSync(gates)
      const sim = { driver: 'sim' }
      scene.configure({
        agents: {
          driver: 'command',
          command: ['node', PROGRAM, gates],
          maxConcurrent: AGENTS_AT_ONCE,
          roles: { critic: sim, auditor: sim },
        },
        sandbox: { readOnly: [gates] },
      })
      const seen = new Map<string, SeenFile[]>()
      const ending = await scene.run(async () => {
        await Promise.all(fates.map(async (fate) => seen.set(fate.task, await strike(scene, fate, gates))))
      })
      expect(ending).toBe('nothing-left')
      for (const fate of fates) await expectGoodEnd(scene, fate, seen.get(fate.task) ?? [])
      expect(landedOn(scene).toSorted()).toEqual(fates.map(({ task }) => task))
      const spawned = JSON.parse(scene.read('metrics/counters.json')) as { echo: number }
      expect(spawned.echo).toBe(tasks + fates.reduce((sum, fate) => sum + kills(fate), 0))
      expect(countProcessesWith(scene.scratch)).toBe(0)
      expect(readdirSync(join(scene.root, '.axiom/processes'))).toEqual([])
    } finally {
      await scene.close()
    }
  }, 1_500_000)

  afterAll(() => {
    const count = (kind: Blow): number =>
      fates.flatMap(({ blows }) => blows).filter((blow) => blow.kind === kind).length
    const figures = BLOWS.map((kind) => `${count(kind)} × ${kind}`).join(', ')
    process.stdout.write(`\n${tasks} tasks, agents struck at random (seed ${SEED}): ${figures}\n`)
  })

  async function expectGoodEnd(scene: Theatre, fate: Fate, files: readonly SeenFile[]): Promise<void> {
    const moment = `seed ${SEED}, ${JSON.stringify(fate)}`
    const task = await scene.task(fate.task)
    expect(task, `${moment}: ${JSON.stringify(task.metadata.run)}`).toMatchObject({ status: 'done' })
    const { retryCount = 0 } = task.metadata.execution as { retryCount?: number }
    expect(retryCount, moment).toBe(kills(fate))
    const moves = await scene.moves(fate.task)
    expect(
      moves.filter((move) => move.startsWith('AGENT_LOST by director: developing → queued')),
      moment,
    ).toHaveLength(kills(fate))
    expect(
      moves.filter((move) => move.startsWith('CLAIMED')),
      moment,
    ).toHaveLength(kills(fate) + 1)
    expectKept(scene, files, moment)
  }
}

/** Deals the blows to whoever works at the task, one after the other; returns what lay there at each kill. */
async function strike(scene: Theatre, { task, blows }: Fate, gates: string): Promise<SeenFile[]> {
  const files: SeenFile[] = []
  let last: TreeRecord | undefined
  for (const { kind, afterMs } of blows) {
    let tree: TreeRecord | undefined
    await until(async () => {
      tree = await developerOf(scene, task)
      return tree !== undefined && tree.marker !== last?.marker
    }, `nobody works at ${task}`)
    await sleep(afterMs)
    if (tree === undefined) throw new Error('it was there')
    files.push(...(await hit(scene, task, tree, kind)))
    last = tree
  }
  writeFileSync(join(gates, task), '')
  return files
}

/** The living process of the developer that holds the task. */
async function developerOf(scene: Theatre, task: string): Promise<TreeRecord | undefined> {
  const holder = (await scene.task(task)).leases?.develop?.holder
  if (holder === undefined) return undefined
  const folder = join(scene.root, '.axiom/processes')
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
    const { agent, tree } = JSON.parse(readOrNothing(join(folder, name))) as {
      agent?: string
      tree?: TreeRecord
    }
    if (agent === holder && tree && (await isAlive(tree))) return tree
  }
  return undefined
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '{}'
  }
}

const nameOf = (pid: number): string => readOrNothing(`/proc/${pid}/comm`).trim()

async function hit(scene: Theatre, task: string, tree: TreeRecord, kind: Blow): Promise<SeenFile[]> {
  if (kind === 'exit') {
    // Before it listens, the signal would kill it.
    await until(() => isHeardFrom(scene, task), `the agent at ${task} does not begin`)
    signal([await programOf(tree)], 'SIGUSR2')
    return []
  }
  const all = await processesOf(tree)
  // Nobody moves while what is there is looked at: all of it has to be found again.
  signal(all, 'SIGSTOP')
  const files = filesInWorkspaces(scene, task)
  signal(kind === 'tree' ? all : [await programOf(tree)], 'SIGKILL')
  signal(all, 'SIGCONT')
  return files
}

/** Whether the agent has changed a file in this very iteration. */
async function isHeardFrom(scene: Theatre, task: string): Promise<boolean> {
  const { leases, metadata } = await scene.task(task)
  const { iterations = 0 } = (metadata.execution ?? {}) as { iterations?: number }
  const begun = `${leases?.develop?.holder} in iteration ${iterations + 1},`
  const folder = join(scene.root, '.workspaces')
  return readdirSync(folder)
    .filter((name) => name.endsWith(task))
    .some((name) => readOrNothing(join(folder, name, `${task}-loose.txt`)).startsWith(begun))
}

async function processesOf({ pid }: TreeRecord): Promise<number[]> {
  return treeOf(new Set([pid]), await listProcesses()).map((row) => row.pid)
}

/** The agent itself inside whatever is around it; the innermost process while it is not there yet. */
async function programOf(tree: TreeRecord): Promise<number> {
  const all = await processesOf(tree)
  return all.find((pid) => nameOf(pid) === 'node') ?? all.at(-1) ?? tree.pid
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // It is gone already.
    }
  }
}
