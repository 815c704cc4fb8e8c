import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { findTail, followFile, readRange } from '../../../platform/files/tail-file.ts'
import { LineFramer } from '../../../platform/process/line-framer.ts'
import type { LogFile } from './find-logs.ts'

/** Longer lines are left out: they are unreadable in a terminal, and the file still holds them. */
const LINE_BYTES_MAX = 1024 * 1024

/** The last `count` lines of several logs, oldest first; only as much is read as is shown. */
export async function* lastLines(logs: readonly LogFile[], count: number): AsyncGenerator<string> {
  const pieces: { log: LogFile; from: number }[] = []
  let wanted = count
  for (const log of logs.toReversed()) {
    if (wanted <= 0) break
    const from = log.isCompressed ? 0 : await findTail(log.path, wanted)
    pieces.unshift({ log, from })
    // `from` > 0 means that this log alone has enough lines. The lines of a compressed log must be counted.
    wanted = from > 0 ? 0 : wanted - (await countLines(log, from))
  }
  for (const { log, from } of pieces) {
    if (!log.isCompressed) yield* framed(readRange(log.path, from, Number.POSITIVE_INFINITY))
    else yield* lastOf(framed(unzipped(log.path)), count)
  }
}

async function countLines(log: LogFile, from: number): Promise<number> {
  let lines = 0
  const bytes = log.isCompressed ? unzipped(log.path) : readRange(log.path, from, Number.POSITIVE_INFINITY)
  for await (const _ of framed(bytes)) lines += 1
  return lines
}

async function* lastOf(lines: AsyncIterable<string>, count: number): AsyncGenerator<string> {
  const kept: string[] = []
  for await (const line of lines) {
    kept.push(line)
    if (kept.length > count) kept.shift()
  }
  yield* kept
}

export function rangeOf(log: LogFile, from: number, to: number): AsyncGenerator<string> {
  return framed(log.isCompressed ? unzipped(log.path) : readRange(log.path, from, to))
}

export function follow(log: LogFile, from: number, signal: AbortSignal): AsyncGenerator<string> {
  return framed(followFile(log.path, from, signal))
}

async function* unzipped(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path).pipe(createGunzip()) as AsyncIterable<Buffer>
}

async function* framed(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const framer = new LineFramer(LINE_BYTES_MAX)
  for await (const chunk of bytes) for (const line of framer.push(chunk)) yield line.toString('utf8')
  for (const line of framer.flush()) yield line.toString('utf8')
}
