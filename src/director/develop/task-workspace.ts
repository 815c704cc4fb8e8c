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
 * Opens the workspace for a task's next run. Where a person wished another start, what is there is put aside first,
 * everything in it saved; carried out twice, after a crash, that saves the first try and begins again.
 */
export async function openTaskWorkspace(
  world: RunWorld,
  { agent, task, slot }: { readonly agent: string; readonly task: Case; readonly slot: number },
): Promise<OpenedWorkspace> {
  const wish = reworkWish(task)
  if (wish === undefined) return openCurrent(world, { agent, task, slot })
  const { ground, store } = world
  for (const workspace of await listWorkspaces(ground)) {
    // What cannot be saved stays where it is, and is worked on in.
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

/** What the target holds now has to be under the work: a repair, another's change, or what refused it there. */
const OUTDATED: readonly (string | undefined)[] = ['report', 'freed']

/** Work that waited for a repair or a file, or was refused on the target, goes on on top of what is there now. */
async function openCurrent(
  world: RunWorld,
  { agent, task, slot }: { readonly agent: string; readonly task: Case; readonly slot: number },
): Promise<OpenedWorkspace> {
  // What an agent left that was cut off with its orchestrator was saved by nobody, and the next one may overwrite it.
  for (const kept of await listWorkspaces(world.ground, task.id))
    await rescueWorkspace(world.ground, kept, 'another run goes on in it')
  const opened = await openRunWorkspace(world, { agent, task: task.id, slot })
  if (opened.kind === 'failed') return opened
  const notes = await readNotes(world.store, task)
  const isBehind = deliveryOf(task).rounds.landing > 0 || notes.some(({ kind }) => OUTDATED.includes(kind))
  if (!isBehind) return opened
  const news = await takeInTarget(world, opened.workspace)
  if (news.length === 0) return opened
  // Where it stands now is looked at again, after the merge.
  const merged = await openRunWorkspace(world, { agent, task: task.id, slot })
  return merged.kind === 'ready' ? { ...merged, news } : merged
}

/** A checkpoint that is gone is a fresh start. */
async function startOf({ ground }: RunWorld, { option, commit }: Rework): Promise<string | undefined> {
  if (option === 'fresh' || commit === null || !isObjectName(commit)) return undefined
  return resolveCommit(ground.git, ground.integration, commit)
}

function consumed(id: CaseId) {
  return { kind: 'update', id, metadata: { [REWORK_KEY]: null }, reason: 'it began anew' } as const
}
