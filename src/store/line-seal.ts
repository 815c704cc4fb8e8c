import { crc32 } from 'node:zlib'

/** `,"sum":"01234567"}`: the checksum covers every byte of the line before it. */
const SEAL_LENGTH = 18
const SEAL_START = ',"sum":"'
const COMMA = 44

/** What closes the text of an object, and the line with it. */
export function sealOf(checksum: number): string {
  return `${SEAL_START}${checksum.toString(16).padStart(8, '0')}"}\n`
}

/** An object as a line with its checksum. */
export function sealedLine(value: object): string {
  const open = JSON.stringify(value).slice(0, -1)
  return open + sealOf(crc32(open))
}

/** Whether the bytes of a line are those that were written; false also for a line without a seal. */
export function sealHolds(line: Buffer): boolean {
  const body = line.length - SEAL_LENGTH
  if (body <= 0 || line[body] !== COMMA) return false
  const seal = line.toString('latin1', body)
  return (
    seal.startsWith(SEAL_START) &&
    crc32(line.subarray(0, body)) === Number.parseInt(seal.slice(SEAL_START.length, -2), 16)
  )
}
