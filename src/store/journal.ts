import { dirname } from 'node:path'
import { performance } from 'node:perf_hooks'
import { Failure, systemCode } from '../platform/failure.ts'
import type { Disk } from './disk.ts'

/** Makes the lines of one commit; asked at the moment of writing, when its place in the write is known. */
export type CommitLines = (firstOfWrite: boolean) => readonly string[]

/** More lines in one write gain nothing: the work is bound by the processor there. */
const WRITE_LINES_MAX = 512
/** Commits that may wait for the disk; beyond this the disk is not keeping up and callers must know. */
const WAITING_COMMITS_MAX = 20_000
/** A disk slower than this is waited for in the background, so that it cannot stall everything else. */
const BLOCKING_SYNC_MS_MAX = 5

interface Waiting {
  readonly lines: CommitLines
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/**
 * The append-only file. Commits that arrive while others are being written share the next write and sync.
 * After a write or sync that failed nobody knows what is on disk: the journal takes nothing more until reopened.
 */
export class Journal {
  readonly #disk: Disk
  readonly #path: string
  #fd: number
  #bytes: number
  #lines: number
  #waiting: Waiting[] = []
  #flushing = false
  #scheduled = false
  #paused = false
  #poison: Failure | undefined
  #syncMs = 0

  constructor(disk: Disk, path: string, lines: number) {
    this.#disk = disk
    this.#path = path
    this.#fd = disk.openForAppend(path)
    this.#bytes = disk.size(this.#fd)
    this.#lines = lines
  }

  get bytes(): number {
    return this.#bytes
  }

  get lines(): number {
    return this.#lines
  }

  /** Resolves when the commit is on disk. */
  append(lines: CommitLines): Promise<void> {
    if (this.#poison) return Promise.reject(this.#poison)
    if (this.#waiting.length >= WAITING_COMMITS_MAX) {
      return Promise.reject(
        new Failure('STORE_BUSY', `${WAITING_COMMITS_MAX} changes wait for the disk`, {
          hint: 'try again when the disk has caught up',
          retryable: true,
        }),
      )
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ lines, resolve, reject })
      this.#schedule()
    })
  }

  /** Resolves when everything appended so far is on disk; at once when nothing is under way. */
  async settled(): Promise<void> {
    if (this.#poison) throw this.#poison
    if (!this.isSettled) await this.append(() => [])
  }

  get isSettled(): boolean {
    return !this.#poison && this.#waiting.length === 0 && !this.#flushing
  }

  /** Stops writing, for a moment when everything is on disk; false when something came in between. */
  pause(): boolean {
    if (this.#poison) throw this.#poison
    if (!this.isSettled) return false
    this.#paused = true
    return true
  }

  resume(): void {
    this.#paused = false
    this.#schedule()
  }

  /** Puts another file, which holds all there is, in the place of this one; writing must be paused. */
  replaceBy(draft: string, lines: number): void {
    try {
      this.#disk.rename(draft, this.#path)
      this.#disk.syncFolder(dirname(this.#path))
      this.#disk.close(this.#fd)
      this.#fd = this.#disk.openForAppend(this.#path)
      this.#bytes = this.#disk.size(this.#fd)
      this.#lines = lines
    } catch (error) {
      // Which of the two files has the name now is not known; what were written to the other would be lost.
      this.#poisonBy(error)
      throw this.#poison
    }
  }

  async close(): Promise<void> {
    try {
      if (!this.#poison) await this.settled()
    } finally {
      // The number of a closed file may soon be that of another one.
      this.#poison ??= new Failure('STORE_CLOSED', 'the store is closed', { hint: 'open it again' })
      this.#disk.close(this.#fd)
    }
  }

  #schedule(): void {
    if (this.#scheduled || this.#paused || this.#flushing || this.#waiting.length === 0) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      if (this.#paused || this.#flushing) return
      this.#flushing = true
      void this.#flush().finally(() => {
        this.#flushing = false
        this.#schedule()
      })
    })
  }

  async #flush(): Promise<void> {
    const commits: Waiting[] = []
    try {
      const { text, lines } = this.#takeBatch(commits)
      if (text !== '') await this.#write(Buffer.from(text))
      this.#lines += lines
      for (const { resolve } of commits) resolve()
    } catch (error) {
      this.#fail(error, commits)
    }
  }

  #takeBatch(commits: Waiting[]): { text: string; lines: number } {
    let text = ''
    let lines = 0
    for (const commit of this.#waiting) {
      if (lines >= WRITE_LINES_MAX) break
      commits.push(commit)
      for (const line of commit.lines(text === '')) {
        text += line
        lines += 1
      }
    }
    this.#waiting.splice(0, commits.length)
    return { text, lines }
  }

  async #write(bytes: Buffer): Promise<void> {
    const began = performance.now()
    if (this.#syncMs <= BLOCKING_SYNC_MS_MAX) {
      for (let done = 0; done < bytes.length; ) done += this.#disk.write(this.#fd, bytes.subarray(done))
      this.#disk.sync(this.#fd)
    } else {
      for (let done = 0; done < bytes.length; )
        done += await this.#disk.writeLater(this.#fd, bytes.subarray(done))
      await this.#disk.syncLater(this.#fd)
    }
    this.#syncMs = this.#syncMs * 0.8 + (performance.now() - began) * 0.2
    this.#bytes += bytes.length
  }

  #fail(error: unknown, commits: readonly Waiting[]): void {
    const poison = this.#poisonBy(error)
    // A courtesy to the next reader, who would cut the torn line himself.
    try {
      this.#disk.truncate(this.#fd, this.#bytes)
    } catch {}
    for (const { reject } of new Set([...commits, ...this.#waiting.splice(0)])) reject(poison)
  }

  #poisonBy(error: unknown): Failure {
    const reason = error instanceof Error ? error.message : String(error)
    const full = systemCode(error) === 'ENOSPC'
    this.#poison = new Failure('STORE_WRITE_FAILED', `the store could not be written: ${reason}`, {
      hint: full
        ? 'free space on the disk, then start again; nothing that was answered is lost'
        : 'look at the disk, then start again; nothing that was answered is lost',
      cause: error,
    })
    return this.#poison
  }
}
