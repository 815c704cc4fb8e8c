import { Failure } from '../../../platform/failure.ts'
import { createWorkspace } from '../../../workspaces/create-workspace.ts'
import type { SlotVariables } from '../../../workspaces/slot-variables.ts'
import { excludeFilesOf, listWorkspaces, type Workspace } from '../../../workspaces/workspace.ts'
import { setUp } from '../../develop/run-workspace.ts'
import type { RunWorld } from '../../run-world.ts'

/** Stands for the task in the name of a resolver's workspace: a resolver has no task of its own. */
export const MERGE = 'merge'
const MERGE_TIMEOUT_MS = 600_000
/** Candidates are merged with the same limit. */
const RENAME_FILES_MAX = 20_000

export interface MergeRequest {
  readonly agent: string
  readonly slot: number
  /** Ours. */
  readonly target: string
  /** Theirs, and the task whose work it is. */
  readonly source: string
  readonly task: string
  readonly variables: SlotVariables
}

export type OpenedMerge =
  | { readonly kind: 'conflict'; readonly workspace: Workspace }
  /** Git finds no conflict any more. */
  | { readonly kind: 'clean'; readonly workspace: Workspace }
  | { readonly kind: 'failed'; readonly workspace: Workspace; readonly reason: string }

/**
 * A workspace in the middle of a merge: HEAD is the target, the task's work comes in, and what both changed
 * is left unmerged with the common ancestor between the markers. It is set up before the merge, because no
 * install survives markers in its manifest; from then on git runs in it only inside the sandbox.
 */
export async function openMerge(world: RunWorld, request: MergeRequest): Promise<OpenedMerge> {
  const { ground } = world
  const { agent, slot, target, source, task } = request
  const workspace = await createWorkspace(ground, { agent, task: MERGE, slot, base: target })
  const excludeIn = excludeFilesOf(ground, workspace)
  const ready = await setUp(world, request.variables, workspace.path, { excludeIn, fill: false })
  if (ready.kind === 'failed') {
    return {
      kind: 'failed',
      workspace,
      reason: `the set-up "${ready.command}" failed: ${ready.output.slice(-500)}`,
    }
  }
  const merged = await world.runLine({
    line: mergeLine(task, source),
    cwd: workspace.path,
    environment: { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', LC_ALL: 'C' },
    timeoutMs: MERGE_TIMEOUT_MS,
  })
  const { ending } = merged
  if (ending.kind === 'exited' && ending.exitCode === 0) return { kind: 'clean', workspace }
  if (ending.kind === 'exited' && ending.exitCode === 1) return { kind: 'conflict', workspace }
  const reason = `git would not merge: ${JSON.stringify(ending)} ${merged.stderr.slice(-500)}`
  return { kind: 'failed', workspace, reason }
}

/** The names contain no quote: AXIOM made them. */
function mergeLine(task: string, source: string): string {
  const settings = ['merge.conflictStyle=zdiff3', `merge.renameLimit=${RENAME_FILES_MAX}`, 'merge.ff=false']
  const merge = `git ${settings.map((setting) => `-c ${setting}`).join(' ')} merge --no-commit --no-ff --quiet ${task}`
  return `git update-ref refs/heads/${task} ${source} || exit 3; ${merge}`
}

/** The workspace in which a resolver or a person settled the conflict. */
export async function findMerge({ ground }: RunWorld, name: string): Promise<Workspace> {
  const found = (await listWorkspaces(ground)).find((workspace) => workspace.name === name)
  if (found) return found
  throw new Failure('WORKSPACE_MISSING', `The workspace ${name} is gone`, {
    hint: 'It was removed from outside; answer "retry" to have the conflict laid out again.',
  })
}
