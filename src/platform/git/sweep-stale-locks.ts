import { lstat, readdir, readFile, readlink, unlink } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { systemCode } from '../failure.ts'
import { isRealDirectory } from '../files/read-regular-file.ts'

export interface LockSweep {
  /** Locks whose owner is gone; they are removed. */
  readonly removed: readonly string[]
  /** Locks that a process may still hold, and why they were left. */
  readonly left: readonly { readonly path: string; readonly why: string }[]
}

/** A lock younger than this may belong to a process that is only just starting. */
const LOCK_AGE_MS = 10_000
/** Without a process table only age decides; no git command of a user runs longer. */
const LOCK_AGE_BLIND_MS = 3_600_000
const FOLDER_DEPTH_MAX = 12

/** Removes the locks that a killed git left behind: git itself never removes them. */
export async function sweepStaleLocks(
  gitDir: string,
  nowMs: number,
  processTable = '/proc',
): Promise<LockSweep> {
  const removed: string[] = []
  const left: { path: string; why: string }[] = []
  if (!(await isRealDirectory(gitDir))) return { removed, left }
  const locks = await findLocks(gitDir)
  if (locks.length === 0) return { removed, left }
  const living = await gitProcesses(processTable)
  for (const path of locks) {
    const found = await lstat(path).catch(() => undefined)
    if (found === undefined) continue
    const why = whyLive(path, gitDir, nowMs - found.mtimeMs, living)
    if (why !== undefined) left.push({ path, why })
    else if (await unlinkSame(path, found.ino)) removed.push(path)
  }
  return { removed, left }
}

function whyLive(
  path: string,
  gitDir: string,
  ageMs: number,
  living: readonly GitProcess[] | undefined,
): string | undefined {
  if (living === undefined) return ageMs < LOCK_AGE_BLIND_MS ? 'too young to be sure' : undefined
  if (ageMs < LOCK_AGE_MS) return 'just made'
  const workTree = gitDir.endsWith(`${sep}.git`) ? gitDir.slice(0, -'/.git'.length) : gitDir
  const owner = living.find(
    ({ files, cwd, words }) =>
      files.includes(path) ||
      cwd === workTree ||
      cwd.startsWith(workTree + sep) ||
      words.some((word) => word.includes(workTree)),
  )
  return owner === undefined ? undefined : `git process ${owner.pid} works there`
}

/** Between check and removal the lock may have been taken again: then it is a different file. */
async function unlinkSame(path: string, ino: number): Promise<boolean> {
  try {
    if ((await lstat(path)).ino !== ino) return false
    await unlink(path)
    return true
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false
    throw error
  }
}

async function findLocks(folder: string, depth = 0): Promise<string[]> {
  if (depth > FOLDER_DEPTH_MAX) return []
  const found: string[] = []
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name)
    if (entry.isFile() && entry.name.endsWith('.lock')) found.push(path)
    // Loose objects are never locked, and there may be very many of them.
    else if (entry.isDirectory() && !/^[0-9a-f]{2}$/.test(entry.name))
      found.push(...(await findLocks(path, depth + 1)))
  }
  return found
}

interface GitProcess {
  readonly pid: number
  readonly cwd: string
  readonly files: readonly string[]
  /** Arguments and environment: a repository may be named in either. */
  readonly words: readonly string[]
}

/**
 * Every process, git or not, because a process with the file open owns it. Undefined without a process table.
 */
async function gitProcesses(table: string): Promise<GitProcess[] | undefined> {
  const pids = (await readdir(table).catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number)
  if (pids.length === 0) return undefined
  const living = await Promise.all(pids.map((pid) => describe(table, pid)))
  return living.filter((process) => process !== undefined)
}

async function describe(table: string, pid: number): Promise<GitProcess | undefined> {
  const folder = join(table, String(pid))
  const text = (name: string): Promise<string> => readFile(join(folder, name), 'utf8').catch(() => '')
  const link = (name: string): Promise<string> => readlink(join(folder, name)).catch(() => '')
  const names = await readdir(join(folder, 'fd')).catch(() => [])
  const files = await Promise.all(names.map((name) => link(join('fd', name))))
  const isGit = (await text('comm')).startsWith('git')
  const said = (await text('cmdline')).split('\0')
  // A process that only reads objects takes no lock; the orchestrator itself keeps such a reader.
  if (!isGit || said.includes('--batch-command')) return { pid, files, cwd: '', words: [] }
  const environment = (await text('environ')).split('\0').filter((word) => word.startsWith('GIT_'))
  return {
    pid,
    files,
    cwd: await link('cwd'),
    words: [...said, ...environment],
  }
}
