import { commitTree, isAncestor, treeOf } from '../platform/git/repository-operations.ts'
import { layOutAttributes } from './attribute-tree.ts'
import { type LandingGround, moveTarget, readTarget, verifyTwice } from './landing-ground.ts'
import { type Conflict, mergeTrees } from './merge-trees.ts'

/** What became of the commits that the user himself made on the target. */
export type Intake =
  | { readonly kind: 'nothing-new' }
  | { readonly kind: 'taken-in'; readonly commit: string }
  /** What was seen of his branch before is no longer in it: he rewrote it, and only he can say what now counts. */
  | { readonly kind: 'rewritten'; readonly user: string; readonly seenBefore: string }
  | { readonly kind: 'conflict'; readonly target: string; readonly conflict: Conflict }
  | { readonly kind: 'unrelated' }
  | {
      readonly kind: 'rejected'
      readonly commit: string
      readonly evidence: string
      readonly feedback?: string
    }
  /** Something landed during the checks; ask again. */
  | { readonly kind: 'target-moved' }

const AUTHOR = { name: 'AXIOM', email: 'axiom@axiom.invalid' }

/**
 * Brings the user's commits to the target of record as they are: his branch can then be fast-forwarded to it. They
 * pass the same checks as everything else.
 */
export async function takeInCommits(
  ground: LandingGround,
  user: string,
  seenBefore: string | undefined,
): Promise<Intake> {
  const { git, repository } = ground
  if (seenBefore !== undefined && !(await isAncestor(git, repository, seenBefore, user))) {
    return { kind: 'rewritten', user, seenBefore }
  }
  const target = await readTarget(ground)
  if (await isAncestor(git, repository, user, target)) return { kind: 'nothing-new' }
  const joined = await joinCommits(ground, target, user)
  if (joined.kind !== 'joined') return joined
  return bringIn(ground, target, joined.commit)
}

/**
 * Brings the user's branch to the target as it is. What landed and is not in it is taken back, by a commit that has
 * both behind it: nothing leaves the history, and his branch can be fast-forwarded.
 */
export async function adoptCommits(ground: LandingGround, user: string): Promise<Intake> {
  const { git, repository } = ground
  const target = await readTarget(ground)
  if (await isAncestor(git, repository, target, user)) return bringIn(ground, target, user)
  const commit = await commitTree(git, repository, {
    tree: await treeOf(git, repository, user),
    parents: [target, user],
    message: `Keep ${ground.target} as it was made by hand\n`,
    author: AUTHOR,
    atMs: ground.now(),
  })
  return bringIn(ground, target, commit)
}

async function bringIn(ground: LandingGround, target: string, commit: string): Promise<Intake> {
  const verdict = await verifyTwice(ground, commit, { flaky: [], runs: 0 })
  if (verdict.kind === 'red') {
    const { evidence, feedback = '' } = verdict
    return { kind: 'rejected', commit, evidence, feedback }
  }
  const moved = await moveTarget(ground, target, commit, [])
  return moved === 'moved' ? { kind: 'taken-in', commit } : { kind: 'target-moved' }
}

async function joinCommits(
  ground: LandingGround,
  target: string,
  user: string,
): Promise<Extract<Intake, { kind: 'conflict' | 'unrelated' }> | { kind: 'joined'; commit: string }> {
  const { git, repository, scratchDir } = ground
  if (await isAncestor(git, repository, target, user)) return { kind: 'joined', commit: user }
  const workTree = await layOutAttributes(git, repository, scratchDir, target)
  const merge = await mergeTrees(git, { ...repository, workTree }, target, user)
  if (merge.kind === 'unrelated') return merge
  if (merge.kind === 'conflict') return { kind: 'conflict', target, conflict: merge.conflict }
  const message = `Merge commits made on ${ground.target}\n`
  const parents = [target, user]
  const atMs = ground.now()
  const commit = await commitTree(git, repository, {
    tree: merge.tree,
    parents,
    message,
    author: AUTHOR,
    atMs,
  })
  return { kind: 'joined', commit }
}
