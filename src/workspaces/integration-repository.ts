import { join } from 'node:path'
import { Failure } from '../platform/failure.ts'
import type { Git, LastingRepository } from '../platform/git/git.ts'
import { layOutRepository } from '../platform/git/lay-out-repository.ts'
import { safeBranch } from '../platform/git/names.ts'
import { moveRefs, resolveCommit } from '../platform/git/repository-operations.ts'
import { Turnstile } from '../platform/turnstile.ts'

/** The clean bare repository in which all merging happens; its target branch is the target of record. */
export interface IntegrationRepository extends LastingRepository {
  readonly objects: string
  readonly target: string
  /** Serialises all writes: git's own locks fail instead of waiting. */
  readonly writing: Turnstile
}

/** The git configuration of this repository: no garbage collection, no hooks, every write synced. */
const CONFIGURATION = `	hooksPath = /dev/null
	fsync = committed,reference
	fsyncMethod = batch
[gc]
	auto = 0
	pruneExpire = never
[maintenance]
	auto = false
[receive]
	denyDeletes = true
	denyNonFastForwards = true
`

export async function openIntegrationRepository(
  gitDir: string,
  target: string,
): Promise<IntegrationRepository> {
  safeBranch(target)
  // Written at every start: a foreign change of the configuration is overwritten before git reads it.
  layOutRepository(gitDir, { head: target, configuration: CONFIGURATION })
  return { gitDir, lasting: true, objects: join(gitDir, 'objects'), target, writing: new Turnstile(1) }
}

/** The result of fetching the user's branch. The target of record moves only while it is still unborn. */
export type TargetSeen =
  | { readonly kind: 'unborn' }
  | { readonly kind: 'first' | 'same' | 'different'; readonly user: string; readonly record: string }

/** The user's branch as last seen, kept apart from the target of record. */
const SEEN = 'refs/axiom/user'

/**
 * Fetches the target branch, and nothing else, from the user's repository. The user's objects are copied,
 * never borrowed: a prune in that repository must not remove objects here.
 */
export async function fetchTarget(
  git: Git,
  integration: IntegrationRepository,
  userGitDir: string,
): Promise<TargetSeen> {
  const { target } = integration
  const seen = `${SEEN}/${target}`
  return integration.writing.pass(async () => {
    const words = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--update-shallow', '--force']
    const { exitCode, stderr } = await git.run(
      integration,
      [...words, '--', userGitDir, `refs/heads/${target}:${seen}`],
      { expect: [0, 128] },
    )
    if (exitCode !== 0 && stderr.includes("couldn't find remote ref")) return { kind: 'unborn' }
    if (exitCode !== 0)
      throw new Failure('GIT_FETCH_FAILED', `The branch ${target} could not be read: ${stderr}`)
    const user = await resolveCommit(git, integration, seen)
    if (user === undefined) throw new Failure('GIT_FETCH_FAILED', `The branch ${target} names no commit`)
    const record = await resolveCommit(git, integration, `refs/heads/${target}`)
    if (record !== undefined) return { kind: record === user ? 'same' : 'different', user, record }
    await moveRefs(git, integration, [{ ref: `refs/heads/${target}`, to: user, from: undefined }])
    return { kind: 'first', user, record: user }
  })
}

export async function targetOfRecord(git: Git, integration: IntegrationRepository): Promise<string> {
  const commit = await resolveCommit(git, integration, `refs/heads/${integration.target}`)
  if (commit !== undefined) return commit
  throw new Failure('GIT_NO_TARGET', `The branch ${integration.target} has no commit yet`, {
    hint: 'Make a first commit, or let AXIOM make one.',
  })
}
