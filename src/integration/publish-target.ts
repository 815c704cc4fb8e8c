import { Failure } from '../platform/failure.ts'
import type { Git, Repository } from '../platform/git/git.ts'
import { safeBranch } from '../platform/git/names.ts'
import { isAncestor, resolveCommit } from '../platform/git/repository-operations.ts'

export interface PublishRequest {
  readonly git: Git
  readonly integration: Repository
  /** The user's repository: its common git directory. */
  readonly user: Repository
  readonly target: string
  /** The environment of the user's own git where it writes files, such as the path of the configuration. */
  readonly userEnvironment?: Readonly<Record<string, string>>
  /** Creates the branch again if it is gone. */
  readonly restores?: true
}

export type Publication =
  | { readonly kind: 'same'; readonly commit: string }
  | {
      readonly kind: 'published'
      readonly from: string | undefined
      readonly to: string
      readonly workTree: string | undefined
    }
  /** The user's branch has commits of its own; they enter as a candidate before anything is published. */
  | { readonly kind: 'ahead' | 'diverged'; readonly user: string; readonly record: string }
  /** The user deleted the branch, and only the user may decide to create it again. */
  | { readonly kind: 'missing'; readonly command: string }
  | {
      readonly kind: 'refused'
      readonly workTree: string | undefined
      /** The files that block the update, as far as git named them. */
      readonly files: readonly string[]
      readonly said: string
      /** The command that the user can run later. */
      readonly command: string
    }

/**
 * Updates the user's branch to the target of record, if that loses nothing. A branch that is checked out
 * moves only together with its index and files: otherwise the user's next commit would revert what landed.
 */
export async function publishTarget(request: PublishRequest): Promise<Publication> {
  const { git, integration, user } = request
  const ref = `refs/heads/${safeBranch(request.target)}`
  const record = await resolveCommit(git, integration, ref)
  if (record === undefined)
    throw new Failure('GIT_NO_TARGET', `The branch ${request.target} has no commit yet`)
  const from = await resolveCommit(git, user, ref)
  if (from === undefined && request.restores) return fetchInto(request, ref, from, record)
  if (from === undefined) return { kind: 'missing', command: fetchCommand(request) }
  if (from === record) return { kind: 'same', commit: record }
  await git.run(user, [...FETCH, '--', integration.gitDir, ref])
  if (!(await isAncestor(git, user, from, record))) {
    const ahead = await isAncestor(git, user, record, from)
    return { kind: ahead ? 'ahead' : 'diverged', user: from, record }
  }
  const [workTree, another] = await workTreesOn(git, user, ref)
  if (workTree === undefined) return fetchInto(request, ref, from, record)
  if (another === undefined) return fastForward(request, workTree, from, record)
  const said = `The branch is checked out in both ${workTree} and ${another}.`
  return { kind: 'refused', workTree, files: [], said, command: mergeCommand(workTree, record) }
}

const FETCH = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance']

function fetchCommand({ integration, target }: PublishRequest): string {
  return `git fetch ${quote(integration.gitDir)} ${target}:${target}`
}

function mergeCommand(workTree: string, record: string): string {
  return `git -C ${quote(workTree)} merge --ff-only ${record}`
}

function quote(path: string): string {
  return /^[\w/.@+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}

/** Work trees, the main one included, in which the branch is checked out. */
async function workTreesOn(git: Git, user: Repository, ref: string): Promise<string[]> {
  const { stdout } = await git.run(user, ['worktree', 'list', '--porcelain', '-z'])
  return stdout
    .toString('utf8')
    .split('\0\0')
    .map((record) => record.split('\0'))
    .filter((lines) => lines.includes(`branch ${ref}`) && !lines.includes('bare'))
    .map((lines) => lines.find((line) => line.startsWith('worktree '))?.slice('worktree '.length) ?? '')
}

/** Git itself refuses when the branch was checked out or is being rebased meanwhile. */
async function fetchInto(
  request: PublishRequest,
  ref: string,
  from: string | undefined,
  record: string,
): Promise<Publication> {
  const { git, user, integration } = request
  const words = [...FETCH, '--', integration.gitDir, `${ref}:${ref}`]
  const { exitCode, stderr } = await git.run(user, words, { expect: [0, 1, 128] })
  if (exitCode === 0) return { kind: 'published', from, to: record, workTree: undefined }
  const command = fetchCommand(request)
  return { kind: 'refused', workTree: undefined, files: [], said: stderr, command }
}

async function fastForward(
  request: PublishRequest,
  workTree: string,
  from: string,
  record: string,
): Promise<Publication> {
  const words = ['merge', '--quiet', '--ff-only', '--no-overwrite-ignore', '--no-edit', record]
  const { exitCode, stderr } = await request.git.run({ cwd: workTree }, words, {
    expect: [0, 1, 2, 128],
    // A stash is a change of the user's files that may fail half-way.
    settings: ['merge.autoStash=false', 'merge.verifySignatures=false', 'user.useConfigOnly=false'],
    environment: { ...COMMITTER, ...request.userEnvironment },
  })
  if (exitCode === 0) return { kind: 'published', from, to: record, workTree }
  const files = stderr
    .split('\n')
    .filter((line) => line.startsWith('\t'))
    .map((line) => line.slice(1))
  return { kind: 'refused', workTree, files, said: stderr, command: mergeCommand(workTree, record) }
}

/** For the log of the branch only: a fast-forward makes no commit. */
const COMMITTER = { GIT_COMMITTER_NAME: 'AXIOM', GIT_COMMITTER_EMAIL: 'axiom@axiom.invalid' }
