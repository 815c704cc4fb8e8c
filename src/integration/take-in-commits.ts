import { commitTree, isAncestor, treeOf } from '../platform/git/repository-operations.ts'
import { layOutAttributes } from './attribute-tree.ts'
import { type LandingGround, moveTarget, readTarget, verifyTwice } from './landing-ground.ts'
import { type Conflict, mergeTrees } from './merge-trees.ts'

/** The outcome of importing the user's own commits on the target branch. */
export type Intake =
  | { readonly kind: 'nothing-new' }
  | { readonly kind: 'taken-in'; readonly commit: string }
  /**
   * The user rewrote the branch: its last seen commit is gone, and only the user can decide what is valid.
   */
  | { readonly kind: 'rewritten'; readonly user: string; readonly seenBefore: string }
  | { readonly kind: 'conflict'; readonly target: string; readonly conflict: Conflict }
  | { readonly kind: 'unrelated' }
  | {
      readonly kind: 'rejected'
      readonly commit: string
      readonly evidence: string
      readonly feedback?: string
    }
  /** Another change landed during the checks; call again. */
  | { readonly kind: 'target-moved' }

const AUTHOR = { name: 'AXIOM', email: 'axiom@axiom.invalid' }

/**
 * Brings the user's commits to the target of record unchanged, so that the user's branch can be
 * fast-forwarded to it. They pass the same checks as everything else.
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
 * Makes the target equal to the user's branch. Landings that are not in it are reverted, by a merge commit of
 * both: nothing leaves the history, and the user's branch can be fast-forwarded.
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
