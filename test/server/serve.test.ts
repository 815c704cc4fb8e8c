import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, expect, it } from 'vitest'
import { probeSandbox } from '../../src/platform/sandbox/probe-sandbox.ts'
import type {
  CaseDetail,
  CommandAnswer,
  LogRange,
  PersonCommand,
  Snapshot,
} from '../../src/server/contract.ts'

const PROGRAM = resolve(import.meta.dirname, '../../bin/axiom.js')
const AGENT = resolve(import.meta.dirname, 'programs/curious-agent.mjs')
const WAIT = { timeout: 240_000, interval: 200 }

const folders: string[] = []
const children: ChildProcess[] = []

afterEach(async () => {
  for (const child of children.splice(0)) await end(child)
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  }
  return child.exitCode
}

function environmentIn(home: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', CI: '1' }
}

/** A repository with AXIOM in it, whose agents are the curious one. */
function makeProject(): { readonly root: string; readonly home: string } {
  const folder = mkdtempSync(join(tmpdir(), 'axiom-serve-'))
  folders.push(folder)
  const root = join(folder, 'project')
  const home = join(folder, 'home')
  mkdirSync(root)
  mkdirSync(home)
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], { cwd: root })
  git('init', '-q', '-b', 'main', '.')
  writeFileSync(join(root, 'readme.txt'), 'a project\n')
  git('add', '-A')
  git('commit', '-q', '-m', 'first')
  execFileSync(process.execPath, [PROGRAM, 'init', '--yes', '--no-prove'], {
    cwd: root,
    env: environmentIn(home),
  })
  const config = join(root, '.axiom/config.json')
  const before = JSON.parse(readFileSync(config, 'utf8')) as Record<string, unknown>
  const agents = { driver: 'command', command: ['node', AGENT], maxIterations: 1, retries: 0 }
  const sandbox = { readOnly: [AGENT] }
  writeFileSync(config, JSON.stringify({ ...before, agents, sandbox, verification: [], server: { port: 0 } }))
  return { root, home }
}

interface Served {
  readonly child: ChildProcess
  readonly url: string
  readonly token: string
  readonly openapi: string
  get<Answer>(path: string): Promise<Answer>
  command(command: PersonCommand): Promise<CommandAnswer>
}

let serial = 0

async function serve(root: string, home: string): Promise<Served> {
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--json', '--no-open'], {
    cwd: root,
    env: environmentIn(home),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const said: string[] = []
  child.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  const line = new Promise<string>((found, failed) => {
    createInterface({ input: child.stdout ?? process.stdin }).once('line', found)
    child.once('exit', (code) => failed(new Error(`serve ended with ${code}: ${said.join('')}`)))
  })
  const { url, token, openapi } = JSON.parse(await line) as Record<'url' | 'token' | 'openapi', string>
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return {
    child,
    url,
    token,
    openapi,
    get: async <Answer>(path: string) => (await (await fetch(`${url}${path}`, { headers })).json()) as Answer,
    command: async (command) => {
      serial += 1
      const body = JSON.stringify({ key: `serve-test-${serial}`, command })
      const answer = await fetch(`${url}/api/commands`, { method: 'POST', headers, body })
      return (await answer.json()) as CommandAnswer
    },
  }
}

/** Files below a folder that hold a text. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(folder, name)
    const found = statSync(path, { throwIfNoEntry: false })
    return found?.isFile() === true && readFileSync(path, 'latin1').includes(text)
  })
}

async function reportOf(served: Served): Promise<{ statuses: unknown[]; variables: string[] } | undefined> {
  const { logs } = await served.get<CaseDetail>('/api/cases/task-001')
  for (const { agents, file } of logs) {
    const { text } = await served.get<LogRange>(`/api/logs/${agents}/${file}`)
    const [, report] = /REPORT (\{.*?\}) END/.exec(text.replaceAll('\\"', '"')) ?? []
    if (report !== undefined) return JSON.parse(report) as { statuses: unknown[]; variables: string[] }
  }
  return undefined
}

it('An agent that is set to work by the page finds no token and no way in', async () => {
  const { root, home } = makeProject()
  const host = { environment: environmentIn(home), home }
  const { sandboxed } = await probeSandbox(host, { level: 'auto', network: { kind: 'host' } })
  const served = await serve(root, home)
  const port = new URL(served.url).port
  await served.command({ kind: 'create', type: 'operation', content: 'an operation' })
  await served.command({
    kind: 'create',
    type: 'task',
    parentId: 'op-001',
    content: `Look around; the port is ${port}.`,
    criteria: ['the function returns 3 for the input 1'],
  })
  expect(await served.command({ kind: 'assign', task: 'task-001' })).toMatchObject({ kind: 'done' })
  // Who directs is seen while there is work; afterwards the director may have left.
  const directors = new Set<string>()
  const look = async () => {
    directors.add((await served.get<Snapshot>('/api/snapshot')).project.director)
    return reportOf(served)
  }
  if (sandboxed) {
    await expect.poll(look, WAIT).toBeDefined()
    const report = await reportOf(served)
    expect(report?.statuses.slice(0, 2)).toEqual([401, 401])
    expect(report?.statuses.filter((status) => typeof status === 'number' && status < 400)).toEqual([])
    expect(report?.variables).not.toContain('AXIOM_TOKEN')
  } else {
    // Without walls no agent is started at all, and the page says so.
    const alerts = async () => (await served.get<Snapshot>('/api/snapshot')).alerts.map(({ code }) => code)
    await expect.poll(alerts, WAIT).toContain('SANDBOX_REQUIRED')
  }
  const { project } = await served.get<Snapshot>('/api/snapshot')
  expect(project).toMatchObject({ paused: null })
  expect([...directors, project.director]).toContain(sandboxed ? 'here' : 'none')
  expect(filesWith(root, served.token)).toEqual([])
  expect(await end(served.child)).toBe(0)
  expect(filesWith(root, served.token)).toEqual([])
})

it('A server beside a run in another process shows what that one has to tell', async () => {
  const { root, home } = makeProject()
  const config = join(root, '.axiom/config.json')
  const before = JSON.parse(readFileSync(config, 'utf8')) as Record<string, unknown>
  writeFileSync(config, JSON.stringify({ ...before, hooks: { 'pre-start': ['echo no >&2; exit 3'] } }))
  const served = await serve(root, home)
  await served.command({ kind: 'create', type: 'operation', content: 'an operation' })
  await served.command({ kind: 'pause' })
  await served.command({
    kind: 'create',
    type: 'task',
    parentId: 'op-001',
    content: 'Write a function that adds two.',
    criteria: ['the function returns 3 for the input 1'],
  })
  const run = spawn(
    process.execPath,
    [PROGRAM, 'run', '--autopilot', '--non-interactive', '--allow-unsandboxed', '--json'],
    { cwd: root, env: environmentIn(home), stdio: ['ignore', 'ignore', 'ignore'] },
  )
  children.push(run)
  const shown = async () => {
    const { alerts, health, project } = await served.get<Snapshot>('/api/snapshot')
    return { codes: alerts.map(({ code }) => code), health: health.length, director: project.director }
  }
  await expect
    .poll(shown, WAIT)
    .toMatchObject({ codes: expect.arrayContaining(['HOOK_FAILED']) as string[], health: 2 })
})

it('A server that is started again is found by open tabs: same place, same token, kept from other users', async () => {
  const { root, home } = makeProject()
  const first = await serve(root, home)
  expect(first.openapi).toBe(`${first.url}/api/openapi.json`)
  expect(await end(first.child)).toBe(0)
  const second = await serve(root, home)
  expect([second.url, second.token]).toEqual([first.url, first.token])
  const [note = ''] = filesWith(home, first.token)
  expect(statSync(join(home, note)).mode & 0o777).toBe(0o600)
})

it('An address that other machines can reach is refused without the flag and a token', () => {
  const { root, home } = makeProject()
  const attempt = (argv: string[], token?: string) => {
    try {
      const env = { ...environmentIn(home), ...(token === undefined ? {} : { AXIOM_TOKEN: token }) }
      execFileSync(process.execPath, [PROGRAM, 'serve', '--no-open', '--json', ...argv], {
        cwd: root,
        env,
        stdio: 'pipe',
        timeout: 60_000,
      })
      return 'served'
    } catch (error) {
      const { status, stderr } = error as { status: number; stderr: Buffer }
      return [status, (JSON.parse(stderr.toString()) as { error: { code: string } }).error.code]
    }
  }
  expect(attempt(['--host', '0.0.0.0'])).toEqual([2, 'USAGE_REMOTE'])
  expect(attempt(['--host', '0.0.0.0', '--allow-remote'])).toEqual([2, 'USAGE_REMOTE'])
  expect(attempt(['--host', '0.0.0.0'], 'x'.repeat(40))).toEqual([2, 'USAGE_REMOTE'])
  expect(attempt(['--host', '0.0.0.0', '--allow-remote'], 'short')).toEqual([2, 'USAGE_TOKEN'])
})
