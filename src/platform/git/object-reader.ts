import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { Failure } from '../failure.ts'

export interface GitObject {
  /** The full name of the object that was found. */
  readonly object: string
  readonly type: string
  /** Empty when only the type was requested. */
  readonly content: Buffer
}

export type Asking = 'info' | 'contents'

interface Question {
  readonly asking: Asking
  answer(found: GitObject | undefined): void
  fail(error: Failure): void
}

/** Long enough to serve consecutive tasks, short enough that no idle process stays behind. */
const IDLE_MAX_MS = 5_000
const NOTHING_YET = Buffer.alloc(0)

/**
 * One git process that serves all object queries while they keep coming: a process per query would cost more
 * than the answer. It reads refs and objects again at every query, and ends with the orchestrator, whose exit
 * closes its input.
 */
export class ObjectReader {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  readonly #waiting: Question[] = []
  readonly #waitMs: number
  readonly #onEnd: () => void
  #unread: Buffer = NOTHING_YET
  #timer: NodeJS.Timeout | undefined

  constructor(
    start: { readonly arguments: readonly string[]; readonly environment: Readonly<Record<string, string>> },
    waitMs: number,
    onEnd: () => void,
  ) {
    this.#waitMs = waitMs
    this.#onEnd = onEnd
    this.#child = spawn('git', [...start.arguments, 'cat-file', '--batch-command', '-z'], {
      cwd: '/',
      env: { ...start.environment },
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    this.#child.stdin.on('error', () => undefined)
    this.#child.stdout.on('data', (chunk: Buffer) => this.#take(chunk))
    this.#child.once('error', (error) => this.#end(`git could not be started: ${error.message}`))
    this.#child.once('close', () => this.#end('git ended before it had answered'))
    this.#hold(false)
  }

  /** The object that a name such as `refs/heads/main^{tree}` leads to, or nothing. */
  ask(asking: Asking, name: string): Promise<GitObject | undefined> {
    return new Promise((answer, fail) => {
      this.#waiting.push({ asking, answer, fail })
      this.#child.stdin.write(`${asking} ${name}\0`)
      if (this.#waiting.length === 1) this.#watch()
    })
  }

  close(): void {
    this.#onEnd()
    this.#child.stdin.end()
  }

  #take(chunk: Buffer): void {
    this.#unread = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk])
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const read = readAnswer(this.#unread, first.asking)
      if (read === undefined) return
      this.#unread = this.#unread.subarray(read.length)
      this.#waiting.shift()
      first.answer(read.found)
    }
    this.#watch()
  }

  /** With queries waiting, git must answer in time; without any, it is closed after the idle time. */
  #watch(): void {
    clearTimeout(this.#timer)
    const isBusy = this.#waiting.length > 0
    this.#hold(isBusy)
    this.#timer = isBusy
      ? setTimeout(() => this.#child.kill('SIGKILL'), this.#waitMs)
      : setTimeout(() => this.close(), IDLE_MAX_MS).unref()
  }

  /** An idle reader must not keep this process alive. */
  #hold(isBusy: boolean): void {
    const change = isBusy ? 'ref' : 'unref'
    this.#child[change]()
    for (const stream of [this.#child.stdin, this.#child.stdout]) {
      if (change in stream) (stream as unknown as Record<typeof change, () => void>)[change]()
    }
  }

  #end(reason: string): void {
    clearTimeout(this.#timer)
    this.#onEnd()
    const failure = new Failure('GIT_FAILED', reason, { retryable: true })
    for (const { fail } of this.#waiting.splice(0)) fail(failure)
  }
}

/** The first whole answer in the bytes, and its length; nothing while a part of it is missing. */
function readAnswer(
  bytes: Buffer,
  asking: Asking,
): { found: GitObject | undefined; length: number } | undefined {
  const lineEnd = bytes.indexOf('\n')
  if (lineEnd < 0) return undefined
  const [object = '', type = '', size = ''] = bytes.toString('latin1', 0, lineEnd).split(' ')
  // Otherwise the line repeats the query and says "missing" or "ambiguous".
  if (!/^\d+$/.test(size)) return { found: undefined, length: lineEnd + 1 }
  if (asking === 'info') return { found: { object, type, content: NOTHING_YET }, length: lineEnd + 1 }
  const end = lineEnd + 1 + Number(size)
  if (bytes.length <= end) return undefined
  return { found: { object, type, content: bytes.subarray(lineEnd + 1, end) }, length: end + 1 }
}
