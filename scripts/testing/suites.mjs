// The suites of test/suites.json in their two tiers. The tier of a test is in its file's name.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** A file with this ending is slow by nature and belongs to `npm run test:deep`. */
const DEEP_END = '.deep.test.ts'

/** Programs that the runner installs on Debian and checks for before a suite starts. */
const PROGRAMS = {
  bubblewrap: ['bwrap'],
  chromium: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
}

export function readSuites() {
  return JSON.parse(readFileSync(join(root, 'test/suites.json'), 'utf8'))
}

/** The name of a suite in a tier, for vitest and in test/expected-counts.json. */
export function projectName(suite, tier) {
  return tier === 'deep' ? `${suite}:deep` : suite
}

export function patternsOf({ include }, tier) {
  return tier === 'deep'
    ? { include: include.map((pattern) => pattern.replace('.test.ts', DEEP_END)), exclude: [] }
    : { include, exclude: [`**/*${DEEP_END}`] }
}

/** The needs of a suite that this machine does not meet. */
export function missingNeeds({ needs = [] }) {
  return needs.filter((need) => !isThere(need))
}

function isThere(need) {
  if (need === 'chromium' && process.env.AXIOM_CHROMIUM) return true
  const folders = (process.env.PATH ?? '').split(':')
  return PROGRAMS[need].some((program) => folders.some((folder) => existsSync(join(folder, program))))
}
