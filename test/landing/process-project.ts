import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sh, write } from '../git/scratch.ts'

const PROGRAM = resolve(import.meta.dirname, '../../bin/axiom.js')
const RUN = ['run', '--autopilot', '--yes', '--non-interactive', '--json']

export interface Started {
  readonly pid: number
  /** Everything it has said so far. */
  readonly said: { out: string; err: string }
  readonly ended: Promise<number | null>
  signal(name: NodeJS.Signals): void
}

/** A user's repository with a plan in it, on which whole programs work. */
export interface ProcessProject extends AsyncDisposable {
  readonly root: string
  readonly user: string
  readonly record: string
  /** Starts the program itself. */
  start(...words: readonly string[]): Started
  run(): Started
  plan(): Promise<void>
  /** Tasks that the target of record names, each as often as it landed. */
  landed(): string[]
}

export interface ProcessTask {
  readonly key: string
  /** What its developer does, as a line for the shell, before the work is committed. */
  readonly line: string
  readonly dependsOn?: readonly string[]
  readonly files?: readonly string[]
}

export async function openProcessProject(
  tasks: readonly ProcessTask[],
  config: Readonly<Record<string, unknown>> = {},
): Promise<ProcessProject> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'axiom-processes-')))
  const user = join(root, 'user')
  const given = join(root, 'given')
  for (const folder of [user, given]) mkdirSync(folder)
  write(user, { 'readme.md': 'A sample\n', 'src/add.js': 'export const add = (a, b) => a + b\n' })
  sh(user, 'git init -q -b main && git add -A && git commit -qm first')
  mkdirSync(join(user, '.axiom'))
  mkdirSync(join(user, '.workspaces'))
  for (const folder of ['.axiom', '.workspaces']) writeFileSync(join(user, folder, '.gitignore'), '*\n')
  const whole = {
    agents: { driver: 'sim', maxConcurrent: 2 },
    review: { defaultMode: 'skip' },
    verification: ['test ! -e broken'],
    sandbox: { readOnly: [given] },
    ...config,
  }
  writeFileSync(join(user, '.axiom/config.json'), JSON.stringify(whole))
  const plan = join(root, 'plan.json')
  writeFileSync(plan, JSON.stringify(planOf(tasks)))
  const playbook = join(given, 'playbook.json')
  writeFileSync(playbook, JSON.stringify({ entries: tasks.map(play) }))
  const started: Started[] = []
  const record = join(user, '.axiom/integration.git')
  const start = (...words: readonly string[]): Started => {
    const { PATH } = process.env
    const child = spawn(process.execPath, [PROGRAM, ...words], {
      cwd: user,
      env: { PATH, HOME: root, NO_COLOR: '1', AXIOM_SIM_PLAYBOOK: playbook },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const said = { out: '', err: '' }
    child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()))
    const ended = new Promise<number | null>((done) => child.once('close', done))
    const one = { pid: child.pid ?? 0, said, ended, signal: (name: NodeJS.Signals) => void child.kill(name) }
    started.push(one)
    return one
  }
  return {
    ...{ root, user, record, start },
    run: () => start(...RUN),
    async plan() {
      const planned = start('plan', '--from', plan, '--yes', '--json')
      if ((await planned.ended) !== 0) throw new Error(planned.said.err)
    },
    landed() {
      const line = `git log --format='%(trailers:key=Task,valueonly,separator=%x20)' main`
      return sh(record, line).split('\n').filter(Boolean).toSorted()
    },
    async [Symbol.asyncDispose]() {
      for (const { signal } of started) for (const name of ['SIGCONT', 'SIGKILL'] as const) signal(name)
      for (const { ended } of started) await ended
      rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

function planOf(tasks: readonly ProcessTask[]) {
  const criterion = 'GET /health returns 200'
  return {
    need: 'When I have tasks, I want them to land, so that I can see it.',
    operations: [
      {
        key: 'all',
        content: 'Land the tasks',
        acceptanceCriteria: ['all have landed'],
        dependsOn: [],
        tasks: tasks.map(({ key, dependsOn = [], files = [] }) => ({
          ...{ key, dependsOn, files, content: `Add ${key}`, acceptanceCriteria: [criterion], tags: [] },
        })),
      },
    ],
  }
}

function play({ key, line }: ProcessTask) {
  const command = `${line} && git add --all && git commit --quiet --message 'feat: ${key}'`
  return {
    role: 'developer',
    tasks: [key],
    steps: [
      { do: 'run', command, mustPass: true },
      { do: 'signal', tag: 'COMPLETE' },
    ],
  }
}
