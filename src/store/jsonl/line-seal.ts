import { crc32 } from 'node:zlib'

const SEAL_START = ',"sum":"'
const SEAL_END = '"}\n'
const DIGITS = 8
/** `,"sum":"01234567"}` and the end of the line: the checksum covers every byte of the line before it. */
export const SEAL_BYTES = SEAL_START.length + DIGITS + SEAL_END.length
const COMMA = 44

const FRAME = Buffer.from(`${SEAL_START}${'0'.repeat(DIGITS)}${SEAL_END}`)
const HEX = Buffer.from('0123456789abcdef')

/** Closes an object whose text ends at `at`, and the line with it. */
export function writeSeal(bytes: Buffer, at: number, checksum: number): void {
  for (let i = 0; i < SEAL_BYTES; i += 1) bytes[at + i] = FRAME[i] as number
  let rest = checksum
  for (let digit = at + SEAL_START.length + DIGITS - 1; digit >= at + SEAL_START.length; digit -= 1) {
    bytes[digit] = HEX[rest & 15] as number
    rest >>>= 4
  }
}

/** An object as a line with its checksum. */
export function sealedLine(value: object): string {
  const open = JSON.stringify(value).slice(0, -1)
  const checksum = crc32(open).toString(16).padStart(DIGITS, '0')
  return open + SEAL_START + checksum + SEAL_END
}

/** Whether the bytes of a line are those that were written; false also for a line without a seal. */
export function sealHolds(line: Buffer): boolean {
  // The end of the line is cut off.
  const body = line.length - SEAL_BYTES + 1
  if (body <= 0 || line[body] !== COMMA) return false
  const seal = line.toString('latin1', body)
  return (
    seal.startsWith(SEAL_START) &&
    crc32(line.subarray(0, body)) === Number.parseInt(seal.slice(SEAL_START.length, -2), 16)
  )
}
