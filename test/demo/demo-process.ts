import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const ROOT = resolve(import.meta.dirname, '../..')
const AXIOM = join(ROOT, 'bin/axiom.js')
const ORPHANS_WAIT_MS_MAX = 30_000

export interface DemoLine {
  readonly type: string
  readonly who?: string
  readonly text?: string
  readonly task?: string | null
  readonly mood?: string
  readonly [key: string]: unknown
}

export interface StartedDemo {
  readonly lines: readonly DemoLine[]
  readonly errors: () => string
  /** The exit code; null when it was killed. */
  readonly ended: Promise<number | null>
  /** Resolves with the first line that fits, or undefined when the demo ends without one. */
  until(fits: (line: DemoLine) => boolean): Promise<DemoLine | undefined>
  kill(): Promise<void>
  /** Asks it to end, as a service manager does. */
  terminate(): void
}

export interface DemoCall {
  readonly axiom?: string
  readonly env?: NodeJS.ProcessEnv
}

/** Starts `axiom` as a process of its own and reads its lines. */
export function startAxiom(
  argv: readonly string[],
  { axiom = AXIOM, env = process.env }: DemoCall = {},
): StartedDemo {
  const child = spawn(process.execPath, [axiom, ...argv], { stdio: ['ignore', 'pipe', 'pipe'], env })
  const lines: DemoLine[] = []
  const waiting = new Set<() => void>()
  let held = ''
  let errors = ''
  let isOver = false
  const stir = (): void => {
    for (const wake of waiting) wake()
  }
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-20_000)
  })
  child.stdout.on('data', (chunk: Buffer) => {
    const parts = (held + chunk.toString()).split('\n')
    held = parts.pop() ?? ''
    for (const part of parts) lines.push(JSON.parse(part) as DemoLine)
    stir()
  })
  const ended = new Promise<number | null>((done) => {
    child.once('close', (code) => {
      isOver = true
      stir()
      done(code)
    })
  })
  return {
    lines,
    errors: () => errors,
    ended,
    async until(fits) {
      for (;;) {
        const found = lines.find(fits)
        if (found || isOver) return found
        await new Promise<void>((wake) => {
          waiting.add(wake)
        })
        waiting.clear()
      }
    },
    terminate: () => child.kill('SIGTERM'),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

export function demoFolder(): { dir: string; remove(): void } {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'axiom-demo-test-')))
  return { dir: join(top, 'ledger'), remove: () => rmSync(top, { recursive: true, force: true }) }
}

/** A copy of the built product that can be broken. */
export function copyProduct(): { axiom: string; demo: string; sim: string; remove(): void } {
  const top = mkdtempSync(join(tmpdir(), 'axiom-copy-'))
  for (const name of ['bin', 'dist', 'demo', 'package.json'])
    cpSync(join(ROOT, name), join(top, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(top, 'node_modules'))
  return {
    axiom: join(top, 'bin/axiom.js'),
    demo: join(top, 'demo'),
    sim: join(top, 'dist/sim/main.js'),
    remove: () => rmSync(top, { recursive: true, force: true }),
  }
}

/**
 * A search path on which these programs cannot be started. All else stays where it is: programs that are found in a
 * temporary folder would be hidden from agents, and prove nothing about a machine without the others.
 */
export function pathWithout(...programs: readonly string[]): { path: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'axiom-path-'))
  for (const name of programs)
    writeFileSync(join(folder, name), `#!/bin/sh\necho "${name}: not found" >&2\nexit 127\n`, { mode: 0o755 })
  return {
    path: `${folder}:${process.env.PATH ?? ''}`,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export function git(gitDir: string, ...words: string[]): string {
  return execFileSync('git', ['-c', 'safe.directory=*', `--git-dir=${gitDir}`, ...words], {
    encoding: 'utf8',
  }).trim()
}

/** Tasks in the order in which they stand on a branch. */
export function tasksOn(gitDir: string, branch = 'main'): string[] {
  const text = git(
    gitDir,
    'log',
    '--reverse',
    '--format=%(trailers:key=Task,valueonly,separator=%x2c)',
    branch,
  )
  return text.split('\n').filter((task) => task !== '')
}

/** Processes that work in the folder or were told of it. */
export function processesIn(folder: string): string[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .flatMap((pid) => {
      const words = read(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
      const cwd = read(() => readlinkSync(`/proc/${pid}/cwd`))
      return words.includes(folder) || cwd.startsWith(folder) ? [`${pid} ${words}`] : []
    })
}

function read(look: () => string): string {
  try {
    return look()
  } catch {
    return ''
  }
}

/** What is still there of a demo that has ended; what is being ended gets its time. */
export async function orphansIn(folder: string): Promise<string[]> {
  for (let waitedMs = 0; waitedMs < ORPHANS_WAIT_MS_MAX; waitedMs += 100) {
    if (processesIn(folder).length === 0) return []
    await sleep(100)
  }
  return processesIn(folder)
}
