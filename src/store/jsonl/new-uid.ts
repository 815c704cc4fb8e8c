import { randomBytes } from 'node:crypto'

const UID_DIGITS = 32
const UIDS_AT_ONCE = 256
let uids = ''
let used = 0

/**
 * Distinguishes two cases that were given the same id. Cut from a long random text: one call to the random
 * source per uid costs more than the rest of a small case.
 */
export function newUid(): string {
  if (used === uids.length) {
    uids = randomBytes((UIDS_AT_ONCE * UID_DIGITS) / 2).toString('hex')
    used = 0
  }
  used += UID_DIGITS
  return uids.slice(used - UID_DIGITS, used)
}
