import type { CaseId } from './case.ts'

const DIGITS_MIN = 3
const DIGITS_MAX = 15
const [SMALL_A, SMALL_Z, ZERO, NINE] = [97, 122, 48, 57]

/** Three digits at least; more when the numbers need them. */
export function formatId(prefix: string, number: number): CaseId {
  return `${prefix}-${String(number).padStart(3, '0')}`
}

/** Small letters, a dash and a number. Read by hand: every case that is loaded or created passes here. */
export function parseId(id: string): { prefix: string; number: number } | undefined {
  const dash = id.indexOf('-')
  const digits = id.length - dash - 1
  if (dash < 1 || digits < DIGITS_MIN || digits > DIGITS_MAX) return undefined
  for (let at = 0; at < dash; at += 1) if (!isBetween(id.charCodeAt(at), SMALL_A, SMALL_Z)) return undefined
  let number = 0
  for (let at = dash + 1; at < id.length; at += 1) {
    const code = id.charCodeAt(at)
    if (!isBetween(code, ZERO, NINE)) return undefined
    number = number * 10 + code - ZERO
  }
  return { prefix: id.slice(0, dash), number }
}

function isBetween(code: number, first: number, last: number): boolean {
  return code >= first && code <= last
}

/** Orders ids by prefix, then by number: `task-999` stands before `task-1000`. */
export function compareIds(a: CaseId, b: CaseId): number {
  const left = parseId(a)
  const right = parseId(b)
  if (!left || !right) return a < b ? -1 : a > b ? 1 : 0
  if (left.prefix !== right.prefix) return left.prefix < right.prefix ? -1 : 1
  return left.number - right.number
}
