import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface LogLimits {
  readonly fileBytesMax: number
  /** Old files are kept as `name.1`, `name.2`, …; the oldest is deleted. */
  readonly filesMax: number
}

export const LOG_LIMITS: LogLimits = { fileBytesMax: 8 * 1024 * 1024, filesMax: 4 }

/** Chunks that arrive during a write are written together; beyond this size the writer waits. */
const PENDING_BYTES_MAX = 1024 * 1024

/** A log file that never grows past its cap and never holds more than one write's worth of memory. */
export class RotatingLog implements AsyncDisposable {
  readonly #path: string
  readonly #limits: LogLimits
  #file: FileHandle | undefined
  #fileBytes = 0
  #pending: Buffer[] = []
  #pendingBytes = 0
  #flushing: Promise<void> | undefined
  #error: unknown

  private constructor(path: string, limits: LogLimits) {
    this.#path = path
    this.#limits = limits
  }

  static async open(path: string, limits: LogLimits = LOG_LIMITS): Promise<RotatingLog> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const log = new RotatingLog(path, limits)
    await log.#openFile()
    return log
  }

  /** Resolves at once while little is pending, and after a flush when the disk is slower than the writer. */
  async write(chunk: Buffer): Promise<void> {
    // A log that cannot be written (a full disk) must not stop the agent; `close` throws the error.
    if (this.#error !== undefined || chunk.length === 0) return
    this.#pending.push(chunk)
    this.#pendingBytes += chunk.length
    this.#flushing ??= this.#flush()
    if (this.#pendingBytes > PENDING_BYTES_MAX) await this.#flushing
  }

  /** Everything written is in the file. @throws the first error of a write */
  async close(): Promise<void> {
    await this.#flushing
    await this.#file?.close()
    this.#file = undefined
    if (this.#error !== undefined) throw this.#error
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close().catch(() => {})
  }

  async #flush(): Promise<void> {
    try {
      while (this.#pending.length > 0) {
        const chunk = Buffer.concat(this.#pending)
        this.#pending = []
        this.#pendingBytes = 0
        await this.#append(chunk)
      }
    } catch (error) {
      this.#error = error
      this.#pending = []
      this.#pendingBytes = 0
    } finally {
      this.#flushing = undefined
    }
  }

  async #append(chunk: Buffer): Promise<void> {
    for (let from = 0; from < chunk.length; ) {
      if (this.#fileBytes >= this.#limits.fileBytesMax) await this.#rotate()
      const room = this.#limits.fileBytesMax - this.#fileBytes
      const piece = chunk.subarray(from, from + room)
      await this.#file?.appendFile(piece)
      this.#fileBytes += piece.length
      from += piece.length
    }
  }

  async #rotate(): Promise<void> {
    await this.#file?.close()
    for (let number = this.#limits.filesMax - 1; number >= 1; number -= 1) {
      const older = number === 1 ? this.#path : `${this.#path}.${number - 1}`
      await rename(older, `${this.#path}.${number}`).catch(() => {})
    }
    if (this.#limits.filesMax === 1) await rm(this.#path, { force: true })
    await this.#openFile()
  }

  async #openFile(): Promise<void> {
    this.#file = await open(this.#path, 'a', 0o600)
    this.#fileBytes = (await this.#file.stat()).size
  }
}
