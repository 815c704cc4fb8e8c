import { cp, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Failure } from '../../platform/failure.ts'
import { runCommand } from '../../platform/process/run-command.ts'
import type { ProbeWorld } from '../prerequisites/prerequisite.ts'
import type { Repository } from '../prerequisites/probe-git.ts'

const COPY_TIMEOUT_MS = 120_000
const CHECKOUT_TIMEOUT_MS = 600_000

/** A throwaway copy of the last commit, so that commands leave no trace in the user's work tree. */
export interface Checkout extends AsyncDisposable {
  readonly path: string
  /** For the commands' own temporary files; removed with the checkout. */
  readonly temporary: string
}

/** Before the first commit there is nothing to check out, so the files themselves are copied. */
export async function makeCheckout(
  world: ProbeWorld,
  repository: Repository,
  files: readonly string[],
): Promise<Checkout> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'axiom-first-start-')))
  const path = join(folder, 'checkout')
  const temporary = join(folder, 'temporary')
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 })
  try {
    await mkdir(temporary)
    if (repository.head === undefined) await copyFiles(repository.root, path, files)
    else await cloneCommit(world, repository.root, path, repository.head)
  } catch (error) {
    await remove()
    throw error
  }
  return { path, temporary, [Symbol.asyncDispose]: remove }
}

/** Objects are borrowed, not copied: the clone costs only its files, and only reads from the repository. */
async function cloneCommit(world: ProbeWorld, root: string, path: string, commit: string): Promise<void> {
  const quiet = ['-c', 'core.hooksPath=/dev/null', '-c', 'advice.detachedHead=false'] as const
  await git(world, [
    ...quiet,
    'clone',
    '--quiet',
    '--shared',
    '--no-checkout',
    '--template=',
    '--',
    root,
    path,
  ])
  await git(world, [...quiet, '-C', path, 'checkout', '--quiet', '--detach', commit])
}

/** When a hook runs AXIOM, these variables would redirect git into the user's repository. */
const REDIRECTING = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_COMMON_DIR',
  'GIT_PREFIX',
]

async function git(world: ProbeWorld, args: readonly string[]): Promise<void> {
  const env = Object.fromEntries(Object.entries(world.env).filter(([name]) => !REDIRECTING.includes(name)))
  const argv = ['git', ...args] as const
  const { ending, stderr } = await runCommand({ argv, cwd: world.cwd, env, timeoutMs: CHECKOUT_TIMEOUT_MS })
  if (ending.kind === 'exited' && ending.exitCode === 0) return
  const reason = ending.kind === 'timed-out' ? 'it took too long' : stderr.trim()
  throw new Failure('CHECKOUT_FAILED', `the last commit cannot be checked out: ${reason}`, {
    hint: 'see that `git clone` of this repository works, or skip the trial with --no-prove',
  })
}

async function copyFiles(root: string, path: string, files: readonly string[]): Promise<void> {
  await mkdir(path)
  for (const file of files) {
    await mkdir(dirname(join(path, file)), { recursive: true })
    await cp(join(root, file), join(path, file), { verbatimSymlinks: true, recursive: true })
  }
}

/** Copies packages that the user has installed already, for when they cannot be installed again. */
export async function copyFolder(world: ProbeWorld, from: string, to: string): Promise<boolean> {
  await rm(to, { recursive: true, force: true })
  await mkdir(dirname(to), { recursive: true })
  const { ending } = await runCommand({
    argv: ['cp', '-a', '--', from, to],
    cwd: world.cwd,
    env: world.env,
    timeoutMs: COPY_TIMEOUT_MS,
  })
  return ending.kind === 'exited' && ending.exitCode === 0
}
