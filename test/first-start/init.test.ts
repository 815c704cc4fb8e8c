import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resolveConfig } from '../../src/config/resolve-config.ts'
import { runCommand } from '../../src/platform/process/run-command.ts'
import { runAxiom } from '../cli/run-axiom.ts'
import { expectGolden } from '../golden.ts'

let root: string
const at = (path: string): string => join(root, path)
const text = (path: string): Promise<string> => readFile(at(path), 'utf8')

const FILES = {
  'package.json': '{"name": "a", "scripts": {"test": "node --test", "lint": "node lint.js"}}\n',
  'a.test.mjs': "import test from 'node:test'\ntest('passes', () => {})\n",
  'lint.js': 'process.exit(0)\n',
  '.gitignore': '.env\n',
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'axiom-init-'))
})
afterEach(async () => {
  await chmod(root, 0o755)
  await rm(root, { recursive: true, force: true })
})

async function git(...args: readonly string[]): Promise<string> {
  const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.com']
  const env = { PATH: process.env.PATH, HOME: root, GIT_CONFIG_GLOBAL: '/dev/null' }
  const argv = ['git', ...identity, ...args] as const
  const { ending, stdout, stderr } = await runCommand({ argv, cwd: root, env, timeoutMs: 20_000 })
  expect(ending, stderr).toEqual({ kind: 'exited', exitCode: 0 })
  return stdout
}

async function plant(files: Readonly<Record<string, string>> = FILES): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(at(path)), { recursive: true })
    await writeFile(at(path), content)
  }
}

async function commitAll(): Promise<void> {
  await git('init', '--quiet', '--initial-branch=main')
  await git('add', '--all')
  await git('commit', '--quiet', '--allow-empty', '--message', 'Start')
}

const init = (...args: string[]): ReturnType<typeof runAxiom> => runAxiom(root, ['init', ...args])
const quick = ['--yes', '--no-prove']

describe('a first start', () => {
  it('refuses a branch that nothing could land on before it writes anything', async () => {
    await plant()
    await commitAll()
    await git('checkout', '--quiet', '-b', 'fix/it\'s-"quoted"')
    const refused = await init(...quick)
    expect([refused.exitCode, refused.stderr]).toEqual([3, expect.stringContaining('git branch --move NAME')])
    expect(await readdir(root)).not.toContain('.axiom')
    const ran = await init(...quick, '--target', 'main')
    expect(ran.exitCode, ran.stderr).toBe(0)
  })

  it('leaves a project whose views answer before anything was worked on', async () => {
    await plant()
    await commitAll()
    await init(...quick)
    for (const [words, expected] of [
      [['queue'], { target: 'main', entries: [], landed: [] }],
      [['rescue'], []],
      [['checkpoint', '--list'], []],
      [['inbox'], []],
    ] as const) {
      const ran = await runAxiom(root, [...words, '--json'])
      expect(ran.exitCode, ran.stderr).toBe(0)
      expect(JSON.parse(ran.stdout)).toMatchObject(expected)
    }
    expect((await runAxiom(root, ['queue'])).stdout).toContain('Nothing waits to land')
    expect(await readdir(at('.axiom'))).not.toContain('integration.git')
  })

  it('tries a command without variables that would change what it prints', async () => {
    const test = 'test -z "$NO_COLOR$FORCE_COLOR"'
    await plant({ 'package.json': JSON.stringify({ name: 'a', scripts: { test } }) })
    await commitAll()
    const ran = await init('--yes', '--json')
    expect(ran.exitCode, ran.stderr).toBe(0)
    expect(JSON.parse(ran.stdout)).toMatchObject({ red: false, proofs: [{ name: 'test' }] })
  })

  it('runs each command, writes what was proven, and touches no tracked file', async () => {
    await plant()
    await commitAll()
    await mkdir(at('.git/temporary'))
    const ran = await runAxiom(root, ['init', '--yes', '--json'], { env: { TMPDIR: at('.git/temporary') } })
    expect(ran.exitCode, ran.stderr).toBe(0)
    expect(await readdir(at('.git/temporary'))).toEqual([])
    const summary = JSON.parse(ran.stdout)
    expect(summary).toMatchObject({ start: 'first', vocabulary: 'axiom', red: false, firstCommit: 'there' })
    expect(summary.proofs).toMatchObject([
      { name: 'test', command: 'npm test', outcome: { kind: 'passed' }, seconds: expect.any(Number) },
      { name: 'lint', command: 'npm run lint', outcome: { kind: 'passed' } },
    ])
    const { config, problems } = resolveConfig({ file: JSON.parse(await text('.axiom/config.json')) })
    expect(problems).toEqual([])
    expect(config.verification.map(({ name, command, required }) => [name, command, required])).toEqual([
      ['test', 'npm test', true],
      ['lint', 'npm run lint', true],
    ])
    expect(config.integration).toMatchObject({ mode: 'direct', target: 'main' })
    expect(await git('status', '--porcelain', '--untracked-files=no')).toBe('')
  })

  it('says plainly that a project is red, and keeps its check', async () => {
    await plant({
      ...FILES,
      'a.test.mjs': "import test from 'node:test'\ntest('fails', () => { throw 1 })\n",
    })
    await commitAll()
    const ran = await init('--yes')
    expect(ran.exitCode).toBe(0)
    expect(ran.stdout).toContain(
      'The project is RED before any work: 1 of 2 checks fail on the last commit (npm test).',
    )
    expect(JSON.parse(await text('.axiom/config.json')).verification).toHaveLength(2)
  })

  it('proves the last commit, not what lies uncommitted beside it', async () => {
    await plant()
    await commitAll()
    await writeFile(at('lint.js'), 'process.exit(1)\n')
    const ran = await init('--yes', '--json')
    const { proofs, prerequisites } = JSON.parse(ran.stdout)
    expect(proofs[1]).toMatchObject({ command: 'npm run lint', outcome: { kind: 'passed' } })
    expect(prerequisites).toContainEqual(
      expect.objectContaining({ code: 'PREREQ_DIRTY_WORKDIR', status: 'warn' }),
    )
  })

  it('keeps a command whose tool is missing only when that is wanted', async () => {
    await plant({ Gemfile: "gem 'rspec'\n" })
    await commitAll()
    const env = { PATH: await pathWithout('bundle') }
    const ran = await runAxiom(root, ['init', '--yes'], { env })
    expect(ran.stdout).toContain('bundle exec rspec  not proven: bundle is not installed here')
    expect(ran.stdout).toContain('VERIFICATION_EMPTY')
    expect(JSON.parse(await text('.axiom/config.json')).verification).toEqual([])
    await rm(at('.axiom'), { recursive: true })
    await runAxiom(root, ['init', '--yes', '--keep-unproven'], { env })
    expect(JSON.parse(await text('.axiom/config.json'))).toMatchObject({
      verification: [{ name: 'test', command: 'bundle exec rspec' }],
      workspace: { setup: ['bundle install'] },
    })
  })

  it('offers hooks, settings and ports, and takes them by flag', async () => {
    await plant({
      ...FILES,
      '.pre-commit-config.yaml': 'repos: []\n',
      '.env.example': 'API_PORT=4000\n',
      '.env': 'TOKEN=secret\n',
    })
    await commitAll()
    const ran = await init(...quick)
    expect(ran.stdout).toContain('--hooks-as-checks (pre-commit run --all-files)')
    expect(ran.stdout).toContain('--copy .env')
    expect(ran.stdout).toContain('--slot-ports')
    expect(ran.stdout).not.toContain('secret')
    await rm(at('.axiom'), { recursive: true })
    await init(
      ...quick,
      '--hooks-as-checks',
      '--copy',
      '.env',
      '--slot-ports',
      '--driver',
      'sim',
      '--target',
      'trunk',
    )
    expect(JSON.parse(await text('.axiom/config.json'))).toMatchObject({
      agents: { driver: 'sim' },
      verification: [{ name: 'pre-commit', command: 'pre-commit run --all-files', required: false }],
      workspace: { copy: ['.env'], variables: { API_PORT: '{slot+4000}' } },
      integration: { target: 'trunk' },
    })
  })

  it.each(['axiom', 'swarm'])('makes the folders of the vocabulary %s', async (vocabulary) => {
    await commitAll()
    expect((await init(...quick, '--vocabulary', vocabulary)).exitCode).toBe(0)
    const entries = await readdir(root, { recursive: true, withFileTypes: true })
    const names = entries
      .map(
        (entry) =>
          join(entry.parentPath, entry.name).slice(root.length + 1) + (entry.isDirectory() ? '/' : ''),
      )
      .filter((name) => !name.startsWith('.git/') && !/\/lock\/./.test(name))
      .toSorted()
    expectGolden(`init/${vocabulary}-tree.txt`, `${names.join('\n')}\n`)
    const counters = Object.entries(JSON.parse(await text(`.${vocabulary}/metrics/counters.json`)))
    expectGolden(
      `init/${vocabulary}-counters.txt`,
      `${counters.map(([name, number]) => `${name} ${number}`).join('\n')}\n`,
    )
    expectGolden(`init/${vocabulary}-tracked.txt`, await git('ls-files', '--others', '--exclude-standard'))
  })

  it('leaves the journal of cases to be merged line by line', async () => {
    await commitAll()
    await init(...quick)
    expect(await git('check-attr', 'merge', '.axiom/cases.jsonl')).toBe('.axiom/cases.jsonl: merge: union\n')
  })
})

describe('a repository without a commit', () => {
  it('is set up, told about, and not committed to, with exit code 5', async () => {
    await plant()
    await git('init', '--quiet', '--initial-branch=main')
    const ran = await init('--yes')
    expect(ran.exitCode).toBe(5)
    expect(ran.stdout).toContain('PREREQ_NO_COMMIT: the repository has no commit yet')
    expect(ran.stdout).toMatch(/✓ test +npm test {2}passed/)
    expect(await git('status', '--porcelain')).toContain('?? package.json')
    expect(await git('count-objects')).toMatch(/^0 objects/)
  })

  it('gets its first commit by --first-commit, at once or later', async () => {
    await plant()
    await git('init', '--quiet', '--initial-branch=main')
    const env = {
      GIT_AUTHOR_NAME: 'T',
      GIT_AUTHOR_EMAIL: 't@example.com',
      GIT_COMMITTER_NAME: 'T',
      GIT_COMMITTER_EMAIL: 't@example.com',
    }
    expect((await init(...quick)).exitCode).toBe(5)
    const later = await runAxiom(root, ['init', '--yes', '--first-commit'], { env })
    expect(later.exitCode, later.stderr).toBe(0)
    expect(await git('ls-tree', '-r', '--name-only', 'HEAD')).toContain('package.json')
    expect(await git('ls-tree', '-r', '--name-only', 'HEAD')).not.toMatch(
      /\.workspaces|counters\.json|\.env$/m,
    )
  })
})

describe('a place where nothing can be set up', () => {
  it('that is no repository is told by PREREQ_NO_GIT, exit code 4, and helped by --git-init', async () => {
    const ran = await init('--yes', '--json')
    expect(ran).toMatchObject({ exitCode: 4, stdout: '' })
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      code: 'PREREQ_NO_GIT',
      hint: 'git init, or: axiom init --git-init',
    })
    expect(await readdir(root)).toEqual([])
    expect((await init(...quick, '--git-init')).exitCode).toBe(5)
  })

  it('that cannot be written is told by PREREQ_NO_WRITE, and nothing is left behind', async () => {
    await plant()
    await commitAll()
    const before = await readdir(root)
    const ran = await runReadOnly()
    expect(ran.exitCode, ran.stderr).toBe(4)
    expect(ran.stderr).toMatch(/^PREREQ_NO_WRITE: .*cannot be written/)
    expect(await readdir(root)).toEqual(before)
  })

  it.each(['.axiom', '.workspaces'])(
    'because %s is a file is told, and nothing is left behind',
    async (name) => {
      await plant({ ...FILES, [name]: 'mine\n' })
      await commitAll()
      const before = await readdir(root)
      const ran = await init(...quick)
      expect(ran.exitCode).toBe(4)
      expect(ran.stderr).toMatch(/^PREREQ_NO_WRITE: /)
      expect(await readdir(root)).toEqual(before)
      expect(await text(name)).toBe('mine\n')
    },
  )
})

describe('a later start', () => {
  beforeEach(async () => {
    await plant()
    await commitAll()
    await init(...quick)
  })

  it('greets, keeps every edit, puts back what is lost, and changes nothing else', async () => {
    await writeFile(at('.axiom/agents/echo/prompt.md'), 'My own prompt.\n')
    await writeFile(at('.axiom/config.json'), '{"agents": {"maxConcurrent": 7}}')
    await rm(at('.axiom/rules/commit-format.md'))
    const ran = await init('--yes')
    expect(ran.exitCode, ran.stderr).toBe(0)
    expect(ran.stdout).toMatch(/^Welcome back\. Ava here/)
    expect(ran.stdout).toContain('7 agents at once')
    expect(ran.stdout).toContain('added .axiom/rules/commit-format.md')
    expect(ran.stdout).toContain('kept .axiom/agents/echo/prompt.md (edited by you)')
    expect(await text('.axiom/agents/echo/prompt.md')).toBe('My own prompt.\n')
    expect(await text('.axiom/config.json')).toBe('{"agents": {"maxConcurrent": 7}}')
  })

  it('looks at the commands again only when asked, and keeps all other options', async () => {
    await writeFile(at('.axiom/config.json'), '{"mine": 1, "agents": {"maxConcurrent": 7}}')
    const ran = await init('--yes', '--detect')
    expect(ran.exitCode, ran.stderr).toBe(0)
    expect(JSON.parse(await text('.axiom/config.json'))).toMatchObject({
      mine: 1,
      agents: { maxConcurrent: 7 },
      verification: [{ command: 'npm test' }, { command: 'npm run lint' }],
    })
  })

  it('keeps the checks that a person set, and counts those it wrote', async () => {
    await writeFile(at('.axiom/config.json'), '{"verification": ["make prove"]}')
    const ran = await init('--yes', '--detect')
    expect(ran.exitCode, ran.stderr).toBe(0)
    expect(ran.stdout).toContain('  3 checks')
    expect(JSON.parse(await text('.axiom/config.json'))).toMatchObject({
      verification: ['make prove', { command: 'npm test' }, { command: 'npm run lint' }],
    })
  })

  it('says that the counters were corrupt, counts again, and gives no number twice', async () => {
    await runAxiom(root, ['case', 'create', '--type', 'directive', '--content', 'one'])
    await writeFile(at('.axiom/metrics/counters.json'), '{"dir": 1, bro')
    const ran = await init('--yes')
    expect(ran.stdout).toContain('COUNTERS_CORRUPT')
    expect(JSON.parse(await text('.axiom/metrics/counters.json'))).toMatchObject({ dir: 1 })
    const next = await runAxiom(root, ['case', 'create', '--type', 'directive', '--content', 'two', '--json'])
    expect(JSON.parse(next.stdout)).toMatchObject({ id: 'dir-002' })
  })

  it('restores a configuration that an edit broke', async () => {
    const good = await text('.axiom/config.json')
    await writeFile(at('.axiom/config.json'), `${good.slice(0, 40)}`)
    const ran = await init('--yes')
    expect(ran.exitCode, ran.stderr).toBe(0)
    expect(ran.stdout).toContain('CONFIG_BACKUP_RESTORED')
    expect(await text('.axiom/config.json')).toBe(good)
  })

  it('refuses another vocabulary', async () => {
    const ran = await init('--vocabulary', 'swarm')
    expect(ran.exitCode).toBe(2)
    expect(ran.stderr).toContain('this project speaks axiom')
  })
})

/** A folder of programs like the machine's own, less one. */
async function pathWithout(program: string): Promise<string> {
  const folders = (process.env.PATH ?? '').split(':')
  const holding = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(folder).catch((): string[] => [])).includes(program) ? [] : [folder],
    ),
  )
  return holding.flat().join(':')
}

/** Root may write whatever the mode says, so for it the folder is mounted read-only instead. */
async function runReadOnly(): ReturnType<typeof runAxiom> {
  if (process.getuid?.() !== 0) {
    await chmod(root, 0o555)
    return init(...quick)
  }
  const program = resolve(import.meta.dirname, '../../bin/axiom.js')
  const mounts = ['--bind', '/', '/', '--dev', '/dev', '--ro-bind', root, root, '--chdir', root]
  const result = await runCommand({
    argv: ['bwrap', ...mounts, process.execPath, program, 'init', ...quick],
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1' },
    timeoutMs: 60_000,
  })
  const exitCode = result.ending.kind === 'exited' ? result.ending.exitCode : -1
  return { exitCode, stdout: result.stdout, stderr: result.stderr }
}
