import { dirname } from 'node:path'
import { performance } from 'node:perf_hooks'
import { Failure, systemCode } from '../../platform/failure.ts'
import { type Commit, countLines, writeCommit } from './commit.ts'
import type { Disk } from './disk.ts'
import { LineBuffer } from './line-buffer.ts'

/** More lines in one write gain nothing: at this size the work is CPU-bound. */
const WRITE_LINES_MAX = 512
/** Lines that may wait for the disk; beyond this the disk is too slow and callers get an error. */
const WAITING_LINES_MAX = 20_000
/** Enough for a usual write. A larger one gets a buffer of its own. */
const BUFFER_BYTES = 1024 * 1024
/** Syncs slower than this run in the background, so that they do not block the event loop. */
const BLOCKING_SYNC_MS_MAX = 5

/** The commits of one write and sync. They share its promise: they are on disk together, or none is answered. */
class Batch {
  readonly commits: Commit[] = []
  lines = 0
  readonly written: Promise<void>
  resolve: () => void = () => {}
  reject: (error: Error) => void = () => {}

  constructor() {
    this.written = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  }
}

/**
 * The append-only file. Commits that arrive while others are being written share the next write and sync.
 * After a failed write or sync the content on disk is unknown: the journal accepts nothing more until
 * reopened.
 */
export class Journal {
  readonly #disk: Disk
  readonly #path: string
  #fd: number
  #bytes: number
  #lines: number
  /** In order; new commits join the last batch. */
  #waiting: Batch[] = []
  #underWay: Batch | undefined
  #waitingLines = 0
  #scheduled = false
  #paused = false
  #poison: Failure | undefined
  #syncMs = 0
  /** Reused by every write, since only one is ever in progress. */
  readonly #buffer = new LineBuffer(BUFFER_BYTES)

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

  /** Throws when nothing can be appended now: called before anything is changed in memory. */
  requireRoom(): void {
    if (this.#poison) throw this.#poison
    if (this.#waitingLines < WAITING_LINES_MAX) return
    throw new Failure('STORE_BUSY', `${WAITING_LINES_MAX} changes wait for the disk`, {
      hint: 'try again when the disk has caught up',
      retryable: true,
    })
  }

  /** Resolves when the commit is on disk. */
  append(commit: Commit): Promise<void> {
    if (this.#poison) return Promise.reject(this.#poison)
    const batch = this.#openBatch()
    const lines = countLines(commit)
    batch.commits.push(commit)
    batch.lines += lines
    this.#waitingLines += lines
    this.#schedule()
    return batch.written
  }

  #openBatch(): Batch {
    const last = this.#waiting.at(-1)
    if (last && last.lines < WRITE_LINES_MAX) return last
    const batch = new Batch()
    this.#waiting.push(batch)
    return batch
  }

  /** Resolves when everything appended so far is on disk; at once when nothing is in progress. */
  async settled(): Promise<void> {
    if (this.#poison) throw this.#poison
    await (this.#waiting.at(-1) ?? this.#underWay)?.written
  }

  get isSettled(): boolean {
    return !this.#poison && this.#waiting.length === 0 && !this.#underWay
  }

  /** Pauses writing if everything is on disk; false when a commit arrived in between. */
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

  /** Replaces this file by another one with the full content; writing must be paused. */
  replaceBy(draft: string, lines: number): void {
    try {
      this.#disk.rename(draft, this.#path)
      this.#disk.syncFolder(dirname(this.#path))
      this.#disk.close(this.#fd)
      this.#fd = this.#disk.openForAppend(this.#path)
      this.#bytes = this.#disk.size(this.#fd)
      this.#lines = lines
    } catch (error) {
      // It is unknown which of the two files has the name now; a write to the other one would be lost.
      const poison = this.#poisonBy(error)
      this.#rejectWaiting(poison)
      throw poison
    }
  }

  async close(): Promise<void> {
    try {
      if (!this.#poison) await this.settled()
    } finally {
      // The descriptor of a closed file may soon belong to another file.
      this.#poison ??= new Failure('STORE_CLOSED', 'the store is closed', { hint: 'open it again' })
      this.#disk.close(this.#fd)
    }
  }

  #schedule(): void {
    if (this.#scheduled || this.#paused || this.#underWay || this.#waiting.length === 0) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      if (!this.#paused && !this.#underWay) void this.#flush()
    })
  }

  async #flush(): Promise<void> {
    const batch = this.#waiting.shift()
    if (!batch) return
    this.#underWay = batch
    try {
      if (batch.lines > 0) await this.#write(this.#encode(batch))
    } catch (error) {
      this.#fail(error)
      return
    }
    this.#underWay = undefined
    this.#lines += batch.lines
    this.#waitingLines -= batch.lines
    batch.resolve()
    this.#schedule()
  }

  #encode({ commits }: Batch): Buffer {
    this.#buffer.clear()
    let first = true
    for (const commit of commits) {
      writeCommit(this.#buffer, commit, first)
      first = false
    }
    return this.#buffer.content
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

  #fail(error: unknown): void {
    const poison = this.#poisonBy(error)
    // Best effort: the next load would cut off the torn line anyway.
    try {
      this.#disk.truncate(this.#fd, this.#bytes)
    } catch {}
    this.#underWay?.reject(poison)
    this.#rejectWaiting(poison)
  }

  #rejectWaiting(poison: Failure): void {
    for (const { reject } of this.#waiting.splice(0)) reject(poison)
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
