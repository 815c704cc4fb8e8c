import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure, systemCode } from '../platform/failure.ts'

const DIGEST = /^[0-9a-f]{64}$/

/** Bytes kept by their SHA-256 digest: evidence, findings, prompts, transcripts. */
export class Blobs {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async put(bytes: Uint8Array): Promise<string> {
    const digest = createHash('sha256').update(bytes).digest('hex')
    const path = this.#pathOf(digest)
    if ((await this.get(digest)) !== undefined) return digest
    await mkdir(dirname(path), { recursive: true })
    const draft = `${path}.${randomBytes(4).toString('hex')}`
    try {
      const file = await open(draft, 'wx', 0o644)
      try {
        await file.writeFile(bytes)
        await file.datasync()
      } finally {
        await file.close()
      }
      await rename(draft, path)
      // Synced first: a case on disk must not name a blob that a crash lost.
      await Promise.all([syncFolder(dirname(path)), syncFolder(this.#folder)])
    } catch (error) {
      await rm(draft, { force: true })
      throw new Failure(
        'STORE_WRITE_FAILED',
        `a blob could not be written: ${error instanceof Error ? error.message : error}`,
        {
          hint: 'look at the disk, then try again',
          retryable: true,
          cause: error,
        },
      )
    }
    return digest
  }

  /** Undefined when there is no such blob, or when its bytes do not match the digest. */
  async get(digest: string): Promise<Uint8Array | undefined> {
    if (!DIGEST.test(digest)) return undefined
    try {
      const bytes = await readFile(this.#pathOf(digest))
      return createHash('sha256').update(bytes).digest('hex') === digest ? bytes : undefined
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined
      throw error
    }
  }

  #pathOf(digest: string): string {
    return join(this.#folder, digest.slice(0, 2), digest.slice(2))
  }
}

/** Asynchronous, because many blobs may be written at a time. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
