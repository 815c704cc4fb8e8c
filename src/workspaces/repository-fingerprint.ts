import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Failure } from '../platform/failure.ts'
import { isRealDirectory, kindOf, readRegularFile } from '../platform/files/read-regular-file.ts'
import type { Git } from '../platform/git/git.ts'
import { listForeignRefs } from '../platform/git/read-foreign-refs.ts'

/**
 * The state of the user's repository without its files: the name of each part and a value for its content.
 */
export type Fingerprint = ReadonlyMap<string, string>

export interface ForeignChange {
  readonly part: string
  readonly before: string | undefined
  readonly after: string | undefined
}

const FILE_BYTES_MAX = 512 * 1024 * 1024
/** Files that change what git does or trusts in this repository. */
const WATCHED = [
  'config',
  'info/attributes',
  'info/exclude',
  'info/grafts',
  'objects/info/alternates',
  'shallow',
]
const WATCHED_PER_WORK_TREE = ['HEAD', 'config.worktree']

/** Reads the user's repository as files; its hooks and configuration take no effect. */
export async function fingerprintRepository(
  git: Git,
  root: string,
  scratchDir: string,
): Promise<Fingerprint> {
  const { gitDir, commonDir } = await gitDirectories(root)
  const parts = new Map<string, string>()
  for (const name of WATCHED) await addFile(parts, name, join(commonDir, name))
  for (const name of WATCHED_PER_WORK_TREE) await addFile(parts, name, join(gitDir, name))
  for (const [ref, object] of await listForeignRefs(commonDir)) parts.set(ref, object)
  await addFolder(parts, 'hooks', join(commonDir, 'hooks'))
  const worktrees = join(commonDir, 'worktrees')
  for (const name of (await isRealDirectory(worktrees)) ? await readdir(worktrees) : []) {
    for (const file of ['HEAD', 'gitdir', 'commondir', 'locked']) {
      await addFile(parts, `worktrees/${name}/${file}`, join(worktrees, name, file))
    }
  }
  const index = await indexDigest(git, join(gitDir, 'index'), scratchDir)
  if (index !== undefined) parts.set('index', index)
  return parts
}

/** The differences. They may be the user's own changes, so they are reported, never undone. */
export function compareFingerprints(before: Fingerprint, after: Fingerprint): ForeignChange[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((part) => before.get(part) !== after.get(part))
    .toSorted()
    .map((part) => ({ part, before: before.get(part), after: after.get(part) }))
}

/** The git directory of a work tree and the one that all work trees of its repository share. */
export async function gitDirectories(root: string): Promise<{ gitDir: string; commonDir: string }> {
  const dotGit = join(root, '.git')
  if ((await kindOf(dotGit)) !== 'file') return { gitDir: dotGit, commonDir: dotGit }
  const line = (await readRegularFile(dotGit, 4096))?.toString('utf8').trim() ?? ''
  if (!line.startsWith('gitdir: ')) throw new Failure('GIT_NO_REPOSITORY', `${dotGit} names no repository`)
  const gitDir = resolve(root, line.slice('gitdir: '.length))
  const common = (await readRegularFile(join(gitDir, 'commondir'), 4096))?.toString('utf8').trim()
  return { gitDir, commonDir: common === undefined ? gitDir : resolve(gitDir, common) }
}

async function addFile(parts: Map<string, string>, name: string, path: string): Promise<void> {
  const kind = await kindOf(path)
  if (kind === 'absent') return
  const bytes = await readRegularFile(path, FILE_BYTES_MAX)
  if (bytes === undefined) parts.set(name, kind)
  else parts.set(name, `${digest(bytes)} ${((await stat(path)).mode & 0o777).toString(8)}`)
}

async function addFolder(parts: Map<string, string>, name: string, path: string): Promise<void> {
  const kind = await kindOf(path)
  if (kind !== 'directory' && kind !== 'absent') parts.set(name, kind)
  if (kind !== 'directory') return
  for (const file of await readdir(path)) await addFile(parts, `${name}/${file}`, join(path, file))
}

/**
 * Covers the staged entries, not the bytes of the file, which a mere `git status` by the user rewrites. Git
 * reads a copy, in a repository of AXIOM's own.
 */
async function indexDigest(git: Git, path: string, scratchDir: string): Promise<string | undefined> {
  const bytes = await readRegularFile(path, FILE_BYTES_MAX)
  if (bytes === undefined) return undefined
  const copy = join(scratchDir, `index-${randomUUID()}`)
  await mkdir(dirname(copy), { recursive: true })
  try {
    await writeFile(copy, bytes)
    const words = ['ls-files', '--stage', '-z']
    const listed = await git.run({ gitDir: scratchDir, indexFile: copy }, words, { expect: [0, 128] })
    // A split index cannot be read alone, so its bytes are used.
    return digest(listed.exitCode === 0 ? listed.stdout : bytes)
  } finally {
    await rm(copy, { force: true })
  }
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32)
}
