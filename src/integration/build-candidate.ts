import { changedPaths, commitTree, isAncestor, treeOf } from '../platform/git/repository-operations.ts'
import { layOutAttributes } from './attribute-tree.ts'
import { type CandidateGround, candidateMessage, type Entry } from './entry.ts'
import { type Conflict, mergeTrees } from './merge-trees.ts'
import { type ResolvedFile, resolveSimple } from './resolve-simple.ts'

export type Candidate =
  | {
      readonly kind: 'clean'
      readonly commit: string
      readonly tree: string
      /**
       * The files that rules resolved, and their conflict; the checks decide whether the rules were right.
       */
      readonly settled?: { readonly files: readonly ResolvedFile[]; readonly conflict: Conflict }
    }
  | { readonly kind: 'conflict'; readonly conflict: Conflict }
  /** The base already has every change of the source. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly paths: readonly string[] }

export type RefusalReason = 'protected-folder' | 'commit-type' | 'unrelated-history'

/** Makes one squash commit of an entry on a base, in memory: no branch moves and no work tree is touched. */
export async function buildCandidate(
  ground: CandidateGround,
  base: string,
  entry: Entry,
): Promise<Candidate> {
  const { git, repository, scratchDir } = ground
  if (!ground.commitTypes.includes(entry.type)) return refused('commit-type')
  // If the base is an ancestor of the work, the tree of the work is the result.
  if (await isAncestor(git, repository, base, entry.source)) {
    return commitCandidate(ground, base, entry, await treeOf(git, repository, entry.source))
  }
  const workTree = await layOutAttributes(git, repository, scratchDir, base)
  const merge = await mergeTrees(git, { ...repository, workTree }, base, entry.source)
  switch (merge.kind) {
    case 'unrelated':
      return refused('unrelated-history')
    case 'merged':
      return commitCandidate(ground, base, entry, merge.tree)
    case 'conflict': {
      const paths = merge.conflict.files.map(({ path }) => path)
      const touched = protectedPaths(ground, paths)
      if (touched.length > 0) return refused('protected-folder', touched)
      const { conflict } = merge
      const settled = await resolveSimple(ground, conflict)
      if (settled === undefined) return { kind: 'conflict', conflict }
      return commitCandidate(ground, base, entry, settled.tree, { files: settled.files, conflict })
    }
  }
}

async function commitCandidate(
  ground: CandidateGround,
  base: string,
  entry: Entry,
  tree: string,
  settled?: Extract<Candidate, { kind: 'clean' }>['settled'],
): Promise<Candidate> {
  const { git, repository } = ground
  const baseTree = await treeOf(git, repository, base)
  if (tree === baseTree) return { kind: 'empty' }
  const changes = await changedPaths(git, repository, baseTree, tree)
  const touched = protectedPaths(
    ground,
    changes.map(({ path }) => path),
  )
  if (touched.length > 0) return refused('protected-folder', touched)
  const commit = await commitTree(git, repository, {
    tree,
    parents: [base],
    message: candidateMessage(entry),
    author: { name: entry.agent, email: `${entry.agent}@axiom.invalid` },
    atMs: ground.now(),
  })
  return { kind: 'clean', commit, tree, ...(settled ? { settled } : {}) }
}

/** Case-insensitive: on some file systems `.AXIOM` and `.axiom` are one folder. */
function protectedPaths(ground: CandidateGround, paths: readonly string[]): string[] {
  const folders = ground.protectedFolders.map((folder) => folder.toLowerCase())
  return paths.filter((path) => folders.includes((path.split('/')[0] ?? '').toLowerCase()))
}

function refused(reason: RefusalReason, paths: readonly string[] = []): Candidate {
  return { kind: 'refused', reason, paths }
}

export interface StackedCandidate {
  readonly entry: Entry
  readonly commit: string
}

export interface Stack {
  /** In order, each on the one before it. */
  readonly candidates: readonly StackedCandidate[]
  /** Entries without a resulting commit, and the base they were tried on. */
  readonly aside: readonly {
    readonly entry: Entry
    readonly base: string
    readonly outcome: Exclude<Candidate, { kind: 'clean' }>
  }[]
}

/** Stacks entries on a base in order; an entry without a resulting commit is skipped. */
export async function buildStack(
  build: (base: string, entry: Entry) => Promise<Candidate>,
  base: string,
  entries: readonly Entry[],
): Promise<Stack> {
  const candidates: StackedCandidate[] = []
  const aside: Stack['aside'][number][] = []
  let tip = base
  for (const entry of entries) {
    const outcome = await build(tip, entry)
    if (outcome.kind !== 'clean') aside.push({ entry, base: tip, outcome })
    else {
      candidates.push({ entry, commit: outcome.commit })
      tip = outcome.commit
    }
  }
  return { candidates, aside }
}
