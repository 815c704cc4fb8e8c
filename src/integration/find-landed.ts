import type { Git, Repository } from '../platform/git/git.ts'
import type { Entry } from './entry.ts'

const FIELD = '\x1f'
const TRAILERS = ['Task', 'Source'].map((key) => `%(trailers:key=${key},valueonly,unfold,separator=%x1e)`)

/**
 * The entries that are on the target already, by task, with the commit that brought each. Git alone is asked, so the
 * answer holds after any stop, and however a person merged in between. A source cannot contain the commit that names it: nothing older needs to be read.
 */
export async function findLanded(
  git: Git,
  repository: Repository,
  target: string,
  entries: readonly Entry[],
): Promise<Map<string, string>> {
  const landed = new Map<string, string>()
  if (entries.length === 0) return landed
  const sources = entries.map(({ source }) => source)
  const shared = await git.run(repository, ['merge-base', '--octopus', target, ...sources], {
    expect: [0, 1],
  })
  const older = shared.exitCode === 0 ? [`^${shared.stdout.toString('utf8').trim()}`] : []
  const words = ['log', `--format=${['%H', ...TRAILERS].join('%x1f')}`, target, ...older]
  const tasks = new Map(entries.map(({ task, source }) => [`${task}${FIELD}${source}`, task]))
  for (const line of (await git.text(repository, [...words, '--'])).split('\n')) {
    const [commit = '', ...trailers] = line.split(FIELD)
    const task = tasks.get(trailers.join(FIELD))
    if (task !== undefined) landed.set(task, commit)
  }
  return landed
}
