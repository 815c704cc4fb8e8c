import type { Git, Repository } from '../platform/git/git.ts'
import { isAncestor } from '../platform/git/repository-operations.ts'
import type { Entry } from './entry.ts'

const FIELD = '\x1f'
const SEPARATOR = '\x1e'
const TRAILERS = ['Task', 'Source', 'Reverts'].map(
  (key) => `%(trailers:key=${key},valueonly,unfold,separator=%x1e)`,
)

/**
 * The entries that are on the target already, by task, with the commit that landed each. Only git is read, so
 * the answer holds after any crash, and however a person merged in between. A source cannot contain the
 * commit that names it, so nothing older needs to be read. An entry that a rollback reverted counts as
 * absent, despite its trailers, and may land again.
 */
export async function findLanded(
  git: Git,
  repository: Repository,
  target: string,
  entries: readonly Entry[],
): Promise<Map<string, string>> {
  const landed = new Map<string, string>()
  if (entries.length === 0) return landed
  const [only] = entries
  // Work that started from the current target cannot be on it already.
  if (only && entries.length === 1 && (await isAncestor(git, repository, target, only.source))) return landed
  const older = await sharedBefore(git, repository, target, entries)
  const words = ['log', '--topo-order', `--format=${['%H', ...TRAILERS].join('%x1f')}`, target, ...older]
  const tasks = new Map(entries.map(({ task, source }) => [`${task}${FIELD}${source}`, task]))
  const reverted = new Set<string>()
  for (const line of (await git.text(repository, [...words, '--'])).split('\n')) {
    const [commit = '', named = '', source = '', reverts = ''] = line.split(FIELD)
    for (const earlier of reverts.split(SEPARATOR)) reverted.add(earlier)
    const task = tasks.get(`${named}${FIELD}${source}`)
    if (task !== undefined && !reverted.has(commit)) landed.set(task, commit)
  }
  return landed
}

/**
 * The shared history of target and sources. For one source, all its ancestors are excluded: its landing is
 * not one.
 */
async function sharedBefore(
  git: Git,
  repository: Repository,
  target: string,
  entries: readonly Entry[],
): Promise<string[]> {
  const [first, ...others] = entries.map(({ source }) => source)
  if (first === undefined) return []
  if (others.length === 0) return [`^${first}`]
  const words = ['merge-base', '--octopus', target, first, ...others]
  const shared = await git.run(repository, words, { expect: [0, 1] })
  return shared.exitCode === 0 ? [`^${shared.stdout.toString('utf8').trim()}`] : []
}
