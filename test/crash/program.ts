import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { builtProgram } from './build-programs.ts'

const ROOT = resolve(import.meta.dirname, '../..')

export interface Program {
  readonly child: ChildProcess
  /** Whole lines of its output so far. */
  readonly lines: string[]
  /** Resolves when so many lines have come, or the program has ended. */
  printed(count: number): Promise<void>
  /** Resolves when it has ended and all its output was read. */
  readonly ended: Promise<{ readonly code: number | null; readonly errors: string }>
  say(line: string): void
  kill(): Promise<void>
}

/** Starts a program of `test/programs` as a process of its own. */
export function startProgram(name: string, ...given: readonly string[]): Program {
  return start([builtProgram(name), ...given])
}

/** Starts the real command. */
export function startCommand(cwd: string, ...given: readonly string[]): Program {
  return start([resolve(ROOT, 'bin/axiom.js'), '--cwd', cwd, ...given])
}

export interface CommandResult {
  readonly code: number | null
  readonly out: string
  readonly errors: string
}

export async function runCommand(cwd: string, ...given: readonly string[]): Promise<CommandResult> {
  const program = startCommand(cwd, ...given)
  const { code, errors } = await program.ended
  return { code, out: program.lines.join('\n'), errors }
}

function start(argv: readonly string[]): Program {
  const child = spawn(process.execPath, argv, { cwd: ROOT, stdio: ['pipe', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  let partial = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const pieces = (partial + text).split('\n')
    partial = pieces.pop() ?? ''
    lines.push(...pieces)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  child.stdin.on('error', () => undefined)
  let isOver = false
  const ended = once(child, 'close').then(([code]) => {
    isOver = true
    return { code: code as number | null, errors }
  })
  return {
    child,
    lines,
    ended,
    printed: async (count) => {
      while (lines.length < count && !isOver) await Promise.race([once(child.stdout, 'data'), ended])
    },
    say: (line) => void child.stdin.write(`${line}\n`),
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
