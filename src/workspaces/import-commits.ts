import { Failure } from '../platform/failure.ts'
import type { Git, Repository } from '../platform/git/git.ts'
import { writeRefs } from '../platform/git/lay-out-repository.ts'
import { isWhole, listRefs, moveRefs, resolveCommit } from '../platform/git/repository-operations.ts'

/** Whether the commits are complete and sound; a refusal is an outcome, because agents may write anything. */
export type Imported =
  | { readonly kind: 'imported' }
  /** `unsound`: git's check rejects an object. `broken`: an object is missing or does not match its name. */
  | { readonly kind: 'refused'; readonly why: 'unsound' | 'broken'; readonly reason: string }

export interface ImportRequest {
  readonly from: Repository
  readonly into: Repository
  /** Commits of `from`, by the ref that will keep each of them in the integration repository. */
  readonly keep: ReadonlyMap<string, string>
  /** Whether git runs its `fsck` checks on each object; that it matches its name is always checked. */
  readonly checked?: boolean
}

/**
 * Imports commits from a clean repository that may hold untrusted objects; every object is checked on the way
 * in. Not by a bundle: git 2.39 does not check the objects of a bundle, regardless of its settings.
 * All refs are kept, or none.
 */
export async function importCommits(git: Git, request: ImportRequest): Promise<Imported> {
  const { into, keep, checked = true } = request
  for (const ref of keep.keys()) {
    if ((await resolveCommit(git, into, ref)) !== undefined) throw taken(ref)
  }
  try {
    if (!(await allWhole(git, into, [...keep.values()]))) {
      await carryOver(git, request, checked)
      return { kind: 'imported' }
    }
  } catch (error) {
    const why = error instanceof Failure ? REFUSALS.get(error.code) : undefined
    if (!(error instanceof Failure) || why === undefined) throw error
    return { kind: 'refused', why, reason: error.message }
  }
  const moves = [...keep].map(([ref, to]) => ({ ref, to, from: undefined }))
  if ((await moveRefs(git, into, moves)) !== 'moved') throw taken([...keep.keys()].join(' or '))
  return { kind: 'imported' }
}

function taken(ref: string): Failure {
  return new Failure('GIT_REF_REFUSED', `${ref} is taken`)
}

/** A failed fetch may have left a commit without its trees, so its existence is not enough. */
async function allWhole(git: Git, into: Repository, commits: readonly string[]): Promise<boolean> {
  for (const commit of commits) {
    if ((await resolveCommit(git, into, commit)) !== commit || !(await isWhole(git, into, commit)))
      return false
  }
  return true
}

const REFUSALS: ReadonlyMap<string, 'unsound' | 'broken'> = new Map([
  ['GIT_UNSOUND_OBJECTS', 'unsound'],
  ['GIT_FAILED', 'broken'],
  ['GIT_REF_REFUSED', 'broken'],
])

/** Git sets the refs last, after all objects have arrived and passed the check: all of them, or none. */
async function carryOver(git: Git, { from, into, keep }: ImportRequest, checked: boolean): Promise<void> {
  const carried = [...keep].map(([ref, commit], i) => ({ name: `refs/carried/${i}`, ref, commit }))
  writeRefs(from.gitDir, Object.fromEntries(carried.map(({ name, commit }) => [name, commit])))
  const words = ['fetch', '--quiet', '--atomic', '--no-tags', '--no-write-fetch-head', '--', from.gitDir]
  await git.run(into, [...words, ...carried.map(({ name, ref }) => `${name}:${ref}`)], {
    settings: [`fetch.fsckObjects=${checked}`, 'fetch.unpackLimit=1'],
  })
}

/** The next free number below a prefix such as `refs/axiom/runs/task-004`. */
export async function nextNumber(git: Git, repository: Repository, prefix: string): Promise<number> {
  const refs = await listRefs(git, repository, `${prefix}/`)
  const numbers = [...refs.keys()].map((ref) => Number.parseInt(ref.slice(prefix.length + 1), 10))
  return Math.max(0, ...numbers.filter((n) => Number.isInteger(n))) + 1
}
