import type { CaseId } from '../cases/case.ts'
import { sweepStaleLocks } from '../platform/git/sweep-stale-locks.ts'
import { sweepUnfinished } from '../workspaces/create-workspace.ts'
import type { Rescue } from '../workspaces/rescue-store.ts'
import { rescueWorkspace } from '../workspaces/rescue-workspace.ts'
import { listWorkspaces } from '../workspaces/workspace.ts'
import type { RunWorld } from './run-world.ts'

export interface RecoveredRun {
  readonly task: CaseId
  readonly agent: string
  /** What lay in its workspaces and nowhere else. */
  readonly rescued: readonly Rescue[]
}

/**
 * Brings in order what an orchestrator that was killed left behind: half-made checkouts and locks go, the work in the
 * workspaces of its runs is saved, and their tasks become pending again, one restart more. Only for whoever has just
 * become the owner of the store: all who held a task before him are dead.
 */
export async function recoverRuns(world: RunWorld): Promise<RecoveredRun[]> {
  const { store, ground, clock } = world
  await sweepUnfinished(ground)
  await sweepStaleLocks(ground.integration.gitDir, clock.now())
  const recovered: RecoveredRun[] = []
  for (const task of await store.query({ type: 'task', status: 'active' })) {
    const holder = task.leases?.develop?.holder
    if (holder === undefined) continue
    const rescued: Rescue[] = []
    for (const workspace of await listWorkspaces(ground, task.id)) {
      await sweepStaleLocks(`${workspace.path}/.git`, Number.MAX_SAFE_INTEGER)
      rescued.push(await rescueWorkspace(ground, workspace, 'its orchestrator was killed'))
    }
    const answer = await store.transact({
      commands: [{ kind: 'recover', id: task.id, reason: `${holder} died`, holderDead: true }],
      by: 'director',
    })
    if (answer.kind === 'committed') recovered.push({ task: task.id, agent: holder, rescued })
  }
  return recovered
}
