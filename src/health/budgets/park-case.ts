import type { Case, Instant, Status } from '../../cases/case.ts'
import type { CaseCommand } from '../../cases/command.ts'
import type { Config } from '../../config/schema.ts'
import { budgetStanding, describeUse, type Use } from './budget-standing.ts'
import type { SpendIndex } from './spend-index.ts'

/** The metadata key that marks a case whose budget is spent, with the figures. */
export const PARKED_KEY = 'parked'

/** The metadata key that marks a case whose budget is nearly spent: people have been warned. */
export const PRESSED_KEY = 'pressed'

/** Statuses from which a case can be held, and to which it comes back. */
const HELD_FROM: readonly Status[] = ['pending', 'active']

/**
 * The commands that a budget causes for its case: it is parked with the figures when the budget is spent, and
 * resumed when the budget is raised or lifted. A task at work is parked only when its run has ended with the
 * current turn.
 */
export function parkCommands(
  subject: Case,
  spend: SpendIndex,
  budgets: Config['budgets'],
  now: Instant,
): CaseCommand[] {
  if (subject.status === 'done' || subject.deletedAt !== undefined) return []
  const standing = budgetStanding(spend, budgets, subject.id)
  const spent = standing.kind === 'hard' && standing.use.id === subject.id ? standing.use : undefined
  const parked = subject.metadata[PARKED_KEY]
  const isParked = typeof parked === 'object' && parked !== null
  if (spent && !isParked) return park(subject, spend, spent, now)
  if (standing.kind !== 'hard' && isParked) return takeUp(subject, parked)
  const pressed = standing.kind === 'soft' && standing.use.id === subject.id ? standing.use : undefined
  return warn(subject, pressed, standing.kind === 'within', now)
}

function warn({ id, metadata }: Case, use: Use | undefined, isWell: boolean, now: Instant): CaseCommand[] {
  const isWarned = metadata[PRESSED_KEY] !== undefined
  if (use && !isWarned) {
    const reason = `its budget is nearly spent: ${describeUse(use)}`
    return [{ kind: 'update', id, metadata: { [PRESSED_KEY]: { ...use, at: now } }, reason }]
  }
  if (!isWell || !isWarned) return []
  return [{ kind: 'update', id, metadata: { [PRESSED_KEY]: null }, reason: 'its budget was raised' }]
}

function park(subject: Case, spend: SpendIndex, use: Use, now: Instant): CaseCommand[] {
  const { id, type, status } = subject
  if (type === 'task' && isAtWork(subject)) return []
  const isHeld = HELD_FROM.includes(status) && !(type === 'task' && status === 'active')
  const evidence = { ...use, total: spend.totalOf(id), at: now, ...(isHeld ? { was: status } : {}) }
  const reason = `its budget is spent: ${describeUse(use)}`
  return [
    { kind: 'update', id, metadata: { [PARKED_KEY]: evidence }, reason },
    ...(isHeld ? [{ kind: 'move' as const, id, status: 'blocked' as const, reason }] : []),
  ]
}

/**
 * A developer keeps its claim through review without working; every other role holds a lease only while at
 * work.
 */
function isAtWork({ status, leases = {} }: Case): boolean {
  const { develop, ...others } = leases
  return Object.keys(others).length > 0 || (status === 'active' && develop !== undefined)
}

function takeUp({ id, status }: Case, parked: object): CaseCommand[] {
  const reason = 'its budget was raised'
  const was = 'was' in parked && HELD_FROM.find((known) => known === parked.was)
  return [
    { kind: 'update', id, metadata: { [PARKED_KEY]: null }, reason },
    ...(was && status === 'blocked' ? [{ kind: 'move' as const, id, status: was, reason }] : []),
  ]
}
