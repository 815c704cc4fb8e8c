import { isAbsolute, resolve } from 'node:path'
import { Failure } from '../../platform/failure.ts'
import type { Git, Repository } from '../../platform/git/git.ts'
import { resolveCommit } from '../../platform/git/repository-operations.ts'

/** The git remote on which people land pushed branches. */
export interface Remote {
  /** Its name in the user's configuration. */
  readonly name: string
  readonly url: string
  readonly pushUrl: string
  /** The environment by which the user's own git reaches it: configuration, key agent. */
  readonly environment: Readonly<Record<string, string>>
}

/** The remote's answer; an unreachable remote is an expected outcome and is tried again. */
export type RemoteAnswer<Value> = Value | { readonly kind: 'unreachable'; readonly said: string }

/** The branches of the remote as last seen, apart from AXIOM's own refs. */
const SEEN = 'refs/axiom/remote'
const SAID_CHARACTERS_MAX = 800

/** Finds the remote in the configuration of the user's repository, as the user's own git would. */
export async function findRemote(
  git: Git,
  user: Repository,
  root: string,
  name: string,
  environment: Readonly<Record<string, string>>,
): Promise<Remote> {
  const urlOf = async (...flags: readonly string[]): Promise<string> => {
    const words = ['remote', 'get-url', ...flags, '--', name]
    const { exitCode, stdout } = await git.run(user, words, { expect: [0, 2, 128], environment })
    if (exitCode === 0) return placeOf(root, stdout.toString('utf8').trim())
    throw new Failure('REMOTE_FETCH_FAILED', `the repository has no remote ${name}`, {
      hint: `git remote add ${name} URL, or axiom config set integration.remote NAME`,
    })
  }
  return { name, url: await urlOf(), pushUrl: await urlOf('--push'), environment }
}

/** A relative path starts at the user's repository, not at AXIOM's. */
function placeOf(root: string, url: string): string {
  const isPath = !/^[a-z][a-z0-9+.-]*:/i.test(url) && !/^[^/]*:/.test(url)
  return isPath && !isAbsolute(url) ? resolve(root, url) : url
}

/** The current heads of branches of the remote; a branch that does not exist is left out. */
export async function listHeads(
  git: Git,
  integration: Repository,
  { url, environment }: Remote,
  branches: readonly string[],
): Promise<RemoteAnswer<{ readonly kind: 'listed'; readonly heads: ReadonlyMap<string, string> }>> {
  const refs = branches.map((branch) => `refs/heads/${branch}`)
  const answer = await git.run(integration, ['ls-remote', '--quiet', '--', url, ...refs], {
    expect: [0, 1, 128],
    environment,
  })
  if (answer.exitCode !== 0) return { kind: 'unreachable', said: tail(answer.stderr) }
  const lines = answer.stdout.toString('utf8').split('\n').filter(Boolean)
  const found = lines.map((line) => line.split('\t') as [string, string])
  const heads = found.filter(([, ref]) => refs.includes(ref))
  return {
    kind: 'listed',
    heads: new Map(heads.map(([commit, ref]) => [ref.slice('refs/heads/'.length), commit])),
  }
}

/** Fetches branches, and nothing else, with everything behind them. */
export async function fetchHeads(
  git: Git,
  integration: Repository,
  { url, environment }: Remote,
  heads: ReadonlyMap<string, string>,
): Promise<RemoteAnswer<{ readonly kind: 'fetched' }>> {
  const missing: string[] = []
  for (const [branch, commit] of heads) {
    const known = await resolveCommit(git, integration, `${SEEN}/${branch}`)
    if (known !== commit) missing.push(`+refs/heads/${branch}:${SEEN}/${branch}`)
  }
  if (missing.length === 0) return { kind: 'fetched' }
  const words = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance']
  const answer = await git.run(integration, [...words, '--', url, ...missing], {
    expect: [0, 1, 128],
    environment,
  })
  return answer.exitCode === 0 ? { kind: 'fetched' } : { kind: 'unreachable', said: tail(answer.stderr) }
}

export type Push =
  | { readonly kind: 'pushed' }
  /** The branch is no longer at the expected commit. */
  | { readonly kind: 'moved-meanwhile' }
  /** The remote itself refuses: a hook, a protected branch, a missing permission. */
  | { readonly kind: 'declined'; readonly said: string }

/** Pushes a commit if the branch is still at the commit that the caller saw; `undefined` means no branch. */
export async function pushBranch(
  git: Git,
  integration: Repository,
  { pushUrl, environment }: Remote,
  { branch, commit, seen }: { readonly branch: string; readonly commit: string; readonly seen?: string },
): Promise<RemoteAnswer<Push>> {
  const ref = `refs/heads/${branch}`
  const lease = `--force-with-lease=${ref}:${seen ?? ''}`
  const words = ['push', '--porcelain', '--no-verify', lease, '--', pushUrl, `${commit}:${ref}`]
  const answer = await git.run(integration, words, { expect: [0, 1, 128], environment })
  if (answer.exitCode === 0) return { kind: 'pushed' }
  const status = answer.stdout
    .toString('utf8')
    .split('\n')
    .find((line) => line.startsWith('!'))
  if (status === undefined) return { kind: 'unreachable', said: tail(answer.stderr) }
  if (status.includes('(stale info)') || status.includes('(fetch first)')) return { kind: 'moved-meanwhile' }
  return { kind: 'declined', said: tail(`${answer.stderr}\n${status.split('\t').at(-1) ?? ''}`) }
}

function tail(text: string): string {
  return text.trim().slice(-SAID_CHARACTERS_MAX)
}
