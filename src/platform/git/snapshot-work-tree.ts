import { randomUUID } from 'node:crypto'
import { open, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRealDirectory, kindOf } from '../files/read-regular-file.ts'
import type { ChangedPath } from './compare-trees.ts'
import type { Git, Repository } from './git.ts'
import { listTree, type TreeEntry } from './repository-operations.ts'

/** What was found beside the files themselves. */
interface Findings {
  /** Directories that are repositories of their own; their content is not looked at. */
  readonly nested: readonly string[]
  /** Git's messages about files it could not add. */
  readonly problems: readonly string[]
}

export interface Snapshot extends Findings {
  /** Everything in the work tree that is not ignored, as a tree object of the observing repository. */
  readonly tree: string
}

export interface Difference extends Findings {
  /** Files of the work tree that differ from the commit, ignored ones aside. */
  readonly changed: readonly ChangedPath[]
}

/** A repository of AXIOM's own with an untrusted work tree. */
export interface Observer extends Repository {
  readonly workTree: string
}

type Looking = Observer & { readonly indexFile: string }

const GITLINK = '160000'
const NO_OBJECT = '0'.repeat(40)

/** Writes the state of an untrusted work tree into a repository of AXIOM's own. */
export async function snapshotWorkTree(
  git: Git,
  observer: Observer,
  headTree: string | undefined,
): Promise<Snapshot> {
  return look(git, observer, async (looking) => {
    if (headTree !== undefined) {
      await takeUpTracked(git, looking, headTree)
      await restoreGitlinks(git, looking, headTree)
    }
    return { tree: await git.text(looking, ['write-tree']) }
  })
}

/**
 * Compares an untrusted work tree with a commit; the objects written for it need not be kept. The commit may
 * still be in transfer while the files are added.
 */
export async function compareWorkTree(
  git: Git,
  observer: Observer,
  commit: Promise<string>,
): Promise<Difference> {
  return look(git, observer, async (looking) => {
    let changed = await compareIndex(git, looking, await commit)
    if (changed.some(({ status }) => status === 'D')) {
      await takeUpTracked(git, looking, await commit)
      changed = await compareIndex(git, looking, await commit)
    }
    return { changed }
  })
}

async function compareIndex(
  git: Git,
  { gitDir, indexFile, workTree }: Looking,
  commit: string,
): Promise<ChangedPath[]> {
  // Without `--ignore-submodules=none` git would read the agent's settings for submodules.
  const plainly = ['--cached', '--raw', '-z', '--no-renames', '--ignore-submodules=none']
  const { stdout } = await git.run({ gitDir, indexFile }, ['diff-index', ...plainly, commit, '--'])
  const fields = stdout.toString('utf8').split('\0')
  const changed: ChangedPath[] = []
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [oldMode = '', , , , status = ''] = (fields[i] ?? '').slice(1).split(' ')
    const path = fields[i + 1] ?? ''
    // A submodule that was not checked out is an empty directory: unchanged as long as the directory exists.
    const isUnfilled = oldMode === GITLINK && (await isRealDirectory(join(workTree, path)))
    if (!isUnfilled) changed.push({ status: status as ChangedPath['status'], path })
  }
  return changed
}

/**
 * Adds the whole work tree to a copy of the observer's index and passes it to `read`.
 * The index must hold no submodule while git compares it with the work tree: to see whether a submodule has
 * changed, git starts itself *inside* it, under the configuration found there.
 */
async function look<T>(
  git: Git,
  observer: Observer,
  read: (looking: Looking) => Promise<T>,
): Promise<T & Findings> {
  const index = join(observer.gitDir, 'index')
  // Each comparison has its own copy: parallel or killed ones leave no lock for the next.
  const indexFile = `${index}-${randomUUID()}`
  const looking = { ...observer, indexFile }
  try {
    if ((await kindOf(index)) === 'file') await copyIndex(index, indexFile)
    const nested = await prepareIndex(git, looking)
    const problems = await addAll(git, looking, nested)
    const seen = await read(looking)
    await rename(indexFile, index)
    return { ...seen, nested: nested.map((path) => bytes(path).toString('utf8')), problems }
  } finally {
    await rm(indexFile, { force: true })
  }
}

/**
 * Copies an index together with its modification time. Git reads a file again whose time is not older than
 * the index, since it may have changed in that second without a trace; under a younger index that change
 * would be missed. One handle for both, because another comparison may replace the index at any moment.
 */
async function copyIndex(from: string, to: string): Promise<void> {
  await using file = await open(from)
  const { mtimeMs } = await file.stat()
  await writeFile(to, await file.readFile())
  const atSeconds = Math.floor(mtimeMs / 1_000)
  await utimes(to, atSeconds, atSeconds)
}

/** An ignored file that was committed anyway is not part of `add --all`, so it is added by name. */
async function takeUpTracked(git: Git, looking: Looking, commit: string): Promise<void> {
  const { gitDir, indexFile } = looking
  const words = [
    'diff-index',
    '--cached',
    '--name-only',
    '-z',
    '--no-renames',
    '--diff-filter=D',
    commit,
    '--',
  ]
  const { stdout } = await git.run({ gitDir, indexFile }, words)
  const missing = stdout.toString('latin1').split('\0').slice(0, -1)
  const there: string[] = []
  for (const path of missing) {
    const kind = await kindOf(Buffer.concat([Buffer.from(`${looking.workTree}/`), bytes(path)]))
    if (kind === 'file' || kind === 'link') there.push(`${path}\0`)
  }
  if (there.length > 0)
    await git.run(looking, ['update-index', '--add', '-z', '--stdin'], { input: bytes(there.join('')) })
}

/** Adds everything that is not ignored; returns git's messages about files it could not add. */
async function addAll(git: Git, observer: Repository, nested: readonly string[]): Promise<string[]> {
  const pathspecs = ['.', ...nested.map((path) => `:(exclude,literal)${path}`)]
  const words = ['add', '--all', '--ignore-errors', '--pathspec-from-file=-', '--pathspec-file-nul']
  const { exitCode, stderr } = await git.run(observer, words, {
    input: bytes(pathspecs.map((path) => `${path}\0`).join('')),
    expect: [0, 1],
  })
  return exitCode === 0 ? [] : stderr.split('\n').filter((line) => line !== '')
}

/** Prepares the index for a comparison, and returns the repositories inside the work tree. */
async function prepareIndex(git: Git, looking: Observer & { readonly indexFile: string }): Promise<string[]> {
  const first = await listFiles(git, looking)
  if (first !== undefined && first.links.length === 0) return first.nested
  // An unreadable index was torn by a crash; an empty one serves as well.
  if (first === undefined) await rm(looking.indexFile, { force: true })
  else
    await editIndex(
      git,
      looking,
      first.links.map((path) => `0 ${NO_OBJECT}\t${path}\0`),
    )
  return (await listFiles(git, looking))?.nested ?? []
}

const LINK_ENTRY = new RegExp(`^${GITLINK} [0-9a-f]+ \\d\\t([\\s\\S]+)$`)

/**
 * The submodules in the index and, where it holds none, the repositories inside the work tree; git prints an untracked
 * one as a single entry with a slash at its end. Nothing when git cannot read the index.
 */
async function listFiles(
  git: Git,
  looking: Repository,
): Promise<{ links: string[]; nested: string[] } | undefined> {
  const words = ['ls-files', '--stage', '--others', '--exclude-standard', '-z']
  const { stdout, exitCode } = await git.run(looking, words, { expect: [0, 128] })
  if (exitCode !== 0) return undefined
  const entries = stdout.toString('latin1').split('\0')
  return {
    links: entries.flatMap((entry) => LINK_ENTRY.exec(entry)?.[1] ?? []),
    nested: entries.filter((entry) => entry.endsWith('/')).map((entry) => entry.slice(0, -1)),
  }
}

/** A submodule that was not checked out is an empty directory: unchanged as long as the directory exists. */
async function restoreGitlinks(git: Git, observer: Observer, headTree: string): Promise<void> {
  const kept: TreeEntry[] = []
  for (const entry of await listTree(git, observer, headTree)) {
    if (entry.mode === GITLINK && (await isRealDirectory(join(observer.workTree, entry.path))))
      kept.push(entry)
  }
  await editIndex(
    git,
    observer,
    kept.map(({ object, path }) => `${GITLINK} ${object}\t${Buffer.from(path).toString('latin1')}\0`),
  )
}

async function editIndex(git: Git, observer: Repository, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return
  await git.run(observer, ['update-index', '-z', '--index-info'], { input: bytes(lines.join('')) })
}

/** Names are kept one character per byte, so that every name is restored exactly. */
function bytes(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}
