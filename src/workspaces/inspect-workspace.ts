import { Failure } from '../platform/failure.ts'
import { isRealDirectory } from '../platform/files/read-regular-file.ts'
import { type ChangedPath, changedPaths } from '../platform/git/repository-operations.ts'
import { snapshotWorkTree } from '../platform/git/snapshot-work-tree.ts'
import { type Exported, exportHead } from './export-commits.ts'
import { type Ground, openObserver, type Workspace } from './workspace.ts'

/** A workspace as AXIOM sees it, without having asked the workspace's own git. */
export interface Inspection {
  readonly exported: Exported
  /** Files that differ from the commit, ignored ones aside; empty means that the tree is clean. */
  readonly uncommitted: readonly ChangedPath[]
  /** Repositories inside the work tree; git would leave their content out of every commit. */
  readonly nested: readonly string[]
  readonly problems: readonly string[]
}

export async function inspectWorkspace(ground: Ground, workspace: Workspace): Promise<Inspection> {
  if (!(await isRealDirectory(workspace.path))) {
    throw new Failure('WORKSPACE_MISSING', `The workspace ${workspace.name} is gone`, {
      hint: 'It was removed from outside; the task must start again.',
    })
  }
  const exported = await exportHead(ground, workspace)
  const reference = exported.kind === 'refused' ? workspace.base : exported.commit
  const observer = await openObserver(ground, workspace.name)
  const { tree, nested, problems } = await snapshotWorkTree(
    ground.git,
    { ...observer, workTree: workspace.path },
    reference,
  )
  const uncommitted = await changedPaths(ground.git, observer, reference, tree)
  return { exported, uncommitted, nested, problems }
}
