import { Failure } from '../platform/failure.ts'
import { isRealDirectory } from '../platform/files/read-regular-file.ts'
import type { ChangedPath } from '../platform/git/compare-trees.ts'
import { compareWorkTree } from '../platform/git/snapshot-work-tree.ts'
import { type Exported, exportHead } from './export-commits.ts'
import { openObserver, type SeenGround, type Workspace } from './workspace.ts'

/** A workspace as AXIOM sees it, without running git in the workspace. */
export interface Inspection {
  readonly exported: Exported
  /** Files that differ from the commit, ignored ones aside; empty means that the tree is clean. */
  readonly uncommitted: readonly ChangedPath[]
  /** Repositories inside the work tree; git would leave their content out of every commit. */
  readonly nested: readonly string[]
  readonly problems: readonly string[]
}

export async function inspectWorkspace(ground: SeenGround, workspace: Workspace): Promise<Inspection> {
  if (!(await isRealDirectory(workspace.path))) {
    throw new Failure('WORKSPACE_MISSING', `The workspace ${workspace.name} is gone`, {
      hint: 'It was removed from outside; the task must start again.',
    })
  }
  const observer = await openObserver(ground, workspace.name)
  const exporting = exportHead(ground, workspace)
  const reference = exporting.then((head) => (head.kind === 'refused' ? workspace.base : head.commit))
  const looking = { ...observer, workTree: workspace.path }
  // Both are awaited even when one fails: no process may still be at work there when the failure is reported.
  const looked = compareWorkTree(ground.git, looking, reference)
  await Promise.allSettled([exporting, looked, reference])
  const { changed, nested, problems } = await looked
  return { exported: await exporting, uncommitted: changed, nested, problems }
}
