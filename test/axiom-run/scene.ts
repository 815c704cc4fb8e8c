import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { Entry } from '../../src/sim/playbook.ts'
import type { Step } from '../../src/sim/step.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { CaseRecord } from '../../src/store/store.ts'
import { type Ran, start, temporaryFolder } from '../cli/axiom.ts'
import { sh } from '../git/scratch.ts'

const PROGRAM = resolve(import.meta.dirname, '../../bin/axiom.js')
export const ALONE = ['--autopilot', '--non-interactive', '--json'] as const

export interface PlannedTask {
  readonly key: string
  readonly content?: string
  readonly tags?: readonly string[]
  readonly dependsOn?: readonly string[]
  readonly files?: readonly string[]
  readonly acceptanceCriteria?: readonly string[]
  readonly verify?: readonly string[]
}

export interface SceneOptions {
  readonly tasks: readonly (string | PlannedTask)[]
  readonly entries?: readonly Entry[]
  readonly config?: Readonly<Record<string, unknown>>
  readonly files?: Readonly<Record<string, string>>
}

export interface Summary {
  readonly type: 'summary'
  readonly done: number
  readonly failed: number
  readonly blocked: number
  readonly waiting: number
}

export interface StartedRun {
  readonly pid: number
  readonly ended: Promise<Ran>
  /** What it printed so far, both streams. */
  shown(): string
  /** Resolves when it has printed these words; fails when it ends without them. */
  until(words: string): Promise<void>
  interrupt(): void
  type(keys: string): void
}

/** A small repository with a plan, in which the built program is started like a person or a script starts it. */
export class RunScene {
  readonly top = temporaryFolder()
  readonly root = join(this.top, 'project')
  /** Agents and checks may write here, inside their walls. */
  readonly gates = join(this.top, 'gates')

  static async open(
    { tasks, entries = [], config = {}, files = {} }: SceneOptions,
    scene = new RunScene(),
  ): Promise<RunScene> {
    mkdirSync(scene.root)
    mkdirSync(scene.gates)
    chmodSync(scene.gates, 0o777)
    for (const [name, text] of Object.entries({ 'a.mjs': 'export const a = 1\n', ...files }))
      writeFileSync(join(scene.root, name), text)
    sh(scene.root, 'git init -q -b main && git add -A && git commit -qm first')
    scene.play(entries)
    await scene.ok('init', '--yes')
    const file = join(scene.root, '.axiom/config.json')
    const settings = {
      ...(JSON.parse(readFileSync(file, 'utf8')) as object),
      agents: { driver: 'sim' },
      verification: ['node a.mjs'],
      review: { defaultMode: 'skip' },
      sandbox: { readWrite: [scene.gates] },
      ...config,
    }
    writeFileSync(file, JSON.stringify(settings))
    const plan = join(scene.top, 'plan.json')
    writeFileSync(plan, JSON.stringify(planOf(tasks)))
    await scene.ok('plan', '--from', plan, '--yes')
    return scene
  }

  /** What the simulated agents do from now on. */
  play(entries: readonly Entry[]): void {
    writeFileSync(join(this.top, 'playbook.json'), JSON.stringify({ entries }))
  }

  configure(change: Readonly<Record<string, unknown>>): void {
    const file = join(this.root, '.axiom/config.json')
    writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), ...change }))
  }

  /** Lets everybody through who waits there. */
  openGate(name: string): void {
    writeFileSync(join(this.gates, name), '')
  }

  gate(name: string): string {
    return join(this.gates, name)
  }

  isOpen(name: string): boolean {
    return existsSync(join(this.gates, name))
  }

  axiom(...argv: readonly string[]): Promise<Ran> {
    return start(this.root, argv, { env: this.environment })
  }

  async ok(...argv: readonly string[]): Promise<string> {
    const ran = await this.axiom(...argv)
    expect(ran, `${argv.join(' ')}\n${ran.stderr}`).toMatchObject({ code: 0 })
    return ran.stdout
  }

  /** `axiom run` to its end. */
  run(...argv: readonly string[]): Promise<Ran> {
    return this.begin(argv).ended
  }

  /** `axiom run` as a process of its own, its input closed. */
  begin(
    argv: readonly string[],
    env: NodeJS.ProcessEnv = this.environment,
    nodeFlags: readonly string[] = [],
  ): StartedRun {
    return this.#start([process.execPath, ...nodeFlags, PROGRAM, 'run', ...argv], env)
  }

  /** The same on a terminal of its own, with somebody at the keys. */
  atTerminal(argv: readonly string[], env: NodeJS.ProcessEnv = {}): StartedRun {
    const line = [process.execPath, PROGRAM, 'run', ...argv].join(' ')
    return this.#start(['script', '-qefc', `stty cols 160 rows 50; exec ${line}`, '/dev/null'], {
      ...this.environment,
      TERM: 'xterm',
      ...env,
    })
  }

  #start([program = '', ...words]: readonly string[], env: NodeJS.ProcessEnv): StartedRun {
    const child = spawn(program, words, { cwd: this.root, env })
    onTestFinished(() => void child.kill('SIGKILL'))
    if (program === process.execPath) child.stdin.end()
    const text = { stdout: '', stderr: '' }
    const waiting = new Set<() => void>()
    let isOver = false
    const stir = (): void => {
      for (const look of waiting) look()
    }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (chunk: string) => {
        text[name] += chunk
        stir()
      })
    const ended = new Promise<Ran>((done, fail) => {
      child.on('error', fail)
      child.on('close', (code) => {
        isOver = true
        stir()
        done({ code, ...text })
      })
    })
    const shown = (): string => text.stdout + text.stderr
    return {
      pid: child.pid ?? 0,
      ended,
      shown,
      until: (words) =>
        new Promise((done, fail) => {
          const look = (): void => {
            if (shown().includes(words)) done()
            else if (isOver) fail(new Error(`it ended without "${words}":\n${shown()}`))
            else return
            waiting.delete(look)
          }
          waiting.add(look)
          look()
        }),
      interrupt: () => void child.kill('SIGINT'),
      type: (keys) => void child.stdin.write(keys),
    }
  }

  async case(id: string): Promise<CaseRecord> {
    const [found] = await this.cases({ ids: [id] })
    if (!found) throw new Error(`there is no ${id}`)
    return found
  }

  async tasks(): Promise<Record<string, string>> {
    const found = await this.cases({ type: 'task' })
    return Object.fromEntries(found.map(({ id, status }) => [id, status]))
  }

  async cases(query: { readonly ids?: readonly string[]; readonly type?: 'task' | 'pending' }) {
    const store = await openStore({ folder: join(this.root, '.axiom'), purpose: 'tests' })
    try {
      return await store.query(query)
    } finally {
      await store.close()
    }
  }

  /** A person answers everything that is asked. */
  async answerAll(text: string): Promise<void> {
    for (const { id, status } of await this.cases({ type: 'pending' }))
      if (status !== 'done') await this.ok('answer', id, text)
  }

  /** The files of the target of record. */
  landed(): string[] {
    return this.git('ls-tree -r --name-only main').split('\n')
  }

  git(words: string): string {
    return sh(join(this.root, '.axiom/integration.git'), `git ${words}`)
  }

  get environment(): NodeJS.ProcessEnv {
    const { PATH, HOME } = process.env
    return { PATH, HOME, NO_COLOR: '1', AXIOM_SIM_PLAYBOOK: join(this.top, 'playbook.json') }
  }
}

function planOf(tasks: SceneOptions['tasks']): object {
  return {
    need: 'When I look, I want files, so that I see them',
    operations: [
      {
        key: 'o',
        content: 'Files',
        acceptanceCriteria: ['there are files'],
        tasks: tasks
          .map((task) => (typeof task === 'string' ? { key: task } : task))
          .map((task) => ({
            content: `Add the file ${task.key}.txt`,
            acceptanceCriteria: [`${task.key}.txt is there`],
            verify: ['true'],
            ...task,
          })),
      },
    ],
  }
}

/** One object per line, as a script reads them. */
export function linesOf({
  stdout,
}: Pick<Ran, 'stdout'>): { readonly type: string; readonly [key: string]: unknown }[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string })
}

/** The last line, byte by byte. */
export function lastLine({ stdout }: Pick<Ran, 'stdout'>): string {
  return stdout.trimEnd().split('\n').at(-1) ?? ''
}

export function summary(counts: Partial<Omit<Summary, 'type'>>): string {
  const { done = 0, failed = 0, blocked = 0, waiting = 0 } = counts
  return `{"type":"summary","done":${done},"failed":${failed},"blocked":${blocked},"waiting":${waiting}}`
}

/** A developer's whole work on a task: one file. */
export function writes(file: string, text = 'done\n'): Step[] {
  return [
    { do: 'edit', file, write: text },
    { do: 'commit', message: `feat: ${file} #task @echo` },
    { do: 'signal', tag: 'COMPLETE' },
  ]
}

export function developer(task: string, ...steps: Step[]): Entry {
  return { role: 'developer', tasks: [task], steps }
}
