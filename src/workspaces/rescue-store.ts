import { dirname, join } from 'node:path'
import { kindOf } from '../platform/files/read-regular-file.ts'
import type { Repository } from '../platform/git/git.ts'
import { layOutRepository } from '../platform/git/lay-out-repository.ts'
import { isReferenced, listRefs, treeOf } from '../platform/git/repository-operations.ts'
import { importCommits, nextNumber } from './import-commits.ts'
import type { SeenGround } from './workspace.ts'

/** Saved work stays below this prefix until a person removes it. */
export const RESCUE = 'refs/axiom/rescue'

export interface Rescue {
  /** Refs of the integration repository that keep the saved work. */
  readonly refs: readonly string[]
  /** Refs of the repository for objects that git's check rejects: kept for inspection, never merged. */
  readonly unsound: readonly string[]
  /** Why something could not be saved; a workspace with such reasons must not be removed. */
  readonly unsaved: readonly string[]
}

export const NOTHING: Rescue = { refs: [], unsound: [], unsaved: [] }

export function joinRescues(parts: readonly Rescue[]): Rescue {
  return {
    refs: parts.flatMap(({ refs }) => refs),
    unsound: parts.flatMap(({ unsound }) => unsound),
    unsaved: parts.flatMap(({ unsaved }) => unsaved),
  }
}

/**
 * Keeps a commit under a ref: in the integration repository if it passes git's check, else in a separate one.
 */
export async function saveCommit(
  ground: SeenGround,
  from: Repository,
  ref: string,
  commit: string,
  label: string,
): Promise<Rescue> {
  const keep = new Map([[ref, commit]])
  const sound = await importCommits(ground.git, { from, into: ground.integration, keep })
  if (sound.kind === 'imported') return { ...NOTHING, refs: [ref] }
  const unsaved = [`${label}commit ${commit}: ${sound.reason}`]
  if (sound.why === 'broken') return { ...NOTHING, unsaved }
  const into = await openUnsound(ground)
  const kept = await importCommits(ground.git, { from, into, keep, checked: false })
  return kept.kind === 'imported' ? { ...NOTHING, unsound: [ref] } : { ...NOTHING, unsaved }
}

/** Separate, because an object already in the integration repository would not be checked again. */
async function openUnsound(ground: SeenGround): Promise<Repository> {
  const repository = unsoundRepository(ground)
  if ((await kindOf(join(repository.gitDir, 'HEAD'))) === 'absent') {
    layOutRepository(repository.gitDir, { head: 'none', borrowFrom: ground.integration.gitDir })
  }
  return repository
}

function unsoundRepository(ground: SeenGround): Repository {
  return { gitDir: join(dirname(ground.integration.gitDir), 'unsound.git') }
}

/** The repositories with saved work: the integration repository and the one for unsound objects. */
export async function rescueStores(ground: SeenGround): Promise<Repository[]> {
  const unsound = unsoundRepository(ground)
  return (await kindOf(unsound.gitDir)) === 'absent' ? [ground.integration] : [ground.integration, unsound]
}

/** Whether a ref anywhere keeps this commit. */
export async function isSaved(ground: SeenGround, commit: string): Promise<boolean> {
  for (const store of await rescueStores(ground))
    if (await isReferenced(ground.git, store, commit)) return true
  return false
}

/** Whether the same tree was saved from this workspace before. */
export async function isTreeSaved(ground: SeenGround, name: string, tree: string): Promise<boolean> {
  for (const store of await rescueStores(ground)) {
    for (const commit of (await listRefs(ground.git, store, `${RESCUE}/${name}/`)).values()) {
      if ((await treeOf(ground.git, store, commit)) === tree) return true
    }
  }
  return false
}

/** The next number for the rescues of a workspace, across both repositories. */
export async function nextRescue(ground: SeenGround, name: string): Promise<number> {
  const numbers: number[] = []
  for (const store of await rescueStores(ground))
    numbers.push(await nextNumber(ground.git, store, `${RESCUE}/${name}`))
  return Math.max(...numbers)
}
