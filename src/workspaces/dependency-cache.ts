import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { Failure } from '../platform/failure.ts'
import { kindOf, readRegularFile } from '../platform/files/read-regular-file.ts'
import { runCommand } from '../platform/process/run-command.ts'

/** Files that decide what an installation installs, and the folders it fills. */
const LOCK_FILES =
  'package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb poetry.lock uv.lock Pipfile.lock requirements.txt Gemfile.lock composer.lock'.split(
    ' ',
  )
const MANIFESTS =
  'package.json .npmrc .yarnrc.yml pnpm-workspace.yaml pyproject.toml Gemfile composer.json .nvmrc'.split(' ')
const INSTALLED_FOLDERS = ['node_modules', '.venv', 'vendor/bundle', 'vendor/composer', '.yarn/cache']
const INSTALL_COMMAND =
  /^\s*(?:(?:npm|pnpm|bun)\s+(?:ci|i|install)|yarn(?:\s+install)?|pip3?\s+install|python3?\s+-m\s+(?:pip\s+install|venv)|poetry\s+install|uv\s+(?:sync|pip\s+install)|pipenv\s+(?:install|sync)|bundle\s+install|composer\s+install)(?:\s+-{1,2}[\w=.-]+)*\s*$/

const SEARCH_DEPTH_MAX = 3
const LOCK_FILE_BYTES_MAX = 64 * 1024 * 1024
const ENTRIES_MAX = 6
const COPY_WAIT_MS = 600_000

/**
 * Whether a set-up command only installs what the lock file says, so that its result can be copied instead.
 */
export function isInstallCommand(line: string): boolean {
  return INSTALL_COMMAND.test(line)
}

/** The cache key of an installation in this checkout; undefined when no lock file pins its result. */
export async function dependencyKey(
  checkout: string,
  commands: readonly string[],
  machine: string,
): Promise<string | undefined> {
  const files = await findFiles(checkout, [...LOCK_FILES, ...MANIFESTS])
  if (!files.some((path) => LOCK_FILES.includes(path.split('/').at(-1) ?? ''))) return undefined
  const hash = createHash('sha256').update(JSON.stringify([machine, commands]))
  for (const path of files) {
    const bytes = await readRegularFile(join(checkout, path), LOCK_FILE_BYTES_MAX)
    if (bytes !== undefined) hash.update(`\0${path}\0${bytes.length}\0`).update(bytes)
  }
  return hash.digest('hex').slice(0, 40)
}

/** Copies the installed folders of an entry into a checkout. */
export async function restoreDependencies(cacheDir: string, key: string, checkout: string): Promise<boolean> {
  const entry = join(cacheDir, key)
  if ((await kindOf(entry)) !== 'directory') return false
  const now = new Date()
  await utimes(entry, now, now)
  for (const path of await findInstalled(entry)) await copyFolder(join(entry, path), join(checkout, path))
  return true
}

/** Caches the installed folders of a checkout. Only for a checkout with nothing but the target's code. */
export async function keepDependencies(cacheDir: string, key: string, checkout: string): Promise<void> {
  const entry = join(cacheDir, key)
  const paths = await findInstalled(checkout)
  if (paths.length === 0 || (await kindOf(entry)) !== 'absent') return
  const unfinished = join(cacheDir, `new-${randomUUID()}`)
  await mkdir(unfinished, { recursive: true })
  for (const path of paths) await copyFolder(join(checkout, path), join(unfinished, path))
  await writeFile(join(unfinished, 'kept.json'), JSON.stringify(paths))
  // Another set-up may have created the entry first; then there is nothing left to do.
  await rename(unfinished, entry).catch(() => rm(unfinished, { recursive: true, force: true }))
  await dropOldest(cacheDir)
}

async function dropOldest(cacheDir: string): Promise<void> {
  const entries = await Promise.all(
    (await readdir(cacheDir)).map(async (name) => ({
      name,
      usedMs: (await stat(join(cacheDir, name))).mtimeMs,
    })),
  )
  const excess = entries.toSorted((a, b) => b.usedMs - a.usedMs).slice(ENTRIES_MAX)
  for (const { name } of excess) await rm(join(cacheDir, name), { recursive: true, force: true })
}

async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await rm(to, { recursive: true, force: true })
  // A package folder has tens of thousands of files; cp takes a third of the time that a copy in JavaScript takes.
  const { ending, stderr } = await runCommand({
    argv: ['cp', '-a', '--', from, to],
    cwd: dirname(to),
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    timeoutMs: COPY_WAIT_MS,
  })
  if (ending.kind === 'exited' && ending.exitCode === 0) return
  throw new Failure('WORKSPACE_COPY_FAILED', `${from} could not be copied: ${stderr.trim()}`)
}

function findFiles(root: string, names: readonly string[]): Promise<string[]> {
  return find(root, (path, isFile) => isFile && names.includes(path.split('/').at(-1) ?? ''))
}

function findInstalled(root: string): Promise<string[]> {
  return find(
    root,
    (path, isFile) => !isFile && INSTALLED_FOLDERS.some((f) => path === f || path.endsWith(`/${f}`)),
  )
}

/** The wanted paths below a root, sorted; does not descend into matches, links or git's own folders. */
async function find(root: string, wanted: (path: string, isFile: boolean) => boolean): Promise<string[]> {
  const found: string[] = []
  const visit = async (folder: string, depth: number): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = relative(root, join(folder, entry.name))
      if (entry.name === '.git' || entry.isSymbolicLink()) continue
      if (wanted(path, entry.isFile())) found.push(path)
      else if (entry.isDirectory() && depth < SEARCH_DEPTH_MAX && entry.name !== 'node_modules') {
        await visit(join(folder, entry.name), depth + 1)
      }
    }
  }
  await visit(root, 0)
  return found.toSorted()
}
