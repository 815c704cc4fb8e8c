import type { CaseId } from '../../cases/case.ts'
import { readDelivery } from '../../delivery/delivery-state.ts'
import type { LiveWork } from '../../integration/weather.ts'
import { Failure } from '../../platform/failure.ts'
import { isRealDirectory } from '../../platform/files/read-regular-file.ts'
import { inspectWorkspace } from '../../workspaces/inspect-workspace.ts'
import { targetOfRecord } from '../../workspaces/integration-repository.ts'
import { listWorkspaces, type SeenGround } from '../../workspaces/workspace.ts'
import type { SeenWorld } from '../run-world.ts'
import { MERGE } from './conflict/merge-workspace.ts'
import { sourceOf } from './queued-work.ts'

const WORKSPACES_MAX = 100

/** Everything that may still land: the entries in the queue, and the contents of other tasks' workspaces. */
export async function liveWorks(world: SeenWorld): Promise<LiveWork[]> {
  const { git, integration } = world.ground
  const target = await targetOfRecord(git, integration)
  const works = new Map<string, LiveWork>()
  for (const { task, source } of await queuedSources(world)) {
    const found = await git.run(integration, ['merge-base', target, source], { expect: [0, 1] })
    if (found.exitCode === 0) works.set(task, { task, commit: source, base: String(found.stdout).trim() })
  }
  const open = new Set(
    (await world.store.query({ type: 'task' })).filter(({ status }) => status !== 'done').map(({ id }) => id),
  )
  const workspaces = (await listWorkspaces(world.ground)).filter(
    ({ task }) => task !== MERGE && open.has(task) && !works.has(task),
  )
  for (const workspace of workspaces.slice(-WORKSPACES_MAX)) {
    const seen = await inspect(world.ground, workspace)
    if (seen) works.set(workspace.task, seen)
  }
  return [...works.values()]
}

async function queuedSources({ store }: SeenWorld): Promise<{ task: CaseId; source: string }[]> {
  const tasks = await store.query({ type: 'task', status: 'review' })
  return tasks.flatMap((task) => {
    const read = readDelivery(task)
    if (read.kind === 'unreadable' || read.delivery.state !== 'integrating') return []
    const source = sourceOf(task, read.delivery)
    return source === undefined ? [] : [{ task: task.id, source }]
  })
}

/** A workspace that cannot be inspected now is inspected next time. */
async function inspect(
  ground: SeenGround,
  workspace: Parameters<typeof inspectWorkspace>[1],
): Promise<LiveWork | undefined> {
  if (!(await isRealDirectory(workspace.path))) return undefined
  try {
    const { exported, uncommitted } = await inspectWorkspace(ground, workspace)
    if (exported.kind === 'refused') return undefined
    const { task, base } = workspace
    return { task, base, commit: exported.commit, uncommitted: uncommitted.map(({ path }) => path) }
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
