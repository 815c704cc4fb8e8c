import type { Case, CaseId } from '../../cases/case.ts'
import { isObjectName } from '../../platform/git/names.ts'
import { resolveCommit } from '../../platform/git/repository-operations.ts'
import { REWORK_KEY, type Rework, reworkWish } from '../../project/rework-wish.ts'
import { deliveryOf, readNotes } from '../../project/task-notes.ts'
import { removeWorkspace } from '../../workspaces/remove-workspace.ts'
import { rescueWorkspace } from '../../workspaces/rescue-workspace.ts'
import { listWorkspaces } from '../../workspaces/workspace.ts'
import type { RunWorld } from '../run-world.ts'
import { type OpenedWorkspace, openRunWorkspace } from './run-workspace.ts'
import { takeInTarget } from './take-in-target.ts'

/**
 * Opens the workspace for a task's next run. If a person asked for another start, the old workspace is put
 * aside first, with everything in it saved; after a crash this may run twice, which saves the first try and
 * starts again.
 */
export async function openTaskWorkspace(
  world: RunWorld,
  { agent, task, slot }: { readonly agent: string; readonly task: Case; readonly slot: number },
): Promise<OpenedWorkspace> {
  const wish = reworkWish(task)
  if (wish === undefined) return openCurrent(world, { agent, task, slot })
  const { ground, store } = world
  for (const workspace of await listWorkspaces(ground)) {
    // A workspace that cannot be saved stays, and the work continues in it.
    if (workspace.task === task.id)
      await removeWorkspace(ground, workspace, `a person wished a start from ${wish.option}`)
  }
  const base = await startOf(world, wish)
  const opened = await openRunWorkspace(world, {
    agent,
    task: task.id,
    slot,
    ...(base === undefined ? {} : { base }),
  })
  if (opened.kind === 'ready') await store.transact({ commands: [consumed(task.id)], by: 'director' })
  return opened
}

/**
 * The work needs the current target below it: a repair, another task's change, or what made the target refuse
 * it.
 */
const OUTDATED: readonly (string | undefined)[] = ['report', 'freed']

/**
 * Work that waited for a repair or a file, or was refused on the target, continues on top of the current
 * target.
 */
async function openCurrent(
  world: RunWorld,
  { agent, task, slot }: { readonly agent: string; readonly task: Case; readonly slot: number },
): Promise<OpenedWorkspace> {
  // Work of an agent that died with its orchestrator is not saved yet, and the next agent may overwrite it.
  for (const kept of await listWorkspaces(world.ground, task.id))
    await rescueWorkspace(world.ground, kept, 'another run goes on in it')
  const opened = await openRunWorkspace(world, { agent, task: task.id, slot })
  if (opened.kind === 'failed') return opened
  const notes = await readNotes(world.store, task)
  const isBehind = deliveryOf(task).rounds.landing > 0 || notes.some(({ kind }) => OUTDATED.includes(kind))
  if (!isBehind) return opened
  const news = await takeInTarget(world, opened.workspace)
  if (news.length === 0) return opened
  // Opened again after the merge, because its head has changed.
  const merged = await openRunWorkspace(world, { agent, task: task.id, slot })
  return merged.kind === 'ready' ? { ...merged, news } : merged
}

/** A checkpoint that no longer exists means a fresh start. */
async function startOf({ ground }: RunWorld, { option, commit }: Rework): Promise<string | undefined> {
  if (option === 'fresh' || commit === null || !isObjectName(commit)) return undefined
  return resolveCommit(ground.git, ground.integration, commit)
}

function consumed(id: CaseId) {
  return { kind: 'update', id, metadata: { [REWORK_KEY]: null }, reason: 'it began anew' } as const
}
