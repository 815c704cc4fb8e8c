import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { resolveConfig } from '../../src/config/resolve-config.ts'
import type { Prerequisite } from '../../src/planning/prerequisites/prerequisite.ts'
import { describeSandbox } from '../../src/planning/prerequisites/probe-isolation.ts'
import { judgeDisk, probeMemory, probeNode } from '../../src/planning/prerequisites/probe-machine.ts'
import { runCommand } from '../../src/platform/process/run-command.ts'
import { runAxiom } from '../cli/run-axiom.ts'
import { copyProduct } from '../demo/demo-process.ts'

const SECRET = 'sk-canary-4711'
let root: string
let bin: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'axiom-doctor-'))
  bin = join(root, 'bin')
  await mkdir(bin)
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function plantProgram(name: string, body: string): Promise<void> {
  await writeFile(join(bin, name), `#!/bin/sh\n${body}\n`)
  await chmod(join(bin, name), 0o755)
}

async function examine(
  env: Record<string, string> = {},
): Promise<{ exitCode: number; by: Record<string, Prerequisite>; all: string }> {
  const ran = await runAxiom(root, ['doctor', '--json'], {
    env: { PATH: `${bin}:${process.env.PATH}`, HOME: root, ...env },
  })
  const list = JSON.parse(ran.stdout) as Prerequisite[]
  return {
    exitCode: ran.exitCode,
    by: Object.fromEntries(list.map((one) => [one.name, one])),
    all: ran.stdout,
  }
}

async function git(...args: [string, ...string[]]): Promise<void> {
  const env = { PATH: process.env.PATH, HOME: root, GIT_CONFIG_GLOBAL: '/dev/null' }
  const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.com']
  const { ending, stderr } = await runCommand({
    argv: ['git', ...identity, ...args],
    cwd: root,
    env,
    timeoutMs: 20_000,
  })
  expect(ending, stderr).toEqual({ kind: 'exited', exitCode: 0 })
}

describe('axiom doctor', () => {
  it('starts nothing that the configuration of the repository names', async () => {
    const started = join(root, 'started')
    const bait = (name: string) => `echo ${name} >> ${started}; cat`
    await git('init', '--quiet')
    await writeFile(join(root, 'a.txt'), 'one\n')
    await git('add', 'a.txt')
    await git('commit', '--quiet', '--message', 'first')
    await git('config', 'core.fsmonitor', bait('fsmonitor'))
    await git('config', 'filter.x=y.clean', bait('clean'))
    await writeFile(join(root, '.git/info/attributes'), '*.txt filter=x=y\n')
    await writeFile(join(root, 'a.txt'), 'two\n')
    const { by } = await examine()
    expect(by.repository).toMatchObject({ code: 'PREREQ_DIRTY_WORKDIR' })
    await expect(readFile(started, 'utf8')).rejects.toMatchObject({ code: 'ENOENT' })
    await git('status', '--short')
    expect(await readFile(started, 'utf8')).toContain('clean')
  })

  it('names a temporary folder that is not there, and still looks at the rest', async () => {
    const missing = join(root, 'no/such/folder')
    const { exitCode, by } = await examine({ TMPDIR: missing })
    expect(exitCode).toBe(4)
    expect(by.temporary).toMatchObject({
      status: 'fail',
      code: 'PREREQ_NO_WRITE',
      fix: `mkdir -p ${missing}`,
    })
    expect(by.memory?.status).toBeDefined()
  })

  it('finds agent programs, their version and login, and never prints a secret', async () => {
    await plantProgram('claude', 'echo "2.1.325 (Claude Code)"')
    await plantProgram('codex', 'echo "codex-cli 0.166.0"')
    const { by, all, exitCode } = await examine({ ANTHROPIC_API_KEY: SECRET })
    expect(by.claude).toEqual({ name: 'claude', status: 'ok', found: '2.1.325, login by ANTHROPIC_API_KEY' })
    expect(by.codex).toMatchObject({
      status: 'warn',
      code: 'PREREQ_NO_AGENT',
      found: '0.166.0, no login found',
      fix: expect.stringContaining('codex login'),
    })
    expect(by.gemini).toMatchObject({ status: 'ok', found: 'not installed; not needed' })
    expect(all).not.toContain(SECRET)
    expect(exitCode).toBe(0)
  })

  it('looks for the program that is configured for an agent, and does not start it', async () => {
    await mkdir(join(root, '.axiom'))
    await mkdir(join(root, 'tools'))
    const wrapper = join(root, 'tools/wrapper')
    await writeFile(wrapper, `#!/bin/sh\ntouch ${join(root, 'started')}\n`, { mode: 0o755 })
    const configure = (agents: object) =>
      writeFile(join(root, '.axiom/config.json'), JSON.stringify({ agents }))
    for (const command of ['tools/wrapper', wrapper]) {
      await configure({ driver: 'claude', command: [command] })
      const { by } = await examine({ ANTHROPIC_API_KEY: SECRET })
      expect(by.claude).toEqual({
        name: 'claude',
        status: 'ok',
        found: `${wrapper}, login by ANTHROPIC_API_KEY`,
      })
      expect(by.codex).toMatchObject({ status: 'ok', found: 'not installed; not needed' })
    }
    await configure({ driver: 'sim', roles: { critic: { driver: 'codex', command: ['tools/wrapper'] } } })
    expect((await examine()).by.codex).toMatchObject({ found: `${wrapper}, no login found` })
    await configure({ driver: 'claude', command: ['tools/nothing'] })
    await plantProgram('claude', 'echo "2.1.325 (Claude Code)"')
    expect((await examine({ ANTHROPIC_API_KEY: SECRET })).by.claude).toMatchObject({
      status: 'warn',
      code: 'PREREQ_NO_AGENT',
      found: 'tools/nothing of agents.command was not found',
      fix: expect.stringContaining('axiom config set agents.command'),
    })
    await expect(readFile(join(root, 'started'), 'utf8')).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it("needs no other agent where the user's own program does the work", async () => {
    const own = (program: string) =>
      examine({ AXIOM_AGENTS_DRIVER: 'command', AXIOM_AGENTS_COMMAND: JSON.stringify([program, '-x']) })
    await plantProgram('my-agent', 'exit 1')
    const { by } = await own('my-agent')
    expect(by['agents.command']).toEqual({
      name: 'agents.command',
      status: 'ok',
      found: join(bin, 'my-agent'),
    })
    expect(by.claude).toMatchObject({ status: 'ok', found: 'not installed; not needed' })
    const missing = await own('no-agent')
    expect(missing.by['agents.command']).toMatchObject({ status: 'warn', code: 'PREREQ_NO_AGENT' })
    expect(missing.by.claude).toMatchObject({ status: 'warn', code: 'PREREQ_NO_AGENT' })
  })

  it('takes a credentials file for a login', async () => {
    await plantProgram('codex', 'echo "codex-cli 0.166.0"')
    await mkdir(join(root, '.codex'))
    await writeFile(join(root, '.codex', 'auth.json'), SECRET)
    const { by, all } = await examine()
    expect(by.codex).toMatchObject({ status: 'ok', found: '0.166.0, login by ~/.codex/auth.json' })
    expect(all).not.toContain(SECRET)
  })

  it('warns with PREREQ_NO_AGENT and the command that installs one when there is none', async () => {
    const { by, exitCode } = await examine()
    for (const name of ['claude', 'codex', 'gemini', 'opencode']) {
      expect(by[name]).toMatchObject({
        status: 'warn',
        code: 'PREREQ_NO_AGENT',
        fix: expect.stringMatching(/^npm install --global /),
      })
    }
    expect(exitCode).toBe(0)
  })

  it.each([
    ['missing', 'exit 127', 'not found'],
    ['old', 'echo git version 2.39.3', '2.39.3, older than 2.39.4'],
  ])('fails with exit code 4 when git is %s', async (_case, body, found) => {
    await plantProgram('git', body)
    const { by, exitCode } = await examine()
    expect(by.git).toMatchObject({
      status: 'fail',
      code: 'PREREQ_NO_GIT',
      found,
      fix: expect.stringContaining('git'),
    })
    expect(exitCode).toBe(4)
  })

  it('tells a missing repository, a missing first commit, uncommitted changes and large files apart', async () => {
    expect((await examine()).by.repository).toMatchObject({
      status: 'warn',
      code: 'PREREQ_NO_GIT',
      fix: 'git init',
    })
    await git('init', '--quiet', '--initial-branch', 'main')
    expect((await examine()).by.repository).toMatchObject({ status: 'warn', code: 'PREREQ_NO_COMMIT' })
    await writeFile(join(root, '.gitattributes'), '*.bin filter=lfs\n')
    await writeFile(join(root, '.gitignore'), 'bin\n')
    await git('add', '--all')
    await git('commit', '--quiet', '--message', 'Start')
    await plantProgram('git-lfs', 'exit 1')
    const clean = await examine()
    expect(clean.by.repository).toMatchObject({ status: 'ok' })
    expect(clean.by['git-lfs']).toMatchObject({ status: 'warn', fix: expect.stringContaining('git-lfs') })
    await mkdir(join(root, '.axiom'))
    await writeFile(join(root, '.axiom', 'own'), '')
    await writeFile(join(root, 'new\nname'), '')
    expect((await examine()).by.repository).toMatchObject({
      status: 'warn',
      code: 'PREREQ_DIRTY_WORKDIR',
      found: expect.stringMatching(/^1 uncommitted change;/),
    })
  })

  it('reports a broken configuration and a port that is taken as findings', async () => {
    await mkdir(join(root, '.axiom'))
    await writeFile(join(root, '.axiom', 'config.json'), '{')
    const broken = await examine()
    expect(broken.by.configuration).toMatchObject({ status: 'fail', code: 'CONFIG_INVALID_JSON' })
    expect(broken.exitCode).toBe(4)
    const server = createServer()
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    const { port } = server.address() as { port: number }
    await writeFile(
      join(root, '.axiom', 'config.json'),
      JSON.stringify({ server: { port }, agents: { maxConcurrent: 0 } }),
    )
    const { by } = await examine()
    server.close()
    expect(by.port).toMatchObject({ status: 'warn', found: `127.0.0.1:${port} cannot be used (EADDRINUSE)` })
    expect(by.configuration).toMatchObject({
      status: 'warn',
      found: expect.stringContaining('agents.maxConcurrent is 0'),
    })
  })

  it('says which sandbox a trial run proves, and how to get one where none holds', async () => {
    const probes = {
      'write-outside': 'held',
      'write-root': 'held',
      'read-secret': 'held',
      'read-environment': 'held',
      'reach-port': 'open',
      outlive: 'held',
      'be-root': 'held',
    } as const
    const tried = [{ level: 'bwrap', works: true, note: '', probes }] as const
    const report = {
      level: 'bwrap',
      sandboxed: true,
      consent: 'not-needed',
      network: 'host',
      probes,
      tried,
    } as const
    expect(describeSandbox(report, 'host')).toEqual({
      name: 'sandbox',
      status: 'ok',
      found: 'bwrap, 6 trials of escape held, network host',
    })
    const failing = [{ level: 'bwrap', works: false, note: 'no user namespaces\nmore', probes }] as const
    expect(
      describeSandbox({ ...report, sandboxed: false, consent: 'needed', tried: failing }, 'host'),
    ).toMatchObject({
      status: 'warn',
      code: 'SANDBOX_MISSING',
      found: expect.stringContaining('(bwrap: no user namespaces)'),
      fix: expect.stringContaining('bubblewrap'),
    })
    expect(['ok', 'warn']).toContain((await examine()).by.sandbox?.status)
  })

  it('starts the simulated agent inside the wall as a run does, and shows the error of a wall that is broken', async () => {
    const well = await examine()
    expect(well.by['agent start']).toEqual({
      name: 'agent start',
      status: 'ok',
      found: 'a simulated agent worked and committed inside bwrap',
    })
    await mkdir(join(root, '.axiom'))
    const missing = join(root, 'no/such/folder')
    for (const level of ['bwrap', 'unshare']) {
      const sandbox = { level, readOnly: [missing] }
      await writeFile(join(root, '.axiom/config.json'), JSON.stringify({ sandbox }))
      const broken = await examine()
      expect(broken.exitCode).toBe(4)
      expect(broken.by.sandbox).toMatchObject({ status: 'ok', found: expect.stringContaining(level) })
      expect(broken.by['agent start']).toMatchObject({
        status: 'fail',
        code: 'SANDBOX_AGENT',
        found: expect.stringMatching(`^a simulated agent cannot work at level ${level}: .*${missing}`),
        fix: `take ${missing} out of it: axiom config get sandbox`,
      })
    }
  })

  it('finds a product that agents cannot read', async () => {
    const product = copyProduct()
    onTestFinished(product.remove)
    const built = dirname(dirname(product.sim))
    await chmod(dirname(product.sim), 0o700)
    const { stdout, exitCode } = await runAxiom(root, ['doctor', '--json'], { axiom: product.axiom })
    expect(exitCode).toBe(4)
    expect(JSON.parse(stdout)).toContainEqual({
      name: 'agent start',
      status: 'fail',
      code: 'SANDBOX_AGENT',
      found: expect.stringMatching(
        /^a simulated agent cannot work at level bwrap: Error: Cannot find module .*sim\/main\.js/,
      ),
      fix: `let every user read it: chmod -R go+rX ${built}`,
    })
  })

  it('judges disk, memory and Node by their limits', () => {
    const { disk } = resolveConfig({}).config
    expect([2e9, 999e6, 499e6].map((bytes) => judgeDisk(bytes, disk).status)).toEqual(['ok', 'warn', 'fail'])
    expect(judgeDisk(499e6, disk)).toMatchObject({ code: 'PREREQ_DISK_LOW', found: '499 MB free' })
    expect(probeMemory(1_000_000)).toMatchObject({
      status: 'warn',
      fix: expect.stringContaining('agents.maxConcurrent'),
    })
    expect(['18.20.0', '20.18.9', '20.19.0', '24.0.0'].map((version) => probeNode(version).status)).toEqual([
      'fail',
      'fail',
      'ok',
      'ok',
    ])
  })
})
