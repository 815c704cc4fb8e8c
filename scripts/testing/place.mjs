// An isolated place for tests: its own HOME and temporary folder, and a check for what the tests left behind.
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Folders of version managers, which may hold the Node that runs the tests. */
const TOOLCHAINS = ['.nvm', '.volta', '.fnm', '.asdf', '.local/share/fnm', '.local/share/mise']
/**
 * The files of git, npm, AXIOM and the agent programs; the rest of a HOME may change while its user works.
 */
const WATCHED = [
  ...['.gitconfig', '.config/git', '.npmrc', '.ssh', '.profile', '.bashrc'],
  ...['.axiom', '.config/axiom', '.local/state/axiom', '.local/share/axiom'],
  ...['.claude', '.claude.json', '.codex', '.gemini'],
  ...['.config/opencode', '.local/share/opencode', '.local/state/opencode'],
]
/** The depth of the search below each of them. */
const DEPTH_MAX = 3

/** The compiler's cache, and the trial folder of a program that a test killed during its trial. */
const LEFT_ON_PURPOSE = /^(tsx-|canary -)/

export function openPlace() {
  const realHome = homedir()
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'axt-')))
  const home = join(folder, 'home')
  const temporary = join(folder, 'tmp')
  mkdirSync(home)
  mkdirSync(temporary)
  // The same modes as the system's folders: some tests start programs as another user.
  chmodSync(folder, 0o755)
  chmodSync(temporary, 0o1777)
  for (const name of TOOLCHAINS) linkToolchain(realHome, home, name)
  const before = listHome(realHome)
  return {
    folder,
    environment: environmentOf(folder, home, temporary, realHome),
    /** All faults as sentences: changes in the real HOME, leftover temporary files, running processes. */
    faults() {
      const left = readdirSync(temporary).filter((name) => !LEFT_ON_PURPOSE.test(name))
      const running = processesOf(folder)
      return [
        ...changesOf(before, listHome(realHome)).map((path) => `a test changed ${path} in the real HOME`),
        ...(left.length > 0 ? [`left in the temporary folder: ${left.slice(0, 20).join(', ')}`] : []),
        ...running.map(({ pid, words }) => `still running: ${pid} ${words}`),
      ]
    },
    /** Kills the processes that still run in the place, and deletes it. */
    remove() {
      for (const { pid } of processesOf(folder)) read(() => process.kill(pid, 'SIGKILL'))
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** The user's npm settings are kept, because they name the registry; git's settings are not. */
function environmentOf(folder, home, temporary, realHome) {
  const { XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME, XDG_CACHE_HOME, ...kept } = process.env
  const cache = XDG_CACHE_HOME ?? join(realHome, '.cache')
  return {
    ...kept,
    HOME: home,
    TMPDIR: temporary,
    AXIOM_TEST_PLACE: folder,
    // Downloads for tests are kept between runs.
    AXIOM_MACHINE_CACHE: process.env.AXIOM_MACHINE_CACHE ?? join(cache, 'axiom/machines'),
    AXIOM_CLIENT_CACHE: process.env.AXIOM_CLIENT_CACHE ?? join(cache, 'axiom/clients'),
    NPM_CONFIG_USERCONFIG: process.env.NPM_CONFIG_USERCONFIG ?? join(realHome, '.npmrc'),
    GIT_CONFIG_GLOBAL: '/dev/null',
  }
}

function linkToolchain(from, to, name) {
  try {
    lstatSync(join(from, name))
  } catch {
    return
  }
  mkdirSync(join(to, name, '..'), { recursive: true })
  symlinkSync(join(from, name), join(to, name))
}

/** Path → a fingerprint that changes with the file. */
function listHome(home) {
  const found = new Map()
  const look = (path, depth) => {
    try {
      const status = lstatSync(join(home, path))
      found.set(path, status.isDirectory() ? 'folder' : `${status.size} ${status.mtimeMs}`)
      if (status.isDirectory() && depth < DEPTH_MAX)
        for (const name of namesIn(join(home, path))) look(`${path}/${name}`, depth + 1)
    } catch {
      // The file does not exist, or was just deleted.
    }
  }
  for (const path of WATCHED) look(path, 0)
  return found
}

function changesOf(before, after) {
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].filter((path) => before.get(path) !== after.get(path))
}

function namesIn(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Processes with the place in their arguments or as their working directory. */
function processesOf(folder) {
  return namesIn('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      const words = read(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
      const cwd = read(() => readlinkSync(`/proc/${pid}/cwd`))
      return words.includes(folder) || cwd.startsWith(folder)
        ? [{ pid: Number(pid), words: words.slice(0, 200) }]
        : []
    })
}

function read(look) {
  try {
    return look()
  } catch {
    return ''
  }
}
