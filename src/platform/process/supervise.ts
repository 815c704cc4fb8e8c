import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, systemCode } from '../failure.ts'
import {
  childrenOf,
  findProcess,
  isAlive,
  listChildren,
  listProcesses,
  type ProcessMark,
  signalProcess,
  startTicksOf,
  treeOf,
} from './process-table.ts'
import { MARKER_VARIABLE, sweepTree, type TreeRecord } from './sweep-tree.ts'

export interface SpawnRequest {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The whole environment: nothing is inherited from the caller. */
  readonly environment: Readonly<Record<string, string>>
  /**
   * `namespace`: the kernel ends the tree with its first process. `group`: the tree must be killed
   * explicitly.
   */
  readonly containment: 'namespace' | 'group'
  /** The number of wrapper processes above the program itself. */
  readonly wrapperDepth: number
}

export interface ProcessEnd {
  readonly exitCode: number | undefined
  readonly signal: NodeJS.Signals | undefined
  /** Processes that were left over and had to be killed. */
  readonly swept: number
}

export interface SupervisedProcess {
  readonly stdin: Writable
  /** A slow reader slows the process; the kernel's pipe is the only buffer besides one chunk. */
  readonly stdout: Readable
  readonly stderr: Readable
  readonly record: TreeRecord
  /**
   * Settles when the whole tree is gone. Its last output may still be unread: read the streams to their end.
   */
  readonly ended: Promise<ProcessEnd>
  /** A signal for the program itself, past its wrappers. */
  signal(name: NodeJS.Signals): Promise<boolean>
  /** SIGTERM, the grace, then SIGKILL for everything. */
  stop(graceMs: number): Promise<ProcessEnd>
}

/** Without a namespace, descendants are recorded at this interval, up to this number. */
const REMEMBER_EVERY_MS = 500
const REMEMBERED_MAX = 4_096
/** Interval and limit for finding the first process of a namespace, and for waiting for its end. */
const NAMESPACE_LOOK_EVERY_MS = 5
const NAMESPACE_WAIT_MAX_MS = 2_000
/**
 * The remaining output of a dead tree is read to its end. A pipe that stays open but silent for this long is
 * held by an escaped process; so is one that is still open after the overall limit, however slow its reader
 * is.
 */
const DRAIN_SILENCE_MS = 1_000
const DRAIN_MAX_MS = 120_000
const DRAIN_LOOK_EVERY_MS = 100

/** Starts a program as the leader of its own session. Throws `Failure` when it cannot be started. */
export async function supervise(request: SpawnRequest): Promise<SupervisedProcess> {
  const marker = randomUUID()
  const child = spawn(request.program, request.args, {
    cwd: request.cwd,
    env: { ...request.environment, [MARKER_VARIABLE]: marker },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // A program that does not read its input closes the pipe; how it ends is reported anyway.
  child.stdin.on('error', () => {})
  // Read before the tree is recorded: with a wrong start time it counts as dead and is never found again.
  const startTicks = startTicksOf(child.pid ?? -1)
  await started(child, request)
  return new Supervised(child, request, { marker, startTicks })
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>

function started(child: Child, request: SpawnRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (cause) => {
      const missing = systemCode(cause) === 'ENOENT'
      const message = `${request.program} cannot be started in ${request.cwd}: ${cause.message}`
      reject(new Failure(missing ? 'PROCESS_NOT_FOUND' : 'PROCESS_NOT_STARTED', message, { cause }))
    })
  })
}

class Supervised implements SupervisedProcess {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  readonly ended: Promise<ProcessEnd>
  readonly #child: Child
  readonly #request: SpawnRequest
  readonly #pid: number
  readonly #marker: string
  readonly #startTicks: number
  readonly #seen = new Map<number, ProcessMark>()
  readonly #first: Promise<ProcessMark | undefined>
  #timer: NodeJS.Timeout | undefined

  constructor(child: Child, request: SpawnRequest, { marker, startTicks }: Omit<TreeRecord, 'pid'>) {
    this.#child = child
    this.#request = request
    this.#pid = child.pid ?? -1
    this.#marker = marker
    this.#startTicks = startTicks
    this.stdin = child.stdin
    this.stdout = child.stdout
    this.stderr = child.stderr
    this.#first = request.containment === 'namespace' ? this.#findFirst() : Promise.resolve(undefined)
    if (request.containment === 'group') {
      this.#timer = setInterval(() => void this.#remember(), REMEMBER_EVERY_MS)
      this.#timer.unref()
    }
    this.ended = this.#end()
  }

  get record(): TreeRecord {
    return { pid: this.#pid, startTicks: this.#startTicks, marker: this.#marker }
  }

  async signal(name: NodeJS.Signals): Promise<boolean> {
    const pid = await this.#below(this.#request.wrapperDepth)
    return pid !== undefined && signalProcess(pid, name)
  }

  async stop(graceMs: number): Promise<ProcessEnd> {
    if (await this.signal('SIGTERM')) {
      // A stopped process keeps the signal pending for ever.
      await this.signal('SIGCONT')
      const graceful = await Promise.race([this.ended, sleep(graceMs, undefined, { ref: false })])
      if (graceful) return graceful
    }
    await this.#kill()
    return this.ended
  }

  /** The process `depth` generations below the spawned one. */
  async #below(depth: number): Promise<number | undefined> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return undefined
    if (depth === 0) return this.#pid
    const table = await listProcesses()
    let pid = this.#pid
    for (let level = 0; level < depth; level += 1) {
      const [first] = childrenOf(pid, table)
      if (!first) return undefined
      pid = first.pid
    }
    return pid
  }

  async #kill(): Promise<void> {
    if (this.#request.containment === 'group') {
      await this.#remember()
      signalProcess(-this.#pid, 'SIGKILL')
      return
    }
    // Killing the first process of the namespace lets the wrapper above report only after all are gone.
    const first = await this.#below(1)
    if (first === undefined || !signalProcess(first, 'SIGKILL')) signalProcess(this.#pid, 'SIGKILL')
  }

  /** The wrapper's only child. It appears a few milliseconds after the start. */
  async #findFirst(): Promise<ProcessMark | undefined> {
    for (let waitedMs = 0; waitedMs < NAMESPACE_WAIT_MAX_MS; waitedMs += NAMESPACE_LOOK_EVERY_MS) {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) return undefined
      const [child] = await listChildren(this.#pid)
      if (child !== undefined) return findProcess(child)
      await sleep(NAMESPACE_LOOK_EVERY_MS)
    }
    return undefined
  }

  /**
   * bwrap reports the program's end before its namespace is gone. The kernel lets the first process of a namespace
   * end only after all others, so its end is the end of the tree.
   */
  async #waitForNamespace(): Promise<void> {
    const first = await this.#first
    if (!first) return
    for (let waitedMs = 0; waitedMs < NAMESPACE_WAIT_MAX_MS; waitedMs += NAMESPACE_LOOK_EVERY_MS) {
      if (!(await isAlive(first))) return
      signalProcess(first.pid, 'SIGKILL')
      await sleep(NAMESPACE_LOOK_EVERY_MS)
    }
  }

  async #remember(): Promise<void> {
    for (const { pid, startTicks } of treeOf(new Set([this.#pid]), await listProcesses())) {
      if (this.#seen.size < REMEMBERED_MAX) this.#seen.set(pid, { pid, startTicks })
    }
  }

  async #end(): Promise<ProcessEnd> {
    const child = this.#child
    if (child.exitCode === null && child.signalCode === null)
      await new Promise<void>((resolve) => child.once('exit', () => resolve()))
    clearInterval(this.#timer)
    const swept = this.#request.containment === 'group' ? await sweepTree(this.record, this.#seen) : 0
    await this.#waitForNamespace()
    for (const stream of [this.stdout, this.stderr]) endWhenDrained(stream)
    child.stdin.destroy()
    return { exitCode: child.exitCode ?? undefined, signal: child.signalCode ?? undefined, swept }
  }
}

/**
 * Time is counted in timer ticks, not by the clock: between two ticks the stream reads what is in the pipe,
 * so an orchestrator that was suspended has read everything before its pipes count as silent.
 */
function endWhenDrained(stream: Readable): void {
  if (stream.closed) return
  let silentMs = 0
  let waitedMs = 0
  const timer = setInterval(() => {
    waitedMs += DRAIN_LOOK_EVERY_MS
    silentMs = stream.readableLength > 0 ? 0 : silentMs + DRAIN_LOOK_EVERY_MS
    if (silentMs >= DRAIN_SILENCE_MS || waitedMs >= DRAIN_MAX_MS) stream.destroy()
  }, DRAIN_LOOK_EVERY_MS)
  // An open pipe itself keeps the orchestrator alive; without one, nothing is left to read.
  timer.unref()
  stream.once('close', () => clearInterval(timer))
}
