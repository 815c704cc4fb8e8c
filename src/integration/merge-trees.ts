import { Failure } from '../platform/failure.ts'
import type { Git, Repository } from '../platform/git/git.ts'

/** A version of a conflicting file: 1 is the common ancestor's, 2 the target's, 3 the candidate's. */
export interface ConflictStage {
  readonly stage: number
  readonly mode: string
  readonly object: string
}

export interface ConflictFile {
  readonly path: string
  readonly stages: readonly ConflictStage[]
}

export interface MergeMessage {
  readonly paths: readonly string[]
  /** Git's stable name for what happened, such as `CONFLICT (contents)`. */
  readonly type: string
  readonly text: string
}

export interface Conflict {
  /** The merged tree, with markers in the conflicting files. */
  readonly tree: string
  readonly files: readonly ConflictFile[]
  readonly messages: readonly MergeMessage[]
}

export type TreeMerge =
  | { readonly kind: 'merged'; readonly tree: string }
  | { readonly kind: 'conflict'; readonly conflict: Conflict }
  | { readonly kind: 'unrelated' }

/** High enough to find renames in a repository far ahead of a branch; beyond this git stops looking. */
const RENAME_FILES_MAX = 20_000

/** Merges two commits in memory, under the attribute files in the work tree of the repository. */
export async function mergeTrees(
  git: Git,
  repository: Repository,
  ours: string,
  theirs: string,
): Promise<TreeMerge> {
  const words = ['merge-tree', '--write-tree', '-z', '--messages', ours, theirs]
  const { exitCode, stdout, stderr } = await git.run(repository, words, {
    expect: [0, 1, 128],
    settings: [`merge.renameLimit=${RENAME_FILES_MAX}`],
  })
  if (exitCode === 128 && stderr.includes('unrelated histories')) return { kind: 'unrelated' }
  if (exitCode === 128) throw new Failure('GIT_FAILED', `git merge-tree ended with 128: ${stderr}`)
  const conflict = parseMerge(stdout.toString('utf8'))
  return exitCode === 0 ? { kind: 'merged', tree: conflict.tree } : { kind: 'conflict', conflict }
}

const STAGE_LINE = /^(\d{6}) ([0-9a-f]+) ([123])\t([\s\S]+)$/

/** The output of `merge-tree -z --messages`: tree, stages, an empty field, then messages with their paths. */
export function parseMerge(output: string): Conflict {
  const fields = output.split('\0')
  const tree = (fields[0] ?? '').trim()
  const files = new Map<string, ConflictStage[]>()
  let at = 1
  for (; at < fields.length && fields[at] !== ''; at += 1) {
    const [, mode = '', object = '', stage = '', path = ''] = STAGE_LINE.exec(fields[at] ?? '') ?? []
    if (path !== '') files.set(path, [...(files.get(path) ?? []), { stage: Number(stage), mode, object }])
  }
  const messages: MergeMessage[] = []
  at += 1
  while (at < fields.length && /^\d+$/.test(fields[at] ?? '')) {
    const end = at + 1 + Number(fields[at])
    const text = (fields[end + 1] ?? '').trim()
    messages.push({ paths: fields.slice(at + 1, end), type: fields[end] ?? '', text })
    at = end + 2
  }
  return { tree, files: [...files].map(([path, stages]) => ({ path, stages })), messages }
}
