// Run inside a fresh machine when a demo has ended: prints as one JSON line what the demo ran with and what it left behind.
// Arguments: the checkout, if there is one, and the repository that the demo made.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

const [checkout, repository] = process.argv.slice(2)
const PROCESSES_WAIT_MS_MAX = 10_000

function read(look, otherwise) {
  try {
    return look()
  } catch {
    return otherwise
  }
}

/** All but the shells that started this; what has ended and is not yet taken in does not count. */
function processes() {
  const own = new Set([1, process.pid, process.ppid])
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && !own.has(Number(name)))
    .flatMap((pid) => {
      const state = read(() => readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '')[0], 'X')
      const words = read(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim(), '')
      return state === 'Z' || state === 'X' || words === '' ? [] : [words]
    })
}

async function processesLeft() {
  for (let waitedMs = 0; waitedMs < PROCESSES_WAIT_MS_MAX && processes().length > 0; waitedMs += 100)
    await new Promise((wake) => setTimeout(wake, 100))
  return processes()
}

/** Every proof of a run says on what machine it was made. */
function levels() {
  const folder = join(repository, '.axiom/blobs')
  const found = read(() => readdirSync(folder, { recursive: true, withFileTypes: true }), [])
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const text = read(() => readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8'), '')
      return [...text.matchAll(/"sandbox":"([a-z-]+)"/g)].map(([, level]) => level)
    })
  return [...new Set(found)]
}

/** What the product itself says it would use; asked because a run in which nothing was proven says nothing. */
function levelByDoctor() {
  const program = checkout === '' ? ['axiom'] : [process.execPath, 'bin/axiom.js']
  const [first, ...words] = [...program, 'doctor', '--json', '--cwd', repository]
  const options = {
    cwd: checkout || '/',
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 60_000,
  }
  const answer = read(() => execFileSync(first, words, options), '[]')
  const found = JSON.parse(answer).find(({ name }) => name === 'sandbox')?.found ?? 'nothing'
  return found.startsWith('no level holds') ? `process-group (${found})` : found.split(',')[0]
}

/** Where no wall holds, workspaces lie below `~/.local/state`; when a demo has ended they are empty folders. */
function holdsFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).some((entry) => !entry.isDirectory())
}

const status = () =>
  execFileSync('git', ['-C', checkout, 'status', '--porcelain'], { encoding: 'utf8' }).trim()
const report = {
  type: 'machine',
  node: process.version,
  processes: await processesLeft(),
  levels: levels(),
  doctor: levels().length > 0 ? null : levelByDoctor(),
  changed: checkout === '' ? '' : status(),
  temporary: readdirSync(tmpdir()).sort(),
  home: readdirSync(homedir())
    .filter((name) => name !== '.local' || holdsFiles(join(homedir(), name)))
    .sort(),
}
process.stdout.write(`${JSON.stringify(report)}\n`)
