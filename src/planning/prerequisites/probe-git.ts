import { askGit, askProgram } from './ask-program.ts'
import type { Prerequisite, ProbeWorld } from './prerequisite.ts'

/**
 * Older versions lack `merge-tree --write-tree` or have vulnerabilities that a hostile repository can
 * exploit.
 */
const GIT_MIN = [2, 39, 4] as const

export async function probeGit(world: ProbeWorld): Promise<Prerequisite> {
  const { exitCode, stdout } = await askProgram(world, ['git', '--version'])
  const version = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(stdout)
  if (exitCode !== 0 || version === null) {
    const fix = 'install git, for example: sudo apt-get install git (Linux), brew install git (macOS)'
    return { name: 'git', status: 'fail', code: 'PREREQ_NO_GIT', found: 'not found', fix }
  }
  if (isOlder(version.slice(1).map((part) => Number(part ?? 0)))) {
    const found = `${version[0]}, older than ${GIT_MIN.join('.')}`
    const fix =
      'update git, for example: sudo apt-get install --only-upgrade git (Linux), brew upgrade git (macOS)'
    return { name: 'git', status: 'fail', code: 'PREREQ_NO_GIT', found, fix }
  }
  return { name: 'git', status: 'ok', found: version[0] }
}

function isOlder(version: readonly number[]): boolean {
  const differing = GIT_MIN.findIndex((least, i) => version[i] !== least)
  return differing >= 0 && (version[differing] ?? 0) < (GIT_MIN[differing] ?? 0)
}

/** The repository of a directory: its work tree, its branch, and whether it has a commit to start from. */
export interface Repository {
  readonly root: string
  /** The branch that is checked out; undefined when HEAD is detached. */
  readonly branch?: string
  /** The commit that is checked out; undefined before the first one. */
  readonly head?: string
}

export async function findRepository(world: ProbeWorld): Promise<Repository | undefined> {
  const root = (await askGit(world, 'rev-parse', '--show-toplevel'))?.replace(/\n$/, '')
  if (root === undefined || root === '') return undefined
  const branch = (await askGit(world, 'symbolic-ref', '--quiet', '--short', 'HEAD'))?.trim()
  const head = (await askGit(world, 'rev-parse', '--verify', '--quiet', 'HEAD'))?.trim()
  return { root, ...(branch ? { branch } : {}), ...(head ? { head } : {}) }
}

export async function probeRepository(world: ProbeWorld): Promise<Prerequisite> {
  const name = 'repository'
  const repository = await findRepository(world)
  if (repository === undefined) {
    const foreign = await ownedByAnother(world)
    if (foreign) return foreign
    const bare = (await askGit(world, 'rev-parse', '--is-bare-repository'))?.trim() === 'true'
    const found = bare ? 'a bare repository, without a work tree' : `${world.cwd} is in no git repository`
    const fix = bare ? 'run AXIOM in a clone: git clone <this repository> <folder>' : 'git init'
    return { name, status: 'warn', code: 'PREREQ_NO_GIT', found, fix }
  }
  if (repository.head === undefined) {
    const fix = 'git add --all && git commit --message "Start", or: axiom init --first-commit'
    return {
      name,
      status: 'warn',
      code: 'PREREQ_NO_COMMIT',
      found: `${repository.root} has no commit yet`,
      fix,
    }
  }
  const changed = await countChanges({ ...world, cwd: repository.root })
  if (changed > 0) {
    const found = `${changed} uncommitted ${changed === 1 ? 'change' : 'changes'}; agents start from the last commit and will not see ${changed === 1 ? 'it' : 'them'}`
    return {
      name,
      status: 'warn',
      code: 'PREREQ_DIRTY_WORKDIR',
      found,
      fix: 'git add --all && git commit, or: git stash',
    }
  }
  return { name, status: 'ok', found: `${repository.root} on ${repository.branch ?? 'a detached HEAD'}` }
}

/** Git refuses a repository of another user, since its configuration could run anything. */
async function ownedByAnother(world: ProbeWorld): Promise<Prerequisite | undefined> {
  const { stderr } = await askProgram({ ...world, env: { ...world.env, LC_ALL: 'C' } }, [
    'git',
    'rev-parse',
    '--git-dir',
  ])
  if (!/dubious ownership/.test(stderr)) return undefined
  const fix =
    /git config --global --add safe\.directory \S+/.exec(stderr)?.[0] ??
    'git config --global --add safe.directory <path>'
  const found = 'the repository belongs to another user, and git does not trust it'
  return { name: 'repository', status: 'warn', code: 'PREREQ_NO_GIT', found, fix }
}

/** Files that differ from the last commit. What AXIOM itself keeps in the work tree does not count. */
async function countChanges(world: ProbeWorld): Promise<number> {
  const own = ['.axiom', '.swarm', '.workspaces', '.worktrees'].map((folder) => `:(exclude,top)${folder}`)
  const env = { ...world.env, ...(await withoutOwnFilters(world)) }
  const words = ['status', '--porcelain', '-z', '--no-renames', '--ignore-submodules=all', '--', ':/', ...own]
  const status = await askGit({ ...world, env }, ...words)
  return (status ?? '').split('\0').filter((entry) => entry !== '').length
}

/**
 * Settings that switch off the filters which only this repository's configuration defines; the user's own,
 * such as git-lfs, stay. As environment variables, because a name may contain any character.
 */
async function withoutOwnFilters(world: ProbeWorld): Promise<Record<string, string>> {
  const listed = await askGit(
    world,
    'config',
    '--show-scope',
    '--name-only',
    '-z',
    '--get-regexp',
    '^filter\\.',
  )
  const words = (listed ?? '').split('\0')
  const own = words.filter((_, at) => ['local', 'worktree'].includes(words[at - 1] ?? ''))
  const names = new Set(own.map((key) => key.slice(0, key.lastIndexOf('.'))))
  const settings = [...names].flatMap((name) => [
    [`${name}.clean`, ''],
    [`${name}.process`, ''],
    [`${name}.required`, 'false'],
  ])
  const variables = settings.flatMap(([key = '', value = ''], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return { ...Object.fromEntries(variables), GIT_CONFIG_COUNT: String(settings.length) }
}

export async function probeLargeFiles(world: ProbeWorld): Promise<Prerequisite> {
  const name = 'git-lfs'
  const uses = await askGit(world, 'grep', '--quiet', '-I', 'filter=lfs', '--', ':(glob)**/.gitattributes')
  if (uses === undefined) return { name, status: 'ok', found: 'not used here' }
  // Not `git lfs`: where it is missing, git would run an alias of that name from the repository.
  const { exitCode, stdout } = await askProgram(world, ['git-lfs', 'version'])
  if (exitCode === 0) return { name, status: 'ok', found: stdout.trim() }
  const found =
    '.gitattributes uses git-lfs, which is not installed; agents would see pointers instead of files'
  return { name, status: 'warn', found, fix: 'sudo apt-get install git-lfs && git lfs install' }
}
