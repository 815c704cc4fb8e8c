import type { CaseId } from './case.ts'

const ID = /^([a-z]+)-(\d{3,15})$/

/** Three digits at least; more when the numbers need them. */
export function formatId(prefix: string, number: number): CaseId {
  return `${prefix}-${String(number).padStart(3, '0')}`
}

export function parseId(id: string): { prefix: string; number: number } | undefined {
  const match = ID.exec(id)
  return match ? { prefix: match[1] ?? '', number: Number(match[2]) } : undefined
}

/** Orders ids by prefix, then by number: `task-999` stands before `task-1000`. */
export function compareIds(a: CaseId, b: CaseId): number {
  const left = parseId(a)
  const right = parseId(b)
  if (!left || !right) return a < b ? -1 : a > b ? 1 : 0
  if (left.prefix !== right.prefix) return left.prefix < right.prefix ? -1 : 1
  return left.number - right.number
}
