import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Failure } from '../platform/failure.ts'
import type { Repository } from '../platform/git/git.ts'
import { isWhole, listRefs, moveRefs, objectTypes } from '../platform/git/repository-operations.ts'
import type { Ground } from './workspace.ts'

/** Whether commits came over whole and sound; a refusal is an answer, because agents may write anything. */
export type Imported = { readonly kind: 'imported' } | { readonly kind: 'refused'; readonly reason: string }

export interface ImportRequest {
  readonly from: Repository
  /** Commits of `from`, by the ref that shall keep each of them in the integration repository. */
  readonly keep: ReadonlyMap<string, string>
  /** Commits that the integration repository has already. */
  readonly known: readonly string[]
  /** A file for the bundle; it is removed again. */
  readonly bundle: string
}

/**
 * Takes commits over from a clean repository that may hold objects somebody else made: as a bundle, whose every
 * object is checked on the way in. All refs are kept, or none.
 */
export async function importCommits(ground: Ground, request: ImportRequest): Promise<Imported> {
  const { git, integration } = ground
  const wanted = [...request.keep.values()]
  try {
    if (!(await allWhole(ground, wanted))) await carryOver(ground, request)
  } catch (error) {
    if (error instanceof Failure && REFUSALS.includes(error.code)) return { kind: 'refused', reason: error.message }
    throw error
  } finally {
    await rm(request.bundle, { force: true })
  }
  const moves = [...request.keep].map(([ref, to]) => ({ ref, to, from: undefined }))
  if ((await moveRefs(git, integration, moves)) !== 'moved') {
    throw new Failure('GIT_REF_REFUSED', `One of ${moves.map(({ ref }) => ref)} is taken`)
  }
  return { kind: 'imported' }
}

/** A fetch that failed may have left a commit without its trees; being there is not enough. */
async function allWhole({ git, integration }: Ground, commits: readonly string[]): Promise<boolean> {
  const types = await objectTypes(git, integration, commits)
  for (const commit of commits) {
    if (types.get(commit) !== 'commit' || !(await isWhole(git, integration, commit))) return false
  }
  return true
}

const REFUSALS = ['GIT_FAILED', 'GIT_UNSOUND_OBJECTS', 'GIT_REF_REFUSED']

async function carryOver(ground: Ground, { from, keep, known, bundle }: ImportRequest): Promise<void> {
  const { git, integration } = ground
  const staged = [...new Set(keep.values())].map((commit, i) => [`refs/carried/${i}`, commit] as const)
  for (const [ref, commit] of staged) await git.run(from, ['update-ref', ref, commit])
  const has = await objectTypes(git, from, known)
  const revisions = [...staged.map(([ref]) => ref), ...known.filter((c) => has.has(c)).map((c) => `^${c}`)]
  await mkdir(dirname(bundle), { recursive: true })
  await git.run(from, ['bundle', 'create', '--quiet', bundle, '--stdin'], {
    input: revisions.map((revision) => `${revision}\n`).join(''),
  })
  // Fetched without a place of their own: a ref is given only when everything has arrived.
  const words = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--', bundle]
  await git.run(integration, [...words, ...staged.map(([ref]) => ref)], {
    settings: ['fetch.fsckObjects=true', 'fetch.unpackLimit=1'],
  })
}

/** The next free number below a prefix such as `refs/axiom/runs/task-004`. */
export async function nextNumber(ground: Ground, prefix: string): Promise<number> {
  const refs = await listRefs(ground.git, ground.integration, `${prefix}/`)
  const numbers = [...refs.keys()].map((ref) => Number.parseInt(ref.slice(prefix.length + 1), 10))
  return Math.max(0, ...numbers.filter((n) => Number.isInteger(n))) + 1
}
