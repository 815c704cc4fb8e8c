import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isRealDirectory, readRegularFile } from '../platform/files/read-regular-file.ts'
import { countJUnit, type TestCounts } from './count-tests.ts'

/** Where runners put their reports by default. */
const FOLDERS = [
  '.',
  'reports',
  'test-results',
  'test-reports',
  'build/test-results',
  'build/test-results/test',
  'target/surefire-reports',
  'target/failsafe-reports',
]
const REPORT_NAME = /^(?:TEST-.*|.*junit.*|.*test-?results?.*|report)\.xml$/i
const REPORT_BYTES_MAX = 16 * 1024 * 1024
const REPORTS_MAX = 2_000
/** Timestamps of a file system may be coarser than the system clock. */
const CLOCK_SLACK_MS = 2_000

/** Sums the JUnit reports that were written since a check began; older ones belong to an earlier run. */
export async function readReports(checkout: string, sinceMs: number): Promise<TestCounts | undefined> {
  const found: TestCounts[] = []
  for (const folder of FOLDERS.map((name) => join(checkout, name))) {
    if (!(await isRealDirectory(folder))) continue
    const names = (await readdir(folder)).filter((name) => REPORT_NAME.test(name)).slice(0, REPORTS_MAX)
    for (const path of names.map((name) => join(folder, name))) {
      const { mtimeMs } = await lstat(path)
      if (mtimeMs < sinceMs - CLOCK_SLACK_MS) continue
      const counts = countJUnit((await readRegularFile(path, REPORT_BYTES_MAX))?.toString('utf8') ?? '')
      if (counts) found.push(counts)
    }
  }
  if (found.length === 0) return undefined
  const sum = (field: 'passed' | 'failed' | 'skipped'): number =>
    found.reduce((n, counts) => n + counts[field], 0)
  return { runner: 'JUnit', passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}
