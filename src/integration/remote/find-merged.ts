import type { Git, Repository } from '../../platform/git/git.ts'
import { isAncestor, treeOf } from '../../platform/git/repository-operations.ts'
import { layOutAttributes } from '../attribute-tree.ts'
import type { CandidateGround, Entry } from '../entry.ts'
import { findLanded } from '../find-landed.ts'
import { mergeTrees } from '../merge-trees.ts'

/** An offered branch that may have been merged on the remote. */
export interface Offered {
  readonly entry: Entry
  /** What was pushed. */
  readonly commit: string
  /** The head of the branch when last seen: people may have added commits. */
  readonly head: string
}

/** Commits of the target that are compared with the pushed one; older ones precede it. */
const COMMITS_COMPARED_MAX = 500

/**
 * The commit of the target that merged an offered branch, however it was done: by fast-forward, by a merge
 * commit, rebased, or squashed into another commit with another message.
 */
export async function findMerged(
  ground: CandidateGround,
  target: string,
  { entry, commit, head }: Offered,
): Promise<string | undefined> {
  const { git, repository } = ground
  const named = (await findLanded(git, repository, target, [entry])).get(entry.task)
  if (named !== undefined) return named
  for (const tip of new Set([head, commit])) {
    if (await isAncestor(git, repository, tip, target)) return tip
    const found = (await findSamePatch(git, repository, target, tip)) ?? (await hasAll(ground, target, tip))
    if (found !== undefined) return found
  }
  return undefined
}

/** A commit that changes the same lines in the same way as the whole branch, wherever it begins. */
async function findSamePatch(
  git: Git,
  repository: Repository,
  target: string,
  tip: string,
): Promise<string | undefined> {
  const base = await git.run(repository, ['merge-base', target, tip], { expect: [0, 1] })
  const from = base.stdout.toString('utf8').trim()
  if (from === '') return undefined
  const plain = ['--no-ext-diff', '--no-textconv', '--no-color', '--binary', '--full-index']
  const own = await git.run(repository, ['diff-tree', '-p', ...plain, from, tip, '--'])
  const [wanted] = await patchesIn(git, repository, own.stdout)
  if (wanted === undefined) return undefined
  const since = [`--max-count=${COMMITS_COMPARED_MAX}`, '--first-parent', '--diff-merges=first-parent']
  const words = ['log', '-p', ...plain, ...since, '--format=commit %H', target, `^${from}`, '--']
  const patches = await patchesIn(git, repository, (await git.run(repository, words)).stdout)
  return patches.find(({ id }) => id === wanted.id)?.commit
}

interface Patch {
  readonly id: string
  readonly commit: string
}

async function patchesIn(git: Git, repository: Repository, diff: Buffer): Promise<Patch[]> {
  if (diff.length === 0) return []
  const text = await git.text(repository, ['patch-id', '--stable'], { input: diff })
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ id: line.split(' ')[0] ?? '', commit: line.split(' ')[1] ?? '' }))
}

/** The target, if a merge of the branch would change nothing any more. */
async function hasAll(
  { git, repository, scratchDir }: CandidateGround,
  target: string,
  tip: string,
): Promise<string | undefined> {
  const workTree = await layOutAttributes(git, repository, scratchDir, target)
  const merged = await mergeTrees(git, { ...repository, workTree }, target, tip)
  if (merged.kind !== 'merged') return undefined
  return merged.tree === (await treeOf(git, repository, target)) ? target : undefined
}
