import type { CaseType, Status } from './case.ts'

export const STATUS_SYMBOLS: Readonly<Record<Status, string>> = {
  pending: '→',
  active: '●',
  blocked: '⊗',
  done: '✓',
  failed: '✗',
  timeout: '⏱',
  review: '◐',
  outdated: '⚠',
  archived: '◌',
}

type Moves = Readonly<Partial<Record<Status, readonly Status[]>>>

const ORDINARY_MOVES: Moves = {
  pending: ['active', 'blocked'],
  active: ['pending', 'blocked', 'done'],
  blocked: ['pending', 'active'],
  done: [],
}

const TASK_MOVES: Moves = {
  pending: ['active', 'blocked'],
  active: ['pending', 'blocked', 'review', 'failed', 'timeout'],
  blocked: ['pending', 'active'],
  review: ['active', 'done', 'failed'],
  failed: ['pending'],
  timeout: ['pending'],
  done: [],
}

const DISCOVERY_MOVES: Moves = {
  active: ['outdated', 'archived'],
  outdated: ['active', 'archived'],
  archived: ['active'],
}

function movesOf(type: CaseType): Moves {
  if (type === 'task') return TASK_MOVES
  if (type === 'discovery') return DISCOVERY_MOVES
  return ORDINARY_MOVES
}

/** The statuses that a case of this type can have at all. */
export function statusesOf(type: CaseType): Status[] {
  return Object.keys(movesOf(type)) as Status[]
}

/** Where a case of this type can go from this status. */
export function movesFrom(type: CaseType, status: Status): readonly Status[] {
  return movesOf(type)[status] ?? []
}

export function firstStatus(type: CaseType): Status {
  return type === 'discovery' ? 'active' : 'pending'
}
