// Makes a checkout ready to run: installs what package.json asks for and builds dist/, both only when stale.
// Plain JavaScript on Node alone, because it runs before anything is installed.
// --tests: also what only the tests need.  --no-build: packages only.  --quiet: say nothing when nothing is done.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const flags = new Set(process.argv.slice(2))

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  fail(
    `AXIOM needs Node 20.19 or newer; this is ${process.versions.node}. Install a newer Node and try again.`,
  )
}

/** A stamp holds the digest of everything a step was made from; an equal digest means there is nothing to do. */
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
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === want) return
  process.stderr.write(`${name}…\n`)
  run()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, want)
}

function command(program, args) {
  const result = spawnSync(program, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (result.status !== 0) fail(`"${program} ${args.join(' ')}" failed; what it said stands above.`)
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
  command('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'])
})

if (!flags.has('--no-build')) {
  step(
    'Building',
    'dist/.prepared',
    [...filesUnder('src'), 'tsconfig.json', 'tsconfig.build.json', 'package.json'],
    () => {
      rmSync(join(root, 'dist'), { recursive: true, force: true })
      command(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'])
    },
  )
}

if (flags.has('--tests')) installBubblewrap()

/** The sandbox suite tests bubblewrap where it can be had without asking anyone: as root on Debian. */
function installBubblewrap() {
  if (process.platform !== 'linux' || found('bwrap')) return
  if (process.getuid() !== 0 || !found('apt-get')) {
    process.stderr.write('bubblewrap is missing and cannot be installed here; its tests will say so.\n')
    return
  }
  process.stderr.write('Installing bubblewrap…\n')
  const install = (args) =>
    spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 2], timeout: 300_000 }).status
  const installed = install(['install', '-y', 'bubblewrap']) === 0
  if (installed || (install(['update']) === 0 && install(['install', '-y', 'bubblewrap']) === 0)) return
  process.stderr.write('bubblewrap could not be installed; its tests will say so.\n')
}

function found(program) {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)))
}
