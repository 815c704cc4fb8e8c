// Makes a checkout ready to run: installs what package.json asks for and builds dist/, both only when stale.
// Plain JavaScript on Node alone, because it runs before anything is installed.
// --tests: also what only the tests need.  --no-build: packages only.  --quiet: say nothing when nothing is done.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const flags = new Set(process.argv.slice(2))

const LOCK_POLL_MS = 100
/** Longer than an installation over a slow line takes. */
const LOCK_WAIT_MS_MAX = 900_000

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  fail(
    `AXIOM needs Node 20.19 or newer; this is ${process.versions.node}. Install a newer Node and try again.`,
  )
}

/** A stamp holds the digest of all inputs of a step; an equal digest means that the step is up to date. */
function step(name, stampPath, inputs, run) {
  const digest = createHash('sha256')
  for (const path of inputs)
    digest
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0')
  const want = digest.digest('hex')
  const stamp = join(root, stampPath)
  const isDone = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === want
  if (isDone()) return
  alone(() => {
    if (isDone()) return
    process.stderr.write(`${name}…\n`)
    run()
    mkdirSync(dirname(stamp), { recursive: true })
    writeFileSync(stamp, want)
  })
}

/** Several commands may run first in a fresh checkout; one prepares it and the others wait. */
function alone(work) {
  const lock = join(root, 'node_modules/.preparing')
  mkdirSync(dirname(lock), { recursive: true })
  for (let waitedMs = 0; !take(lock); waitedMs += LOCK_POLL_MS) {
    if (waitedMs > LOCK_WAIT_MS_MAX)
      fail(`another process still prepares AXIOM; if none does, remove ${lock}`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_POLL_MS)
  }
  process.once('exit', () => rmSync(lock, { force: true }))
  work()
  rmSync(lock, { force: true })
}

function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!isAlive(lock)) rmSync(lock, { force: true })
    return false
  }
}

function isAlive(lock) {
  try {
    const pid = Number(readFileSync(lock, 'utf8'))
    // The file is empty until its creator has written the process id.
    return pid === 0 || process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function succeeds(program, args) {
  const { status } = spawnSync(program, args, {
    cwd: root,
    // Overrides the caller's value: the pages are always built for production.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  return status === 0
}

function command(program, args) {
  if (!succeeds(program, args)) fail(`"${program} ${args.join(' ')}" failed; what it said stands above.`)
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(4)
}

function filesUnder(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .sort()
}

step('Installing packages', 'node_modules/.prepared', ['package.json', 'package-lock.json'], () => {
  // Not saved: an older npm would rewrite the lock file, an unwanted change in the user's checkout.
  const install = ['install', '--include=dev', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  if (succeeds('npm', install)) return
  // With a low limit of open files, npm may fail to open all its connections and files at once.
  process.stderr.write('Once more, one connection at a time…\n')
  command('npm', [...install, '--maxsockets=1'])
})

if (!flags.has('--no-build')) {
  step(
    'Building',
    'dist/.prepared',
    [...filesUnder('src'), 'tsconfig.json', 'tsconfig.build.json', 'package.json'],
    () => {
      // dist/ is replaced only by a complete build, so that an interrupted build is repeated.
      const draft = join(root, 'dist.draft')
      const compiler = join(root, 'node_modules/typescript/bin/tsc')
      rmSync(draft, { recursive: true, force: true })
      command(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', draft])
      rmSync(join(root, 'dist'), { recursive: true, force: true })
      renameSync(draft, join(root, 'dist'))
    },
  )
}

if (!flags.has('--no-build')) {
  // The pages import types and command lines from the server, so those files are inputs, too.
  const inputs = [...filesUnder('web'), ...filesUnder('src/server/contract'), 'src/server/command-line.ts']
  step('Building the pages', 'dist-web/.prepared', [...inputs, 'package.json'], () => {
    const vite = join(root, 'node_modules/vite/bin/vite.js')
    command(process.execPath, [vite, 'build', '--config', 'web/vite.config.ts', '--logLevel', 'error'])
  })
}

if (flags.has('--tests')) {
  installFromDebian('bubblewrap', ['bwrap'])
  installFromDebian('chromium', ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'])
}

/**
 * Some suites need a system program. It is installed only where that needs no permission: as root on Debian.
 */
function installFromDebian(name, programs) {
  if (process.platform !== 'linux' || programs.some(found)) return
  if (name === 'chromium' && process.env.AXIOM_CHROMIUM) return
  const words = `its tests will say so. Install it with: apt-get install ${name}\n`
  if (process.getuid() !== 0 || !found('apt-get')) {
    process.stderr.write(`${name} is missing and cannot be installed here; ${words}`)
    return
  }
  process.stderr.write(`Installing ${name}…\n`)
  const install = (args) =>
    spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 2], timeout: 600_000 }).status === 0
  const get = () => install(['install', '-y', '--no-install-recommends', name])
  if (get() || (install(['update']) && get())) return
  process.stderr.write(`${name} could not be installed; ${words}`)
}

function found(program) {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)))
}
