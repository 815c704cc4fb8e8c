import { createHash } from 'node:crypto'
import { lstatSync, lutimesSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'

/** How much older than the index the files are made. Any time of an earlier second would do. */
const AGE_MS = 10_000
const FILES_IN_A_ROW_MAX = 200

const HEADER_BYTES = 12
const STAT_BYTES = 40
const MODE_AT = 24
const GITLINK = 0o160000
const NAME_LENGTH_MASK = 0xfff
const EXTENDED = 0x4000

/**
 * Makes the files of a fresh checkout older than its index. Git cannot see whether a file was changed in the
 * second of the checkout; so it reads every such file again, and, where it may not touch the borrowed
 * objects, writes them all again at the first `git add`.
 *
 * Git wrote the index; only the times and owners recorded for each file are updated.
 */
export async function settleCheckout(workTree: string, gitDir: string): Promise<void> {
  const file = join(gitDir, 'index')
  const index = await readFile(file)
  const hash = index.length >= HEADER_BYTES ? hashOf(index) : undefined
  // An unknown index format only loses the time saved here.
  if (hash === undefined || ![2, 3].includes(index.readUInt32BE(4))) return
  const root = Buffer.from(`${workTree}/`)
  // By the clock of the file system, because git compares with that one.
  const atSeconds = (lstatSync(file).mtimeMs - AGE_MS) / 1_000
  let at = HEADER_BYTES
  for (let count = index.readUInt32BE(8); count > 0; count -= 1) {
    const name = nameAt(index, at, hash.bytes)
    if (index.readUInt32BE(at + MODE_AT) !== GITLINK) {
      const path = Buffer.concat([root, name.bytes])
      lutimesSync(path, atSeconds, atSeconds)
      noteStat(index, at, path)
    }
    at = name.entryEnd
    if (count % FILES_IN_A_ROW_MAX === 0) await breathe()
  }
  const body = index.subarray(0, index.length - hash.bytes)
  createHash(hash.name).update(body).digest().copy(index, body.length)
  await writeFile(file, index)
}

/** The index ends with a hash of itself, whose length is also that of the object names in it. */
function hashOf(index: Buffer): { name: string; bytes: number } | undefined {
  const known = [
    { name: 'sha1', bytes: 20 },
    { name: 'sha256', bytes: 32 },
  ]
  return known.find(({ name, bytes }) => {
    const end = index.length - bytes
    return createHash(name).update(index.subarray(0, end)).digest().equals(index.subarray(end))
  })
}

/** Entries are padded with zero bytes, at least one, to a multiple of eight. */
function nameAt(index: Buffer, at: number, hashBytes: number): { bytes: Buffer; entryEnd: number } {
  const flagsAt = at + STAT_BYTES + hashBytes
  const flags = index.readUInt16BE(flagsAt)
  const begin = flagsAt + ((flags & EXTENDED) === 0 ? 2 : 4)
  const length = flags & NAME_LENGTH_MASK
  const end = length < NAME_LENGTH_MASK ? begin + length : index.indexOf(0, begin + length)
  return { bytes: index.subarray(begin, end), entryEnd: at + (Math.floor((end - at) / 8) + 1) * 8 }
}

/** As git notes them: change time, time of the content, device, number, (mode), user, group, size, each in 32 bits. */
function noteStat(index: Buffer, at: number, path: Buffer): void {
  const found = lstatSync(path, { bigint: true })
  const time = (ns: bigint): bigint[] => [ns / 1_000_000_000n, ns % 1_000_000_000n]
  const before = [...time(found.ctimeNs), ...time(found.mtimeNs), found.dev, found.ino]
  const after = [found.uid, found.gid, found.size]
  for (const [i, value] of before.entries()) writeWord(index, at + i * 4, value)
  for (const [i, value] of after.entries()) writeWord(index, at + MODE_AT + 4 + i * 4, value)
}

function writeWord(index: Buffer, at: number, value: bigint): void {
  index.writeUInt32BE(Number(BigInt.asUintN(32, value)), at)
}
