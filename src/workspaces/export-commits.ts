import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { copyForeignObjects } from '../platform/git/copy-foreign-objects.ts'
import type { Repository } from '../platform/git/git.ts'
import { type ForeignHead, readForeignHead } from '../platform/git/read-foreign-refs.ts'
import { objectTypes, parentsOf, resolveCommit } from '../platform/git/repository-operations.ts'
import { importCommits } from './import-commits.ts'
import { observerOf, type SeenGround, type Workspace } from './workspace.ts'

/** The result of exporting the commit at a workspace's HEAD. */
export type Exported =
  /** HEAD is still the commit that the workspace started from. */
  | { readonly kind: 'nothing-new'; readonly commit: string }
  | { readonly kind: 'exported'; readonly commit: string; readonly ref: string }
  | { readonly kind: 'refused'; readonly reason: string }

/** Agents' commits stay below this prefix as they were made, numbered per task. */
export const RUNS = 'refs/axiom/runs'

/** Imports the commit at an agent's HEAD into the integration repository; git never runs in the workspace. */
export async function exportHead(ground: SeenGround, workspace: Workspace): Promise<Exported> {
  const head = await readForeignHead(join(workspace.path, '.git'))
  if (head.kind !== 'commit') return { kind: 'refused', reason: reasonOf(head) }
  if (head.commit === workspace.base) return { kind: 'nothing-new', commit: head.commit }
  return ground.integration.writing.pass(async () => {
    const prefix = `${RUNS}/${workspace.task}`
    const { ref, commit } = await placeFor(ground, prefix, head.commit)
    if (commit !== undefined) return { kind: 'exported', commit, ref }
    const imported = await withForeignObjects(ground, workspace, (from) =>
      importCommits(ground.git, { from, into: ground.integration, keep: new Map([[ref, head.commit]]) }),
    )
    return imported.kind === 'imported' ? { kind: 'exported', commit: head.commit, ref } : imported
  })
}

/** The ref that already keeps the commit, or else the first number that is free. */
async function placeFor(
  { git, integration }: SeenGround,
  prefix: string,
  wanted: string,
): Promise<{ ref: string; commit: string | undefined }> {
  for (let number = 1; ; number += 1) {
    const ref = `${prefix}/${number}`
    const commit = await resolveCommit(git, integration, ref)
    if (commit === undefined || commit === wanted) return { ref, commit }
  }
}

function reasonOf(head: Exclude<ForeignHead, { kind: 'commit' }>): string {
  return head.kind === 'unborn' ? `${head.branch} has no commit` : head.reason
}

/** Calls a function with a clean temporary repository that holds copies of the workspace's objects. */
export async function withForeignObjects<T>(
  ground: SeenGround,
  place: { readonly name: string; readonly path: string },
  work: (foreign: Repository, names: readonly string[]) => Promise<T>,
): Promise<T> {
  const gitDir = join(observerOf(ground, place.name).folder, 'foreign.git')
  await rm(gitDir, { recursive: true, force: true })
  try {
    const { git, integration } = ground
    const names = await copyForeignObjects(git, join(place.path, '.git'), gitDir, integration.gitDir)
    return await work({ gitDir }, names)
  } finally {
    await rm(gitDir, { recursive: true, force: true })
  }
}

/** The given commits that are not an ancestor of another one. */
export async function tipsOf(
  ground: SeenGround,
  from: Repository,
  names: readonly string[],
): Promise<string[]> {
  const types = await objectTypes(ground.git, from, names)
  const commits = names.filter((name) => types.get(name) === 'commit')
  if (commits.length === 0) return []
  const parents = new Set(await parentsOf(ground.git, from, commits))
  return commits.filter((commit) => !parents.has(commit))
}
