import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemCode } from '../failure.ts'

const CHUNK_BYTES = 64 * 1024
const LINE_FEED = 0x0a
/** Interval at which a growing file is polled. */
const LOOK_EVERY_MS = 200

/**
 * The offset at which the last `lines` lines begin; the file is read from its end, no further than needed.
 */
export async function findTail(path: string, lines: number): Promise<number> {
  await using file = await openPlain(path)
  if (lines <= 0) return (await file.stat()).size
  let end = (await file.stat()).size
  let wanted = lines
  let isLast = true
  while (end > 0) {
    const start = Math.max(0, end - CHUNK_BYTES)
    const chunk = await readBytes(file, start, end)
    for (let at = chunk.length - 1; at >= 0; at -= 1) {
      if (chunk[at] !== LINE_FEED) continue
      // The line feed at the end of the file starts no further line.
      const endsFile = isLast && at === chunk.length - 1
      if (endsFile) continue
      wanted -= 1
      if (wanted === 0) return start + at + 1
    }
    isLast = false
    end = start
  }
  return 0
}

/** The bytes of a file between two offsets, in chunks; offsets past its end yield nothing. */
export async function* readRange(path: string, from: number, to: number): AsyncGenerator<Buffer> {
  await using file = await openPlain(path)
  const end = Math.min(to, (await file.stat()).size)
  for (let at = from; at < end; ) {
    const chunk = await readBytes(file, at, Math.min(end, at + CHUNK_BYTES))
    if (chunk.length === 0) return
    at += chunk.length
    yield chunk
  }
}

/**
 * Everything in a file from an offset on, and what is appended to it, until the signal is aborted. A file
 * that is replaced or truncated (a rotated log) is read again from its start; one that does not exist yet is
 * waited for.
 */
export async function* followFile(path: string, from: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  let at = from
  let identity: number | undefined
  while (!signal.aborted) {
    const file = await openPlain(path).catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return undefined
      throw error
    })
    if (file) {
      await using held = file
      const { ino, size } = await held.stat()
      if (identity !== undefined && (ino !== identity || size < at)) at = 0
      identity = ino
      while (at < size && !signal.aborted) {
        const chunk = await readBytes(held, at, Math.min(size, at + CHUNK_BYTES))
        if (chunk.length === 0) break
        at += chunk.length
        yield chunk
      }
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
}

async function readBytes(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const bytes = Buffer.alloc(to - from)
  const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
  return bytes.subarray(0, bytesRead)
}

/** A link or a pipe in a project's folder is untrusted: a link is not followed, a pipe is not waited for. */
function openPlain(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
}
