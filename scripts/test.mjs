// `npm test`: the checks, then every long suite, each with its own time limit. Prints one closing line.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loopbackPrefix } from './loopback.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const vitest = join(root, 'node_modules/vitest/vitest.mjs')

const suites = JSON.parse(readFileSync(join(root, 'test/suites.json'), 'utf8'))

const only = process.argv.slice(2)
const PREPARATION_MINUTES_MAX = 10
let passed = 0
let failed = 0

function run(title, args, minutes, prefix = []) {
  process.stdout.write(`\n── ${title}\n`)
  const begun = Date.now()
  const [program, ...rest] = [...prefix, process.execPath, ...args]
  const { status, signal } = spawnSync(program, rest, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...(prefix.length > 0 ? { AXIOM_LOOPBACK_ONLY: '1' } : {}) },
    timeout: minutes * 60_000,
    killSignal: 'SIGKILL',
  })
  process.stdout.write(`── ${title}: ${((Date.now() - begun) / 1000).toFixed(0)} s\n`)
  if (signal) process.stdout.write(`${title} did not end within ${minutes} minutes\n`)
  return status === 0
}

const reports = mkdtempSync(join(tmpdir(), 'axiom-test-'))
if (only.length === 0 && !run('checks', ['scripts/check.mjs', '--no-tests'], 5)) failed += 1
/** A suite may need something fetched first, and may be one that must not see any network beyond this machine. */
for (const [name, { minutes, onRequest, prepare, loopbackOnly }] of Object.entries(suites)) {
  if (only.length > 0 ? !only.includes(name) : onRequest) continue
  if (prepare && !run(`${name}: what it needs`, prepare, PREPARATION_MINUTES_MAX)) {
    failed += 1
    continue
  }
  const prefix = loopbackOnly ? loopbackPrefix() : []
  if (loopbackOnly && prefix.length === 0)
    process.stdout.write(`${name}: no network of its own can be made here\n`)
  const report = join(reports, `${name}.json`)
  const args = [vitest, 'run', '--project', name, '--reporter', 'default', '--reporter', 'json']
  const ok = run(name, [...args, `--outputFile.json=${report}`], minutes, prefix)
  try {
    const counts = JSON.parse(readFileSync(report, 'utf8'))
    passed += counts.numPassedTests
    failed += counts.numFailedTests || (ok ? 0 : 1)
    if (counts.numTotalTests === 0) failed += 1
  } catch {
    failed += 1
  }
}
rmSync(reports, { recursive: true, force: true })
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
