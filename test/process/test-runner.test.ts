import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const PASSES = "import { it } from 'vitest'\nit('passes', () => {})\n"

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'axiom-runner-')))
  for (const name of ['scripts', 'vitest.config.mjs', 'package.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  plant({
    'test/global-setup.ts': 'export function setup() {}\n',
    'test/suites.json': JSON.stringify({
      small: { include: ['test/small/**/*.test.ts'] },
      alone: { include: ['test/alone/**/*.test.ts'], deep: { minutes: 1, alone: true } },
      needy: { include: ['test/needy/**/*.test.ts'], needs: ['bubblewrap'] },
    }),
    'test/expected-counts.json': '{ "small": 1, "small:deep": 1, "alone:deep": 1, "needy": 1 }',
    'test/small/one.test.ts': PASSES,
    'test/small/two.deep.test.ts': PASSES,
    'test/needy/one.test.ts': PASSES,
    'test/alone/three.deep.test.ts': PASSES,
    'home/.gitconfig': '',
    'tmp/.keep': '',
  })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function plant(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

function runTests(words: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/test.mjs', ...words], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
    env: {
      ...process.env,
      CI: '',
      AXIOM_SEED: undefined,
      HOME: join(folder, 'home'),
      TMPDIR: join(folder, 'tmp'),
      ...environment,
    },
  })
  return { status, stdout }
}

it('runs each tier by the names of the files, and says how many tests passed', () => {
  const first = runTests(['small'])
  expect(first.stdout).toContain('test/small/one.test.ts')
  expect(first.stdout).not.toContain('two.deep.test.ts')
  expect(first.stdout).toMatch(/^1 passed, 0 failed$/m)
  expect(first.status).toBe(0)
  const deep = runTests(['--deep'])
  expect(deep.stdout).toMatch(/^AXIOM_SEED=\d+$/m)
  expect(deep.stdout).toContain('two.deep.test.ts')
  expect(deep.stdout).toContain('three.deep.test.ts')
  expect(deep.stdout).toMatch(/^2 passed, 0 failed$/m)
  expect(deep.status).toBe(0)
})

it.each([
  [
    'a test that vanished',
    "import { it } from 'vitest'\nit.each([])('%s', () => {})\nit.each([1, 2])('%i', () => {})\n",
    'small: 2 tests, 1 expected',
  ],
  [
    'a test that is skipped',
    "import { it } from 'vitest'\nit.skip('later', () => {})\n",
    'small: 1 tests were skipped',
  ],
  ['a file that cannot be loaded', "import './missing.ts'\n", '0 passed'],
  [
    'a folder left behind',
    "import { mkdtempSync } from 'node:fs'\nimport { tmpdir } from 'node:os'\nimport { it } from 'vitest'\nit('leaves', () => void mkdtempSync(tmpdir() + '/left-'))\n",
    'left in the temporary folder: left-',
  ],
  [
    'a change in the real HOME',
    "import { writeFileSync } from 'node:fs'\nimport { it } from 'vitest'\nit('writes', () => writeFileSync(process.env.REAL_HOME + '/.gitconfig', 'x'))\n",
    'a test changed .gitconfig in the real HOME',
  ],
  [
    'a new file of an agent program in the real HOME',
    "import { mkdirSync } from 'node:fs'\nimport { it } from 'vitest'\nit('writes', () => void mkdirSync(process.env.REAL_HOME + '/.config/opencode', { recursive: true }))\n",
    'a test changed .config/opencode in the real HOME',
  ],
  [
    'a process left behind',
    "import { spawn } from 'node:child_process'\nimport { tmpdir } from 'node:os'\nimport { it } from 'vitest'\nit('starts', () => spawn('sleep', ['20'], { cwd: tmpdir(), detached: true, stdio: 'ignore' }).unref())\n",
    'still running:',
  ],
])('%s is a fault', (_what, text, words) => {
  plant({ 'test/small/one.test.ts': text })
  const { status, stdout } = runTests(['small'], { REAL_HOME: join(folder, 'home') })
  expect(stdout).toContain(words)
  expect(status).toBe(1)
})

it('names a suite whose need is missing, and fails for it where nobody reads', () => {
  const bare = join(folder, 'bare')
  mkdirSync(bare)
  const there = runTests(['needy'], { PATH: bare })
  expect(there.stdout).toContain('not run: needy: bubblewrap missing (apt-get install bubblewrap)')
  expect(there.status).toBe(0)
  expect(runTests(['needy'], { PATH: bare, CI: 'true' }).status).toBe(1)
})

it('knows no suite of another name', () => {
  expect(runTests(['smal']).status).toBe(2)
})
