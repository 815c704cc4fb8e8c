import type { CaseId } from './case.ts'

const DIGITS_MIN = 3
const DIGITS_MAX = 15
const [SMALL_A, SMALL_Z, ZERO, NINE, DASH] = [97, 122, 48, 57, 45]

/** Three digits at least; more when the numbers need them. */
export function formatId(prefix: string, number: number): CaseId {
  return `${prefix}-${String(number).padStart(3, '0')}`
}

/** Lower-case letters, a dash and a number. Parsed by hand: every loaded or created case passes here. */
export function parseId(id: string): { prefix: string; number: number } | undefined {
  const dash = id.indexOf('-')
  if (dash < 1) return undefined
  for (let at = 0; at < dash; at += 1) if (!isBetween(id.charCodeAt(at), SMALL_A, SMALL_Z)) return undefined
  const number = readNumber(id, dash + 1)
  return number === undefined ? undefined : { prefix: id.slice(0, dash), number }
}

/** The number of an id that begins with this prefix; undefined for any other. */
export function numberAfter(prefix: string, id: string): number | undefined {
  if (id.charCodeAt(prefix.length) !== DASH || !id.startsWith(prefix)) return undefined
  return readNumber(id, prefix.length + 1)
}

function readNumber(id: string, start: number): number | undefined {
  const digits = id.length - start
  if (digits < DIGITS_MIN || digits > DIGITS_MAX) return undefined
  let number = 0
  for (let at = start; at < id.length; at += 1) {
    const code = id.charCodeAt(at)
    if (!isBetween(code, ZERO, NINE)) return undefined
    number = number * 10 + code - ZERO
  }
  return number
}

function isBetween(code: number, first: number, last: number): boolean {
  return code >= first && code <= last
}

/** Orders ids by prefix, then by number: `task-999` comes before `task-1000`. */
export function compareIds(a: CaseId, b: CaseId): number {
  const left = parseId(a)
  const right = parseId(b)
  if (!left || !right) return a < b ? -1 : a > b ? 1 : 0
  if (left.prefix !== right.prefix) return left.prefix < right.prefix ? -1 : 1
  return left.number - right.number
}
