import type { Git, Repository } from '../../../platform/git/git.ts'
import { changedPaths, isAncestor, readBlob, treeOf } from '../../../platform/git/repository-operations.ts'
import { explainFault, judgeClaim } from '../../../verification/prove-completion.ts'
import { inspectWorkspace } from '../../../workspaces/inspect-workspace.ts'
import type { Workspace } from '../../../workspaces/workspace.ts'
import type { RunWorld } from '../../run-world.ts'
import { verifyCandidate } from '../verify-candidate.ts'

export interface ResolutionRequest {
  readonly workspace: Workspace
  readonly task: string
  readonly target: string
  readonly source: string
}

export type JudgedResolution =
  | { readonly kind: 'sound'; readonly commit: string }
  /** `output` is what a check printed; the faults are AXIOM's own text. */
  | { readonly kind: 'refused'; readonly faults: readonly string[]; readonly output?: string }

/** A conflict is settled when a merge of both sides is committed, without a marker, and the checks pass. */
export async function judgeResolution(
  world: RunWorld,
  { workspace, task, target, source }: ResolutionRequest,
): Promise<JudgedResolution> {
  const { git, integration } = world.ground
  const { exported, uncommitted, nested } = await inspectWorkspace(world.ground, workspace)
  const faults = judgeClaim({ base: target, head: exported, uncommitted, nested }).map(explainFault)
  if (exported.kind !== 'exported' || faults.length > 0) return { kind: 'refused', faults }
  const { commit } = exported
  for (const [side, name] of [
    [target, 'the target'],
    [source, `the work of ${task}`],
  ] as const) {
    if (!(await isAncestor(git, integration, side, commit)))
      faults.push(`Your commit does not have ${name} (${side}) behind it: commit the merge itself.`)
  }
  if ((await treeOf(git, integration, commit)) === (await treeOf(git, integration, target)))
    faults.push(`Your commit is the target as it was: nothing of the work of ${task} is in it.`)
  const marked = await markersLeft(git, integration, { commit, target, source, task })
  faults.push(...marked.map((place) => `A conflict marker is left at ${place}.`))
  if (faults.length > 0) return { kind: 'refused', faults }
  const verdict = await verifyCandidate(world, commit, [{ task }])
  if (verdict.kind === 'green') return { kind: 'sound', commit }
  const fault = 'The checks are red on a fresh checkout of your commit.'
  return { kind: 'refused', faults: [fault], output: verdict.feedback ?? '' }
}

const MARKER = /^(?:<{7}|\|{7}|>{7})(?: |$)/
const DIVIDER = /^={7}$/
const MARKERS_SHOWN_MAX = 20

/**
 * Lines that look like markers and that neither side had. A row of equals signs is a heading in some
 * languages: it counts only where there are more of them than on either side.
 */
export async function markersLeft(
  git: Git,
  repository: Repository,
  merge: { readonly commit: string; readonly target: string; readonly source: string; readonly task: string },
): Promise<string[]> {
  const left: string[] = []
  for (const { path, status } of await changedPaths(git, repository, merge.target, merge.commit)) {
    if (status === 'D' || left.length >= MARKERS_SHOWN_MAX) continue
    const read = async (revision: string): Promise<string[]> =>
      ((await readBlob(git, repository, revision, path))?.toString('latin1') ?? '').split('\n')
    const [merged, ours, theirs] = [
      await read(merge.commit),
      await read(merge.target),
      await read(merge.source),
    ]
    const known = new Set([...ours, ...theirs])
    const dividers = (lines: readonly string[]): number => lines.filter((line) => DIVIDER.test(line)).length
    const hasDivider = dividers(merged) > Math.max(dividers(ours), dividers(theirs))
    for (const [i, line] of merged.entries()) {
      if ((MARKER.test(line) && !known.has(line)) || (hasDivider && DIVIDER.test(line)))
        left.push(`${path}:${i + 1}`)
    }
  }
  return left.slice(0, MARKERS_SHOWN_MAX)
}
