import type { Case, CaseId, Instant } from '../cases/case.ts'
import { isObjectName } from '../platform/git/names.ts'
import { resolveCommit } from '../platform/git/repository-operations.ts'
import { removeWorkspace } from '../workspaces/remove-workspace.ts'
import { rescueWorkspace } from '../workspaces/rescue-workspace.ts'
import { listWorkspaces } from '../workspaces/workspace.ts'
import { type OpenedWorkspace, openRunWorkspace } from './run-workspace.ts'
import type { RunWorld } from './run-world.ts'
import { takeInTarget } from './take-in-target.ts'
import { deliveryOf, readNotes } from './task-notes.ts'

/** The key of a task's metadata that says from where its next run starts; taken off when it has. */
export const REWORK_KEY = 'rework'

export interface Rework {
  readonly option: 'fresh' | 'checkpoint'
  /** Where a checkpoint goes on from; the target for a fresh start. */
  readonly commit: string | null
  readonly at: Instant
}

/** What a person wished for the next run of a task; nothing when it simply goes on. */
export function reworkWish({ metadata }: Pick<Case, 'metadata'>): Rework | undefined {
  const wish = metadata[REWORK_KEY]
  if (typeof wish !== 'object' || wish === null || !('option' in wish)) return undefined
  return wish.option === 'fresh' || wish.option === 'checkpoint' ? (wish as Rework) : undefined
}

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

/** Work that was held up by a repair, or refused on top of the target, goes on on top of what is there now. */
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
  const isBehind = deliveryOf(task).rounds.landing > 0 || notes.some(({ kind }) => kind === 'report')
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
