// `npm test`: the checks and the first tier of every suite. `npm run test:deep`: the deep tier.
// [SUITE…] runs those alone. --update-counts writes down how many tests there are. Prints one closing line.
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loopbackPrefix } from './loopback.mjs'
import { openPlace } from './testing/place.mjs'
import { missingNeeds, projectName, readSuites, root } from './testing/suites.mjs'

const CHECK_MINUTES_MAX = 5
const FIRST_TIER_MINUTES_MAX = 25
const DEEP_TIER_MINUTES_MAX = 40
const PREPARATION_MINUTES_MAX = 10
/** Most suites wait for git, disks and timers, so more files than cores run at once. */
const LANES = 4
/** Fewer, because the deep suites are mostly limited by the processor. */
const DEEP_LANES = 3
const SEED_MAX = 2 ** 31 - 1

const words = process.argv.slice(2)
const tier = words.includes('--deep') ? 'deep' : 'first'
const named = words.filter((word) => !word.startsWith('--'))
const suites = readSuites()
const unknown = named.filter((name) => !(name in suites))
if (unknown.length > 0) {
  process.stderr.write(
    `No suite is named ${unknown.join(', ')}. There are: ${Object.keys(suites).join(', ')}\n`,
  )
  process.exit(2)
}
const countsPath = join(root, 'test/expected-counts.json')
const expected = JSON.parse(readFileSync(countsPath, 'utf8'))
const begun = Date.now()
const faults = []
const notRun = []
const records = []
const times = []
const place = openPlace()
// The deep tier uses a new seed each time. The seed printed here reproduces a failure.
const seed = process.env.AXIOM_SEED ?? (tier === 'deep' ? String(randomInt(1, SEED_MAX)) : undefined)
if (seed !== undefined) process.stdout.write(`AXIOM_SEED=${seed}\n`)

try {
  const wanted = Object.keys(suites).filter(isWanted)
  const ready = wanted.filter((name) => !isUnmet(name))
  if (tier === 'first') await runFirstTier(ready)
  else await runDeepTier(ready)
  faults.push(...place.faults())
} finally {
  place.remove()
}
conclude()

function isWanted(name) {
  if (named.length > 0) return named.includes(name)
  return projectName(name, tier) in expected || words.includes('--update-counts')
}

function isUnmet(name) {
  const missing = missingNeeds(suites[name])
  if (missing.length > 0)
    notRun.push(`${name}: ${missing.join(' and ')} missing (apt-get install ${missing.join(' ')})`)
  return missing.length > 0
}

async function runFirstTier(names) {
  const long = names.filter((name) => name !== 'unit')
  if (named.length === 0) await runChecks()
  if (names.includes('unit')) await runVitest('unit', ['unit'], { minutes: CHECK_MINUTES_MAX })
  if (long.length > 0) await runVitest('suites', long, { minutes: FIRST_TIER_MINUTES_MAX, lanes: LANES })
}

async function runChecks() {
  const { isOk } = await run('checks', ['scripts/check.mjs', '--no-tests'], CHECK_MINUTES_MAX)
  if (!isOk) faults.push('the checks failed')
}

/**
 * Suites that measure the machine, or need their own network or program, run alone; the others in parallel.
 */
async function runDeepTier(names) {
  const alone = names.filter((name) => suites[name].deep?.alone)
  const together = names.filter((name) => !alone.includes(name))
  if (together.length > 0)
    await runVitest('deep', together, { minutes: DEEP_TIER_MINUTES_MAX, lanes: DEEP_LANES })
  for (const name of alone) await runAlone(name)
}

async function runAlone(name) {
  const { minutes, prepare, loopbackOnly } = suites[name].deep
  const { environment } = place
  if (
    prepare &&
    !(await run(`${name}: what it needs`, prepare, PREPARATION_MINUTES_MAX, { environment })).isOk
  ) {
    notRun.push(`${name}: what it needs could not be prepared`)
    return
  }
  const prefix = loopbackOnly ? loopbackPrefix() : []
  if (loopbackOnly && prefix.length === 0)
    process.stdout.write(`${name}: no network of its own can be made here\n`)
  await runVitest(projectName(name, tier), [name], { minutes, lanes: 1, prefix })
}

async function runVitest(title, names, { minutes, lanes, prefix = [] }) {
  const record = join(place.folder, `${title.replace(':', '-')}.jsonl`)
  const projects = names.flatMap((name) => ['--project', projectName(name, tier)])
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...projects]
  args.push(
    '--reporter',
    title === 'unit' ? 'dot' : 'default',
    '--reporter',
    'scripts/testing/record-files.mjs',
  )
  if (lanes) args.push('--maxWorkers', String(lanes))
  const environment = {
    ...place.environment,
    AXIOM_TEST_RECORD: record,
    ...(seed === undefined ? {} : { AXIOM_SEED: seed }),
    ...(prefix.length > 0 ? { AXIOM_LOOPBACK_ONLY: '1' } : {}),
  }
  const { isOk } = await run(title, args, minutes, { prefix, environment })
  const seen = existsSync(record) ? readFileSync(record, 'utf8').trim().split('\n').filter(Boolean) : []
  const files = seen.map((line) => JSON.parse(line))
  records.push(...files)
  if (!isOk && files.every(({ failed }) => failed === 0)) faults.push(`${title} ended with an error`)
}

/**
 * Runs in its own process group, so that its children end with it on a timeout or when the runner is stopped.
 */
function run(title, args, minutes, { prefix = [], environment = process.env } = {}) {
  process.stdout.write(`\n── ${title}\n`)
  const from = Date.now()
  const [program, ...rest] = [...prefix, process.execPath, ...args]
  const child = spawn(program, rest, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: environment,
    detached: true,
  })
  const end = (signal) => {
    try {
      process.kill(-child.pid, signal)
    } catch {
      // The process has already ended.
    }
  }
  const leave = () => {
    end('SIGKILL')
    place.remove()
    process.exit(130)
  }
  process.once('SIGINT', leave).once('SIGTERM', leave)
  const timer = setTimeout(() => {
    faults.push(`${title} did not end within ${minutes} minutes`)
    end('SIGKILL')
  }, minutes * 60_000)
  return new Promise((done) => {
    const close = (isOk) => {
      clearTimeout(timer)
      process.off('SIGINT', leave).off('SIGTERM', leave)
      const seconds = (Date.now() - from) / 1000
      times.push([title, seconds])
      process.stdout.write(`── ${title}: ${seconds.toFixed(0)} s\n`)
      done({ isOk })
    }
    child.once('error', () => close(false)).once('close', (code) => close(code === 0))
  })
}

/**
 * Prints one line per suite: its tests and the total seconds of its files, which exceed the elapsed time when
 * files run in parallel.
 */
function conclude() {
  const rows = new Map()
  for (const { project, file, seconds, passed, failed, skipped } of records) {
    const row = rows.get(project) ?? { passed: 0, failed: 0, skipped: 0, seconds: 0, longest: ['', 0] }
    row.passed += passed
    row.failed += failed
    row.skipped += skipped
    row.seconds += seconds
    if (seconds > row.longest[1]) row.longest = [file, seconds]
    rows.set(project, row)
  }
  process.stdout.write('\nsuite                    tests   seconds of its files, the longest\n')
  for (const [project, { passed, failed, skipped, seconds, longest }] of rows) {
    const tests = passed + failed + skipped
    const figures = `${project.padEnd(22)} ${String(tests).padStart(7)} ${seconds.toFixed(0).padStart(9)}`
    process.stdout.write(`${figures}   ${longest[0]} ${longest[1].toFixed(0)} s\n`)
    if (skipped > 0) faults.push(`${project}: ${skipped} tests were skipped`)
    compareCount(project, tests)
  }
  const missing = Object.keys(expected).filter((project) => isExpectedHere(project) && !rows.has(project))
  for (const project of missing) faults.push(`${project}: no test ran, ${expected[project]} are expected`)
  if (words.includes('--update-counts'))
    writeFileSync(
      countsPath,
      `${JSON.stringify(Object.fromEntries(Object.entries(expected).toSorted()), null, 2)}\n`,
    )
  for (const [title, seconds] of times) process.stdout.write(`${title}: ${seconds.toFixed(0)} s\n`)
  for (const words of notRun) process.stdout.write(`not run: ${words}\n`)
  for (const fault of faults) process.stdout.write(`FAULT ${fault}\n`)
  const sum = (kind) => [...rows.values()].reduce((total, row) => total + row[kind], 0)
  const failed = sum('failed') + faults.length + (process.env.CI ? notRun.length : 0)
  process.stdout.write(`${((Date.now() - begun) / 60_000).toFixed(1)} minutes\n`)
  process.stdout.write(`\n${sum('passed')} passed, ${failed} failed\n`)
  process.exit(failed === 0 ? 0 : 1)
}

function isExpectedHere(project) {
  const suite = project.replace(/:deep$/, '')
  const isOfTier = project.endsWith(':deep') === (tier === 'deep')
  const isUnready = notRun.some((words) => words.startsWith(`${suite}:`))
  return isOfTier && isWanted(suite) && !isUnready
}

/** Catches a test that vanishes, for example from a shortened table: nothing else would fail. */
function compareCount(project, tests) {
  if (words.includes('--update-counts')) expected[project] = tests
  else if (expected[project] !== tests)
    faults.push(
      `${project}: ${tests} tests, ${expected[project] ?? 'none'} expected; npm test -- --update-counts writes it down`,
    )
}
