import { randomUUID } from 'node:crypto'
import { copyFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isRealDirectory, kindOf } from '../files/read-regular-file.ts'
import type { Git, Repository } from './git.ts'
import { listIndex, listTree, type TreeEntry } from './repository-operations.ts'

export interface Snapshot {
  /** Everything in the work tree that is not ignored, as a tree object of the observing repository. */
  readonly tree: string
  /** Directories that are repositories of their own; their content is not in the tree. */
  readonly nested: readonly string[]
  /** What git could not take up, in its own words. */
  readonly problems: readonly string[]
}

const GITLINK = '160000'
const NO_OBJECT = '0'.repeat(40)

/**
 * Writes the state of a work tree that somebody else controls into a repository of our own.
 * The index must hold no submodule while git compares it with the work tree: to see whether a submodule has
 * changed, git starts itself *inside* it, under the configuration that stands there.
 */
export async function snapshotWorkTree(
  git: Git,
  observer: { readonly gitDir: string; readonly workTree: string },
  headTree: string | undefined,
): Promise<Snapshot> {
  const index = join(observer.gitDir, 'index')
  // A copy of its own for each look: two looks at once, or one that was killed, leave no lock for the next.
  const indexFile = `${index}-${randomUUID()}`
  const looking = { ...observer, indexFile }
  try {
    if ((await kindOf(index)) === 'file') await copyFile(index, indexFile)
    if (!(await dropGitlinks(git, looking))) await rm(indexFile, { force: true })
    const nested = await listNested(git, looking)
    const problems = await addAll(git, looking, nested)
    if (headTree !== undefined) await restoreGitlinks(git, looking, headTree)
    const tree = await git.text(looking, ['write-tree'])
    await rename(indexFile, index)
    return { tree, nested: nested.map((path) => bytes(path).toString('utf8')), problems }
  } finally {
    await rm(indexFile, { force: true })
  }
}

/** Takes up everything that is not ignored; what could not be taken up is returned in git's words. */
async function addAll(git: Git, observer: Repository, nested: readonly string[]): Promise<string[]> {
  const pathspecs = ['.', ...nested.map((path) => `:(exclude,literal)${path}`)]
  const words = ['add', '--all', '--ignore-errors', '--pathspec-from-file=-', '--pathspec-file-nul']
  const { exitCode, stderr } = await git.run(observer, words, {
    input: bytes(pathspecs.map((path) => `${path}\0`).join('')),
    expect: [0, 1],
  })
  return exitCode === 0 ? [] : stderr.split('\n').filter((line) => line !== '')
}

/** False when the index cannot be read: a crash tore it, and one made from nothing serves as well. */
async function dropGitlinks(git: Git, observer: Repository): Promise<boolean> {
  const entries = await listIndex(git, observer)
  const links = entries?.filter(({ mode }) => mode === GITLINK) ?? []
  await editIndex(
    git,
    observer,
    links.map(({ path }) => `0 ${NO_OBJECT}\t${path}\0`),
  )
  return entries !== undefined
}

/** A submodule that nobody filled is an empty directory: unchanged as long as the directory is there. */
async function restoreGitlinks(
  git: Git,
  observer: Repository & { readonly workTree: string },
  headTree: string,
): Promise<void> {
  const kept: TreeEntry[] = []
  for (const entry of await listTree(git, observer, headTree)) {
    if (entry.mode === GITLINK && (await isRealDirectory(join(observer.workTree, entry.path))))
      kept.push(entry)
  }
  await editIndex(
    git,
    observer,
    kept.map(({ object, path }) => `${GITLINK} ${object}\t${path}\0`),
  )
}

async function editIndex(git: Git, observer: Repository, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return
  await git.run(observer, ['update-index', '-z', '--index-info'], { input: lines.join('') })
}

/** Git prints an untracked repository inside the work tree as one entry with a slash at its end. */
async function listNested(git: Git, observer: Repository): Promise<string[]> {
  const { stdout } = await git.run(observer, ['ls-files', '--others', '--exclude-standard', '-z'])
  return stdout
    .toString('latin1')
    .split('\0')
    .filter((path) => path.endsWith('/'))
    .map((path) => path.slice(0, -1))
}

/** Names are kept one character per byte, so that every name comes back as it was. */
function bytes(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}
