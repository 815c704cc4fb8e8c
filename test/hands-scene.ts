import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { simDriver } from '../src/agents/drivers/sim.ts'
import type { CaseCommand } from '../src/cases/command.ts'
import { configSchema } from '../src/config/schema.ts'
import type { RunWorld } from '../src/director/run-world.ts'
import { systemClock } from '../src/platform/clock.ts'
import { Ash } from '../src/runs/ash.ts'
import type { LiveRow, RunClock } from '../src/runs/run-ports.ts'
import type { Entry } from '../src/sim/playbook.ts'
import type { Step } from '../src/sim/step.ts'
import { openStore } from '../src/store/open-store.ts'
import type { CaseRecord, Store } from '../src/store/store.ts'
import { AXIOM } from '../src/vocabulary/axiom.ts'
import { makeAgentHost } from './clients/agent-host.ts'
import { level, runnerFor } from './git/sandbox.ts'
import { openScratch, type Scratch } from './git/scratch.ts'

const BUILT = resolve(import.meta.dirname, '../dist')

export interface SceneOptions {
  /** What the simulated agents do. */
  readonly entries?: readonly Entry[]
  readonly verification?: readonly string[]
  readonly agents?: Readonly<Record<string, unknown>>
  /** More of the configuration. */
  readonly config?: Readonly<Record<string, unknown>>
  readonly clock?: RunClock
}

/** A project with one operation and its tasks, in which the director's hands are used one by one, without a director. */
export interface Scene {
  readonly world: RunWorld
  readonly store: Store
  readonly scratch: Scratch
  readonly rows: LiveRow[]
  /** Replaces what the simulated agents do from now on. */
  play(entries: readonly Entry[]): void
  task(id?: string): Promise<CaseRecord>
  commit(...commands: CaseCommand[]): Promise<void>
  /** A file of the project's folder. */
  read(path: string): string
  close(): Promise<void>
}

export const say = (text: string): Step => ({ do: 'say', text })

const CASES: readonly CaseCommand[] = [
  { kind: 'create', type: 'operation', content: 'Greet people', as: 'o' },
  {
    kind: 'create',
    type: 'task',
    parentId: '$o',
    content: 'Add a greeting',
    metadata: { acceptanceCriteria: ['greeting.txt says hello'] },
  },
  { kind: 'create', type: 'task', parentId: '$o', content: 'Add a farewell' },
]

export async function openScene(options: SceneOptions = {}): Promise<Scene> {
  const scratch = await openScratch()
  const root = scratch.user
  const folder = join(root, '.axiom')
  mkdirSync(folder, { recursive: true })
  const playbook = join(scratch.root, 'playbook.json')
  const play = (entries: readonly Entry[]): void => writeFileSync(playbook, JSON.stringify({ entries }))
  play(options.entries ?? [])
  const { clock = systemClock } = options
  const store = await openStore({
    folder,
    purpose: 'tests',
    clock: () => new Date(clock.now()).toISOString(),
  })
  const host = await makeAgentHost({ masked: [root, join(scratch.root, 'axiom')] })
  const rows: LiveRow[] = []
  const world: RunWorld = {
    root,
    vocabulary: AXIOM,
    config: configSchema.parse({
      ...options.config,
      agents: options.agents ?? {},
      verification: options.verification ?? [],
    }),
    store,
    ground: scratch.ground,
    driver: simDriver(host, { built: BUILT }),
    runLine: runnerFor(scratch),
    ash: await Ash.open(folder, AXIOM, 'dex-001'),
    clock,
    random: () => 0.5,
    redact: (text) => text,
    show: (row) => rows.push(row),
    machine: { platform: process.platform, sandbox: level },
    agentRequest: { environment: { AXIOM_SIM_PLAYBOOK: playbook }, readOnly: [playbook] },
  }
  const commit = async (...commands: CaseCommand[]): Promise<void> => {
    const answer = await store.transact({ commands, by: 'user' })
    if (answer.kind !== 'committed') throw new Error(JSON.stringify(answer))
  }
  await commit(...CASES)

  const read = (path: string): string => readFileSync(join(folder, path), 'utf8')
  return {
    world,
    store,
    scratch,
    rows,
    play,
    commit,
    read,
    async task(id = 'task-001') {
      const [found] = await store.query({ ids: [id] })
      if (!found) throw new Error(`there is no ${id}`)
      return found
    },
    async close() {
      await store.close()
      scratch.remove()
    },
  }
}
