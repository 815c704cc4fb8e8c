import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readDelivery } from '../../delivery/delivery-state.ts'
import { TRAITS } from '../../delivery/delivery-traits.ts'
import type { Entry } from '../../integration/entry.ts'
import type { IntegratorTurn } from '../../integration/integrator-turn.ts'
import type { LandingGround } from '../../integration/landing-ground.ts'
import type { RunWorld } from '../run-world.ts'
import { entryFence, sourceOf } from './queued-work.ts'
import { verifyCandidate } from './verify-candidate.ts'

/** Where candidates of this project are made, checked and landed. */
export async function landingGround(world: RunWorld, turn?: IntegratorTurn): Promise<LandingGround> {
  const { ground, config, vocabulary, clock } = world
  const { git, integration } = ground
  const scratchDir = join(ground.observersDir, '../scratch')
  await mkdir(scratchDir, { recursive: true })
  return {
    git,
    repository: integration,
    scratchDir,
    now: () => clock.now(),
    commitTypes: config.commits.types,
    protectedFolders: [vocabulary.folder, vocabulary.workspaces],
    target: integration.target,
    writing: integration.writing,
    verify: (commit, group) => verifyCandidate(world, commit, group),
    holdsFence: (entry) => holdsFence(world, entry),
    ...(turn ? { turn } : {}),
  }
}

/** An entry counts while its task still waits to land this very commit, under the claim that made it. */
export async function holdsFence({ store }: Pick<RunWorld, 'store'>, entry: Entry): Promise<boolean> {
  const [task] = await store.query({ ids: [entry.task] })
  if (task === undefined || task.deletedAt !== undefined || task.type !== 'task') return false
  const read = readDelivery(task)
  if (read.kind === 'unreadable' || !TRAITS[read.delivery.state].awaitsLanding) return false
  return sourceOf(task, read.delivery) === entry.source && entryFence(task) === entry.fence
}
