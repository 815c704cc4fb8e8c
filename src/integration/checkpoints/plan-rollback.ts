import { commitTree, isAncestor, treeOf } from '../../platform/git/repository-operations.ts'
import { layOutAttributes } from '../attribute-tree.ts'
import type { CandidateGround } from '../entry.ts'
import { mergeTrees } from '../merge-trees.ts'
import { type Checkpoint, corrupted } from './checkpoint.ts'

/** One commit of the target since a checkpoint. */
export interface LaterCommit {
  readonly commit: string
  readonly subject: string
  /** The task that it landed; nothing for a commit that a person made. */
  readonly task: string | null
}

export interface RollbackPlan {
  readonly target: string
  /** The landings since, the newest first: they will be reverted. */
  readonly lost: readonly LaterCommit[]
  /** The commits by people since: they stay. */
  readonly kept: readonly LaterCommit[]
}

export type RollbackCandidate =
  | { readonly kind: 'candidate'; readonly commit: string }
  /** The target differs from the checkpoint only by commits of people. */
  | { readonly kind: 'nothing-to-do' }
  /** A later commit by a person depends on what would be reverted. */
  | { readonly kind: 'conflict'; readonly with: LaterCommit; readonly files: readonly string[] }

const AUTHOR = { name: 'AXIOM', email: 'axiom@axiom.invalid' }
const FORMAT =
  '--format=%H%x1f%(trailers:key=Task,valueonly,unfold,separator=%x1e)%x1f%(trailers:key=Reverts,valueonly,unfold,separator=%x1e)%x1f%s'

/** What a rollback would revert, and what it would keep. */
export async function planRollback(
  { git, repository }: CandidateGround,
  target: string,
  { name, commit }: Checkpoint,
): Promise<RollbackPlan> {
  if (!(await isAncestor(git, repository, commit, target))) throw corrupted(name)
  const words = ['log', '--first-parent', FORMAT, target, `^${commit}`, '--']
  const lines = (await git.text(repository, words)).split('\n').filter((line) => line !== '')
  const lost: LaterCommit[] = []
  const kept: LaterCommit[] = []
  for (const line of lines) {
    const [later = '', task = '', reverts = '', subject = ''] = line.split('\x1f')
    const one = { commit: later, subject, task: task === '' ? null : task }
    if (task !== '' || reverts !== '') lost.push(one)
    else kept.push(one)
  }
  return { target, lost, kept }
}

/**
 * The target as it was at the checkpoint, with the later commits by people applied again, as one commit on
 * top of the target. The branch never moves backwards.
 */
export async function buildRollback(
  ground: CandidateGround,
  plan: RollbackPlan,
  { name, commit }: Checkpoint,
): Promise<RollbackCandidate> {
  const { git, repository } = ground
  let tree = await treeOf(git, repository, commit)
  for (const later of plan.kept.toReversed()) {
    const applied = await applyAgain(ground, tree, later.commit)
    if (applied.kind === 'conflict') return { kind: 'conflict', with: later, files: applied.files }
    tree = applied.tree
  }
  if (tree === (await treeOf(git, repository, plan.target))) return { kind: 'nothing-to-do' }
  const reverts = plan.lost.map((later) => `Reverts: ${later.commit}`)
  const message = [`revert: roll back to checkpoint ${name}`, '', `Checkpoint: ${name}`, ...reverts, ''].join(
    '\n',
  )
  const candidate = await commitTree(git, repository, {
    tree,
    parents: [plan.target],
    message,
    author: AUTHOR,
    atMs: ground.now(),
  })
  return { kind: 'candidate', commit: candidate }
}

/** What a commit changed against its first parent, applied to another tree: a merge whose ancestor is made for it. */
async function applyAgain(ground: CandidateGround, tree: string, commit: string) {
  const { git, repository, scratchDir } = ground
  const make = (of: string, parents: readonly string[]): Promise<string> =>
    commitTree(git, repository, { tree: of, parents, message: 'applied again\n', author: AUTHOR, atMs: 0 })
  const ancestor = await make(await treeOf(git, repository, `${commit}^`), [])
  const ours = await make(tree, [ancestor])
  const theirs = await make(await treeOf(git, repository, commit), [ancestor])
  const workTree = await layOutAttributes(git, repository, scratchDir, ours)
  const merged = await mergeTrees(git, { ...repository, workTree }, ours, theirs)
  if (merged.kind === 'merged') return merged
  const files = merged.kind === 'conflict' ? merged.conflict.files.map(({ path }) => path) : []
  return { kind: 'conflict' as const, files }
}
