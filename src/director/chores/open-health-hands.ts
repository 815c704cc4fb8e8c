import { join } from 'node:path'
import { measureDisk, measureMemory } from '../../health/measure-machine.ts'
import { ProcessLedger } from '../../health/process-ledger.ts'
import { listCheckpoints, removeCheckpoint } from '../../integration/checkpoints/checkpoint.ts'
import { chooseExpired } from '../../integration/checkpoints/choose-expired.ts'
import { type WatchedDriver, watchDriver } from '../agents/watch-driver.ts'
import type { Hands } from '../hands.ts'
import { openHooks } from '../hooks/run-hook.ts'
import type { RunWorld } from '../run-world.ts'
import { cleanDisk, type OldCheckpoints } from './clean-disk.ts'

export type HealthHands = Pick<Hands, 'measureHealth' | 'sweep' | 'clean' | 'runHook'>

export interface WatchedWorld {
  /** The same `RunWorld`, with every process that it starts recorded and watched. */
  readonly world: RunWorld
  readonly hands: HealthHands
}

const DAY_MS = 86_400_000

/** The part of the hands for health and hooks. Agents have to be started through the returned `world`. */
export async function openHealthHands(
  world: RunWorld,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<WatchedWorld> {
  const { root, vocabulary, config, ground, clock } = world
  const folder = join(root, vocabulary.folder)
  const ledger = await ProcessLedger.open(join(folder, 'processes'), process.pid)
  const driver = watchDriver(world.driver, ledger)
  const states = new Map<string, string>()
  const place = {
    ground,
    folder,
    keepMs: config.workspace.retentionDays * DAY_MS,
    now: () => clock.now(),
    checkpoints: oldCheckpoints(world),
    freeBytes: measureDisk,
    running: async () =>
      [...(await driver.agents()), ...(await ledger.findOrphans())].map(({ agent }) => agent),
  }
  return {
    world: {
      ...world,
      driver,
      show: (row) => {
        states.set(row.agent, row.state)
        world.show(row)
      },
    },
    hands: {
      measureHealth: async () => ({
        diskFreeBytes: await measureDisk([folder, ground.workspacesDir]),
        memory: measureMemory(),
        agents: await agentsOf(driver, states),
        orphans: await ledger.findOrphans(),
      }),
      sweep: (orphan) => ledger.sweep(orphan),
      clean: (order) => cleanDisk(place, order),
      runHook: openHooks({
        hooks: config.hooks,
        root,
        environment,
        logFile: join(folder, 'logs/hooks.jsonl'),
        now: () => clock.now(),
      }),
    },
  }
}

/** None of these has expired: removing them earlier is a person's decision. */
function oldCheckpoints({ ground: { git, integration }, clock, config }: RunWorld): OldCheckpoints {
  return {
    async list() {
      const { retentionDays } = config.checkpoints
      const all = await listCheckpoints(git, integration)
      return chooseExpired(all, { max: 0, retentionDays }, clock.now()).map(({ name }) => name)
    },
    async remove(name) {
      await integration.writing.pass(() => removeCheckpoint(git, integration, name))
    },
  }
}

/** An agent that rests, waits for a quota or is being verified prints nothing, and is not expected to. */
async function agentsOf(driver: WatchedDriver, states: Map<string, string>) {
  const agents = await driver.agents()
  for (const name of states.keys()) if (!agents.some(({ agent }) => agent === name)) states.delete(name)
  return agents.map((one) => ({ ...one, owesSigns: (states.get(one.agent) ?? 'iteration') === 'iteration' }))
}
