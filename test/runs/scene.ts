import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { AgentHost } from '../../src/agents/agent-run.ts'
import type { Driver } from '../../src/agents/driver.ts'
import { simDriver } from '../../src/agents/drivers/sim.ts'
import { redactOutput } from '../../src/agents/redact-output.ts'
import { Redactor } from '../../src/agents/redaction.ts'
import type { CaseCommand } from '../../src/cases/command.ts'
import { configSchema } from '../../src/config/schema.ts'
import { runTask, type TaskOutcome, type TaskRequest } from '../../src/director/run-task.ts'
import type { RunWorld } from '../../src/director/run-world.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { Ash } from '../../src/runs/ash.ts'
import type { LiveRow, RunClock } from '../../src/runs/run-ports.ts'
import type { Entry } from '../../src/sim/playbook.ts'
import type { Step } from '../../src/sim/step.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { CaseRecord, Store } from '../../src/store/store.ts'
import { AXIOM } from '../../src/vocabulary/axiom.ts'
import { makeAgentHost } from '../clients/agent-host.ts'
import { level, runnerFor } from '../git/sandbox.ts'
import { groundFor, openScratch, removeFolder, type Scratch } from '../git/scratch.ts'

const BUILT = resolve(import.meta.dirname, '../../dist')

export interface SceneOptions {
  /** What the simulated agents do. */
  readonly entries?: readonly Entry[]
  readonly verification?: readonly string[]
  readonly agents?: Readonly<Record<string, unknown>>
  /** More of the configuration. */
  readonly config?: Readonly<Record<string, unknown>>
  readonly clock?: RunClock
  readonly makeDriver?: (host: AgentHost) => Driver
  /** Values that must never be seen again. */
  readonly secrets?: readonly string[]
  /** The root of a scene that another process made; it is gone on with. */
  readonly root?: string
}

/** A project with one operation and its tasks, in which real agents work in real workspaces. */
export interface Scene {
  readonly world: RunWorld
  readonly store: Store
  readonly scratch: Scratch
  readonly rows: LiveRow[]
  /** Replaces what the simulated agents do from now on. */
  play(entries: readonly Entry[]): void
  run(request?: Partial<TaskRequest>): Promise<Extract<TaskOutcome, { kind: 'ended' }>>
  task(id?: string): Promise<CaseRecord>
  commit(...commands: CaseCommand[]): Promise<void>
  /** A file of the project's folder. */
  read(path: string): string
  log(task?: string): Record<string, unknown>[]
  /** What the agent was told in this iteration. */
  promptOf(number: number): string
  close(): Promise<void>
}

export const complete: Step = { do: 'signal', tag: 'COMPLETE' }
export const say = (text: string): Step => ({ do: 'say', text })
/** Writes a file and commits it. */
export const work = (file: string, text: string): Step[] => [
  { do: 'edit', file, write: text },
  { do: 'commit', message: `feat: ${file} #task-001 @echo` },
]

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

async function reopenScratch(root: string): Promise<Scratch> {
  const user = join(root, 'user')
  return { root, user, ground: await groundFor(root, user), remove: () => removeFolder(root) }
}

export async function openScene(options: SceneOptions = {}): Promise<Scene> {
  const scratch = options.root === undefined ? await openScratch() : await reopenScratch(options.root)
  const root = scratch.user
  const folder = join(root, '.axiom')
  mkdirSync(folder, { recursive: true })
  const playbook = join(scratch.root, 'playbook.json')
  const play = (entries: readonly Entry[]): void => writeFileSync(playbook, JSON.stringify({ entries }))
  if (options.root === undefined) play(options.entries ?? [])
  const clock = options.clock ?? systemClock
  const store = await openStore({
    folder,
    purpose: 'tests',
    clock: () => new Date(clock.now()).toISOString(),
  })
  const secrets = options.secrets ?? []
  const host = await makeAgentHost({ masked: [root, join(scratch.root, 'axiom')], secrets })
  const redactor = new Redactor(secrets)
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
    driver: options.makeDriver?.(host) ?? simDriver(host, { built: BUILT }),
    runLine: redactOutput(runnerFor(scratch), host.secrets),
    ash: await Ash.open(folder, AXIOM, 'dex-001'),
    clock,
    random: () => 0.5,
    redact: (text) => redactor.redact(text),
    show: (row) => rows.push(row),
    machine: { platform: process.platform, sandbox: level },
    agentRequest: { environment: { AXIOM_SIM_PLAYBOOK: playbook }, readOnly: [playbook] },
  }
  const commit = async (...commands: CaseCommand[]): Promise<void> => {
    const answer = await store.transact({ commands, by: 'user' })
    if (answer.kind !== 'committed') throw new Error(JSON.stringify(answer))
  }
  if (options.root === undefined) await commit(...CASES)

  const read = (path: string): string => readFileSync(join(folder, path), 'utf8')
  const log = (task = 'task-001'): Record<string, unknown>[] =>
    read(`agents/echo/logs/${task}.jsonl`)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  return {
    world,
    store,
    scratch,
    rows,
    play,
    commit,
    read,
    log,
    async run(request = {}) {
      const outcome = await runTask(world, { task: 'task-001', slot: 0, ...request })
      if (outcome.kind !== 'ended') throw new Error(JSON.stringify(outcome))
      return outcome
    },
    async task(id = 'task-001') {
      const [found] = await store.query({ ids: [id] })
      if (!found) throw new Error(`there is no ${id}`)
      return found
    },
    promptOf(number) {
      const entries = log().filter(({ event }) => event === 'iteration')
      return String(entries.find((entry) => entry.number === number)?.input ?? '')
    },
    async close() {
      await store.close()
      scratch.remove()
    },
  }
}
