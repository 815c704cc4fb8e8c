import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import type { Entry } from '../../src/sim/playbook.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { CaseRecord, Store } from '../../src/store/store.ts'
import { type Ran, start, temporaryFolder } from '../cli/axiom.ts'
import { sh } from '../git/scratch.ts'

const program = resolve(import.meta.dirname, '../../bin/axiom.js')
const WAIT_MAX_MS = 240_000
const LOOK_EVERY_MS = 50

export interface ProjectOptions {
  readonly config?: Readonly<Record<string, unknown>>
  readonly tasks?: readonly string[]
  readonly entries?: readonly Entry[]
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const begun = Date.now()
  while (!(await holds())) {
    if (Date.now() - begun > WAIT_MAX_MS) throw new Error('it did not come to pass')
    await sleep(LOOK_EVERY_MS)
  }
}

/** A real repository with a plan, in which the real program directs simulated agents. */
export class RunningProject {
  readonly root = join(temporaryFolder(), 'project')
  readonly playbook = join(this.root, '..', 'playbook.json')

  static async open({ config = {}, tasks = ['one'], entries = [] }: ProjectOptions): Promise<RunningProject> {
    const project = new RunningProject()
    mkdirSync(project.root)
    writeFileSync(join(project.root, 'a.mjs'), 'export const a = 1\n')
    sh(project.root, 'git init -q -b main && git add -A && git commit -qm first')
    project.play(entries)
    await project.ok('init', '--yes')
    const file = join(project.root, '.axiom/config.json')
    const settings = {
      ...(JSON.parse(readFileSync(file, 'utf8')) as object),
      agents: { driver: 'sim' },
      verification: ['node a.mjs'],
      review: { defaultMode: 'skip' },
      ...config,
    }
    writeFileSync(file, JSON.stringify(settings))
    const plan = join(project.root, '../plan.json')
    writeFileSync(plan, JSON.stringify(planOf(tasks)))
    await project.ok('plan', '--from', plan, '--yes')
    return project
  }

  /** What the simulated agents do from now on. */
  play(entries: readonly Entry[]): void {
    writeFileSync(this.playbook, JSON.stringify({ entries }))
  }

  axiom(...argv: string[]): Promise<Ran> {
    return start(this.root, argv, { env: this.#environment })
  }

  async ok(...argv: string[]): Promise<string> {
    const ran = await this.axiom(...argv)
    expect(ran, `${argv.join(' ')}\n${ran.stderr}`).toMatchObject({ code: 0 })
    return ran.stdout
  }

  /** The director at work, as a process of its own. */
  run(...argv: string[]): { child: ChildProcess; ended: Promise<Ran> } {
    const child = spawn(
      process.execPath,
      [program, 'run', '--autopilot', '--non-interactive', '--json', ...argv],
      {
        cwd: this.root,
        env: this.#environment,
      },
    )
    onTestFinished(() => void child.kill('SIGKILL'))
    const text = { stdout: '', stderr: '' }
    child.stdin.end()
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text.stdout += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text.stderr += chunk))
    const ended = new Promise<Ran>((done) => child.on('close', (code) => done({ code, ...text })))
    return { child, ended }
  }

  async withStore<Value>(work: (store: Store) => Promise<Value>): Promise<Value> {
    const store = await openStore({ folder: join(this.root, '.axiom'), purpose: 'tests' })
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  }

  task(id: string): Promise<CaseRecord> {
    return this.withStore(async (store) => {
      const [found] = await store.query({ ids: [id] })
      if (!found) throw new Error(`there is no ${id}`)
      return found
    })
  }

  /** The developer of a task, as soon as it has said that it is at work. */
  async developerOf(id: string, said: string): Promise<string> {
    let agent = ''
    await until(async () => {
      agent = (await this.task(id)).leases?.develop?.holder ?? ''
      if (agent === '') return false
      const { stdout } = await this.axiom('logs', agent, '--output')
      return stdout.includes(said)
    })
    return agent
  }

  get #environment(): NodeJS.ProcessEnv {
    const { PATH, HOME } = process.env
    return { PATH, HOME, NO_COLOR: '1', AXIOM_SIM_PLAYBOOK: this.playbook }
  }
}

function planOf(tasks: readonly string[]): object {
  return {
    need: 'When I look, I want files, so that I see them',
    operations: [
      {
        key: 'o',
        content: 'Files',
        acceptanceCriteria: ['there are files'],
        tasks: tasks.map((name) => ({
          key: name,
          content: `Add the file ${name}.txt`,
          acceptanceCriteria: [`${name}.txt is there`],
          verify: ['true'],
        })),
      },
    ],
  }
}
