// `npm test`: the checks, then every long suite, each with its own time limit. Prints one closing line.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const vitest = join(root, 'node_modules/vitest/vitest.mjs')

const suites = JSON.parse(readFileSync(join(root, 'test/suites.json'), 'utf8'))

const only = process.argv.slice(2)
let passed = 0
let failed = 0

function run(title, args, minutes) {
  process.stdout.write(`\n── ${title}\n`)
  const begun = Date.now()
  const { status, signal } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    timeout: minutes * 60_000,
    killSignal: 'SIGKILL',
  })
  process.stdout.write(`── ${title}: ${((Date.now() - begun) / 1000).toFixed(0)} s\n`)
  if (signal) process.stdout.write(`${title} did not end within ${minutes} minutes\n`)
  return status === 0
}

const reports = mkdtempSync(join(tmpdir(), 'axiom-test-'))
if (only.length === 0 && !run('checks', ['scripts/check.mjs', '--no-tests'], 5)) failed += 1
for (const [name, { minutes }] of Object.entries(suites)) {
  if (only.length > 0 && !only.includes(name)) continue
  const report = join(reports, `${name}.json`)
  const args = [vitest, 'run', '--project', name, '--reporter', 'default', '--reporter', 'json']
  const ok = run(name, [...args, `--outputFile.json=${report}`], minutes)
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
