import { randomBytes } from 'node:crypto'

const UID_DIGITS = 32
const UIDS_AT_ONCE = 256
let uids = ''
let used = 0

/**
 * What tells two cases apart that were given the same id. Cut from a long random text: asking for each by itself costs
 * more than all else about a small case.
 */
export function newUid(): string {
  if (used === uids.length) {
    uids = randomBytes((UIDS_AT_ONCE * UID_DIGITS) / 2).toString('hex')
    used = 0
  }
  used += UID_DIGITS
  return uids.slice(used - UID_DIGITS, used)
}
