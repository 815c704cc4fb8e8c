import { listRefs } from '../../platform/git/repository-operations.ts'
import type { Diff, DiffFile } from '../contract.ts'
import { type CodeGround, soundCommit } from './code-reader.ts'
import { parsePatch } from './parse-patch.ts'

/** The most lines in one answer; further files are only listed, and read one by one. */
const LINES_MAX = 5_000
const FILES_MAX = 3_000
const RUNS = 'refs/axiom/runs'

const KINDS: Readonly<Record<string, DiffFile['kind']>> = {
  A: 'added',
  D: 'removed',
  M: 'changed',
  R: 'renamed',
  C: 'copied',
  T: 'type',
}

type Listed = Omit<DiffFile, 'hunks'>

/** The changes of the work up to a commit, since its base on the target. */
export async function readDiff(ground: CodeGround, commit: string, path?: string): Promise<Diff> {
  const to = await soundCommit(ground, commit)
  const base = await baseOf(ground, to)
  const listed = (await listFiles(ground, base, to)).slice(0, FILES_MAX)
  const wanted = path === undefined ? withinBound(listed) : listed.filter((file) => file.path === path)
  const hunks = await readHunks(ground, base, to, wanted)
  const files = path === undefined ? listed : wanted
  return {
    base,
    commit: to,
    files: files.map((file) => ({ ...file, hunks: hunks.get(file.path) ?? null })),
    linesAdded: sum(listed, ({ linesAdded }) => linesAdded),
    linesRemoved: sum(listed, ({ linesRemoved }) => linesRemoved),
  }
}

/** The newest saved commit of a task's runs. */
export async function newestRun({ git, integration }: CodeGround, task: string): Promise<string | undefined> {
  const refs = [...(await listRefs(git, integration, `${RUNS}/${task}`))]
  return refs.toSorted(([a], [b]) => numberOf(a) - numberOf(b)).at(-1)?.[1]
}

export function numberOf(ref: string): number {
  return Number(ref.slice(ref.lastIndexOf('/') + 1))
}

/** Work without a common ancestor with the target is compared with the empty tree. */
async function baseOf(ground: CodeGround, commit: string): Promise<string> {
  const words = ['merge-base', '--', commit, 'HEAD']
  const { exitCode, stdout } = await ground.git.run(ground.integration, words, { expect: [0, 1, 128] })
  const base = stdout.toString('utf8').trim()
  if (exitCode === 0 && base !== commit) return base
  if (exitCode === 0) return firstParent(ground, commit)
  return EMPTY_TREE
}

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** A commit on the target itself is compared with its parent. */
async function firstParent({ git, integration }: CodeGround, commit: string): Promise<string> {
  const words = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^1`]
  const { exitCode, stdout } = await git.run(integration, words, { expect: [0, 1, 128] })
  return exitCode === 0 ? stdout.toString('utf8').trim() : EMPTY_TREE
}

const COMPARE = ['diff-tree', '-r', '--no-ext-diff', '--no-textconv', '--find-renames', '--no-color']

async function listFiles({ git, integration }: CodeGround, base: string, to: string): Promise<Listed[]> {
  const names = await git.run(integration, [...COMPARE, '-z', '--name-status', base, to])
  const counts = await git.run(integration, [...COMPARE, '-z', '--numstat', base, to])
  const byPath = readCounts(counts.stdout.toString('utf8'))
  return readNames(names.stdout.toString('utf8')).map(({ kind, path, oldPath }) => {
    const { added, removed } = byPath.get(path) ?? { added: 0, removed: 0 }
    const binary = added === undefined
    return { path, oldPath, kind, binary, linesAdded: added ?? 0, linesRemoved: removed ?? 0 }
  })
}

/** `M\0path\0`, and `R090\0old\0new\0` for what moved. */
function readNames(text: string): Pick<DiffFile, 'kind' | 'path' | 'oldPath'>[] {
  const parts = text.split('\0')
  const files: Pick<DiffFile, 'kind' | 'path' | 'oldPath'>[] = []
  for (let at = 0; at + 1 < parts.length; ) {
    const letter = (parts[at] ?? '').charAt(0)
    const moved = letter === 'R' || letter === 'C'
    const oldPath = moved ? (parts[at + 1] ?? '') : null
    files.push({ kind: KINDS[letter] ?? 'changed', path: parts[at + (moved ? 2 : 1)] ?? '', oldPath })
    at += moved ? 3 : 2
  }
  return files
}

interface LineCounts {
  /** Undefined for binary files. */
  readonly added: number | undefined
  readonly removed: number | undefined
}

/** `1\t2\tpath\0`, and `1\t2\t\0old\0new\0` for what moved. */
function readCounts(text: string): Map<string, LineCounts> {
  const counts = new Map<string, LineCounts>()
  const parts = text.split('\0')
  for (let at = 0; at < parts.length; at += 1) {
    const [, added = '', removed = '', path = ''] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(parts[at] ?? '') ?? []
    if (added === '') continue
    const name = path === '' ? (parts[at + 2] ?? '') : path
    if (path === '') at += 2
    counts.set(name, { added: numberIn(added), removed: numberIn(removed) })
  }
  return counts
}

function numberIn(text: string): number | undefined {
  return text === '-' ? undefined : Number(text)
}

/** The first files whose lines fit; at least one, as long as it alone fits. */
function withinBound(listed: readonly Listed[]): Listed[] {
  let lines = 0
  return listed.filter(({ linesAdded, linesRemoved }) => {
    lines += linesAdded + linesRemoved
    return lines <= LINES_MAX
  })
}

async function readHunks(
  { git, integration }: CodeGround,
  base: string,
  to: string,
  files: readonly Listed[],
): Promise<ReadonlyMap<string, DiffFile['hunks']>> {
  if (files.length === 0) return new Map()
  const paths = files.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [oldPath, path]))
  const words = [...COMPARE, '-p', '--full-index', base, to, '--', ...paths]
  const { stdout } = await git.run(integration, words, { environment: { GIT_LITERAL_PATHSPECS: '1' } })
  const hunks = parsePatch(stdout.toString('utf8'))
  const inOrder = await orderOf({ git, integration }, base, to, paths)
  return new Map(inOrder.map((path, index) => [path, hunks[index] ?? []]))
}

/** The patch quotes some file names; `-z --name-status` gives them in the same order, unquoted. */
async function orderOf(
  { git, integration }: Pick<CodeGround, 'git' | 'integration'>,
  base: string,
  to: string,
  paths: readonly string[],
): Promise<string[]> {
  const words = [...COMPARE, '-z', '--name-status', base, to, '--', ...paths]
  const { stdout } = await git.run(integration, words, { environment: { GIT_LITERAL_PATHSPECS: '1' } })
  return readNames(stdout.toString('utf8')).map(({ path }) => path)
}

function sum(files: readonly Listed[], of: (file: Listed) => number): number {
  return files.reduce((total, file) => total + of(file), 0)
}
