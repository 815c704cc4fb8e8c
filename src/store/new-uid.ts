import { randomBytes } from 'node:crypto'

const UID_DIGITS = 32
const UIDS_AT_ONCE = 256
let uids = ''

/**
 * What tells two cases apart that were given the same id. Cut from a long random text: asking for each by itself costs
 * more than all else about a small case.
 */
export function newUid(): string {
  if (uids.length < UID_DIGITS) uids = randomBytes((UIDS_AT_ONCE * UID_DIGITS) / 2).toString('hex')
  const uid = uids.slice(0, UID_DIGITS)
  uids = uids.slice(UID_DIGITS)
  return uid
}
