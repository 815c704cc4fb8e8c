import { closeSync, openSync, readSync } from 'node:fs'
import { systemCode } from '../../platform/failure.ts'

export interface RawLine {
  /** Without the line break. Only valid until the next line is read. */
  readonly bytes: Buffer
  readonly number: number
  /** Offsets in the file; `end` is behind the line break, or −1 when there is none. */
  readonly start: number
  readonly end: number
}

const CHUNK_BYTES = 4 * 1024 * 1024

/** The lines of a file, in pieces, so that a file larger than the longest string can be read. */
export function* scanLines(path: string): Generator<RawLine> {
  const fd = openOrNothing(path)
  if (fd === undefined) return
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    let held: Buffer = Buffer.alloc(0)
    let offset = 0
    let number = 1
    for (let read = readSync(fd, chunk); read > 0; read = readSync(fd, chunk)) {
      const fresh = chunk.subarray(0, read)
      const text = held.length > 0 ? Buffer.concat([held, fresh]) : fresh
      let start = 0
      for (let at = text.indexOf(10); at >= 0; at = text.indexOf(10, start)) {
        yield { bytes: text.subarray(start, at), number, start: offset + start, end: offset + at + 1 }
        number += 1
        start = at + 1
      }
      held = Buffer.from(text.subarray(start))
      offset += start
    }
    if (held.length > 0) yield { bytes: held, number, start: offset, end: -1 }
  } finally {
    closeSync(fd)
  }
}

function openOrNothing(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}
