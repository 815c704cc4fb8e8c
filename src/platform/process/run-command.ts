import { type ChildProcess, spawn } from 'node:child_process'
import { OutputTail } from './output-tail.ts'

/**
 * On SIGTERM a program flushes and removes its temporary files; a process still alive after this is killed.
 */
const STOP_GRACE_MS = 2_000
/** A daemon that left the process group can hold the pipes open for ever; its output is not waited for longer. */
const DRAIN_MS = 500
const OUTPUT_MAX_BYTES = 1024 * 1024

export interface CommandRequest {
  /** Program and arguments, without a shell. For a shell line pass `['sh', '-c', line]`. */
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  /** The whole environment of the program: nothing is inherited. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly timeoutMs: number
  /** Time between SIGTERM and SIGKILL. */
  readonly stopGraceMs?: number
  /** The last bytes of each stream are kept, since the end of an output says why it failed. */
  readonly outputMaxBytes?: number
  readonly input?: string
  readonly uid?: number
  readonly gid?: number
}

export type CommandEnding =
  | { readonly kind: 'exited'; readonly exitCode: number }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'not-started'; readonly reason: string }

export interface CommandResult {
  readonly ending: CommandEnding
  readonly stdout: string
  readonly stderr: string
  /** True when more was written than was kept. */
  readonly truncated: boolean
  readonly durationMs: number
}

/** Runs one program to its end and leaves nothing of its process group behind, however it ended. */
export async function runCommand(request: CommandRequest): Promise<CommandResult> {
  const startedAt = performance.now()
  const outputMaxBytes = request.outputMaxBytes ?? OUTPUT_MAX_BYTES
  const stdout = new OutputTail(outputMaxBytes)
  const stderr = new OutputTail(outputMaxBytes)
  const ending = await followToEnd(request, stdout, stderr)
  return {
    ending,
    stdout: stdout.text(),
    stderr: stderr.text(),
    truncated: stdout.truncated || stderr.truncated,
    durationMs: Math.round(performance.now() - startedAt),
  }
}

function followToEnd(
  request: CommandRequest,
  stdout: OutputTail,
  stderr: OutputTail,
): Promise<CommandEnding> {
  const [program, ...args] = request.argv
  const child = spawn(program, args, {
    cwd: request.cwd,
    env: request.env,
    detached: true,
    stdio: [request.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(request.uid === undefined ? {} : { uid: request.uid }),
    ...(request.gid === undefined ? {} : { gid: request.gid }),
  })
  child.stdout?.on('data', (chunk: Buffer) => stdout.add(chunk))
  child.stderr?.on('data', (chunk: Buffer) => stderr.add(chunk))
  // A program may exit before it has read its input; that is no error, its exit code decides.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(request.input)
  return new Promise((settle) => {
    const timers: NodeJS.Timeout[] = []
    let timedOut = false
    let exited: CommandEnding | undefined
    timers.push(
      setTimeout(() => {
        timedOut = true
        signalGroup(child, 'SIGTERM')
        timers.push(setTimeout(() => signalGroup(child, 'SIGKILL'), request.stopGraceMs ?? STOP_GRACE_MS))
      }, request.timeoutMs),
    )
    const finish = (ending: CommandEnding): void => {
      for (const timer of timers) clearTimeout(timer)
      child.stdout?.destroy()
      child.stderr?.destroy()
      settle(ending)
    }
    child.on('error', (error) => finish({ kind: 'not-started', reason: error.message }))
    child.on('exit', (exitCode, signal) => {
      signalGroup(child, 'SIGKILL')
      exited = timedOut
        ? { kind: 'timed-out' }
        : signal === null
          ? { kind: 'exited', exitCode: exitCode ?? 0 }
          : { kind: 'killed', signal }
      const ending = exited
      timers.push(setTimeout(() => finish(ending), DRAIN_MS))
    })
    child.on('close', () => {
      if (exited) finish(exited)
    })
  })
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    // The group is already gone.
  }
}
