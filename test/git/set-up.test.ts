import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checksFor } from '../../src/verification/run-checks.ts'
import { createWorkspace } from '../../src/workspaces/create-workspace.ts'
import { isInstallCommand } from '../../src/workspaces/dependency-cache.ts'
import { inspectWorkspace } from '../../src/workspaces/inspect-workspace.ts'
import { type SetUp, setUpCheckout } from '../../src/workspaces/set-up-checkout.ts'
import { slotVariables } from '../../src/workspaces/slot-variables.ts'
import { excludeFilesOf, type Workspace } from '../../src/workspaces/workspace.ts'
import { runnerFor } from './sandbox.ts'
import { openScratch, type Scratch, sh, write } from './scratch.ts'

let scratch: Scratch
beforeEach(async () => {
  scratch = await openScratch({
    '.gitignore': 'node_modules/\n',
    'package.json': '{"name":"sample","version":"1.0.0","dependencies":{"local":"file:local"}}',
    'package-lock.json':
      '{"name":"sample","version":"1.0.0","lockfileVersion":3,"packages":{"":{"name":"sample","version":"1.0.0","dependencies":{"local":"file:local"}},"local":{"version":"1.0.0"},"node_modules/local":{"resolved":"local","link":true}}}',
    'local/package.json': '{"name":"local","version":"1.0.0","main":"index.js"}',
    'local/index.js': 'module.exports = 42\n',
    'conf/kept.txt': 'tracked\n',
  })
})
afterEach(() => scratch.remove())

const open = (n: number): Promise<Workspace> =>
  createWorkspace(scratch.ground, { agent: `echo-${n}`, task: `task-${n}`, slot: n })

function setUp(
  workspace: Workspace,
  commands: string[],
  options: { files?: string[]; fill?: boolean } = {},
): Promise<SetUp> {
  return setUpCheckout({
    checkout: workspace.path,
    commands,
    copy: {
      from: scratch.user,
      files: options.files ?? [],
      excludeIn: excludeFilesOf(scratch.ground, workspace),
    },
    slot: slotVariables(workspace.slot, 'sample', { DATABASE_URL: 'db://{database}' }),
    timeoutMs: 120_000,
    cache: { folder: join(scratch.root, 'caches/agents'), machine: 'test', fill: options.fill ?? true },
    run: runnerFor(scratch),
  })
}

describe('the set-up', () => {
  it('installs once, copies what it installed afterwards, and still runs the other commands', async () => {
    const commands = ['npm ci --offline', 'echo "$DATABASE_URL {slot}" > made.txt']
    const [first, second] = [await open(1), await open(2)]
    expect(await setUp(first, commands)).toMatchObject({ kind: 'ready', fromCache: false })
    expect(await setUp(second, commands)).toMatchObject({ kind: 'ready', fromCache: true })
    expect(sh(second.path, 'node -p "require(\'local\')"')).toBe('42')
    expect(readFileSync(join(second.path, 'made.txt'), 'utf8')).toBe('db://axiom_sample_2 2\n')
  })

  it('keeps nothing of a checkout whose code is not the target’s own, and nothing for another lock file', async () => {
    const [first, second, third] = [await open(1), await open(2), await open(3)]
    expect(await setUp(first, ['npm ci --offline'], { fill: false })).toMatchObject({ fromCache: false })
    expect(await setUp(second, ['npm ci --offline'])).toMatchObject({ fromCache: false })
    write(third.path, {
      'package.json':
        '{"name":"sample","version":"1.0.0","scripts":{"postinstall":"true"},"dependencies":{"local":"file:local"}}',
    })
    expect(await setUp(third, ['npm ci --offline'])).toMatchObject({ fromCache: false })
  })

  it('stops at the first command that fails, with its output', async () => {
    expect(await setUp(await open(1), ['echo broken >&2; exit 7', 'touch never'])).toMatchObject({
      kind: 'failed',
      command: 'echo broken >&2; exit 7',
      result: { stderr: 'broken\n', ending: { kind: 'exited', exitCode: 7 } },
    })
  })

  it('copies listed files, hides them from git, and follows no link on either side', async () => {
    write(scratch.user, { '.env': 'SECRET=1', 'deep/x.env': 'deep' })
    symlinkSync('/etc/passwd', join(scratch.user, 'link.env'))
    const workspace = await open(1)
    mkdirSync(join(scratch.root, 'elsewhere'))
    symlinkSync(join(scratch.root, 'elsewhere'), join(workspace.path, 'deep'))
    const files = [
      '.env',
      'link.env',
      'deep/x.env',
      '../outside',
      '/etc/hosts',
      'missing',
      '.git/config',
      'conf/kept.txt',
    ]
    const done = await setUp(workspace, [], { files })
    expect(done).toMatchObject({ kind: 'ready', copied: { copied: ['.env'] } })
    expect(done.kind === 'ready' && done.copied.refused.map(({ file }) => file)).toEqual(files.slice(1))
    expect(existsSync(join(scratch.root, 'elsewhere/x.env'))).toBe(false)
    expect(readFileSync(join(workspace.path, '.env'), 'utf8')).toBe('SECRET=1')
    sh(workspace.path, 'rm deep && git add -A && git diff --cached --quiet')
    expect((await inspectWorkspace(scratch.ground, workspace)).uncommitted).toEqual([])
  })
})

it.each([
  'npm ci',
  'npm install --no-audit',
  'pnpm i --frozen-lockfile',
  'yarn',
  'poetry install',
  'bundle install',
])('takes %s for a mere installation', (line) => expect(isInstallCommand(line)).toBe(true))

it.each([
  'npm install && npm run build',
  'npm install left-pad',
  'npm run build',
  'createdb x',
  'yarn build',
])('does not take %s for one', (line) => expect(isInstallCommand(line)).toBe(false))

it('adds the commands of a task to those of the project, once', () => {
  const project = [{ name: 'tests', command: 'npm test', timeout: 60, required: false, environments: {} }]
  expect(
    checksFor(project, ['npm test', 'make x']).map(({ name, required, timeout }) => [
      name,
      required,
      timeout,
    ]),
  ).toEqual([
    ['tests', false, 60],
    ['make x', true, 300],
  ])
})
