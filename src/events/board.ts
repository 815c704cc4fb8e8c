import type { Case, CaseId, Instant } from '../cases/case.ts'
import { compareIds } from '../cases/ids.ts'
import { taskMetadata } from '../cases/metadata.ts'
import { COLUMNS, type Column, standingOf } from './task-standing.ts'

/** One task as a board shows it. */
export interface TaskCard {
  readonly id: CaseId
  readonly title: string
  readonly operation: CaseId | null
  readonly column: Column
  readonly state: string
  readonly since: Instant
  readonly iterations: number
  readonly retries: number
  /** How often it was sent back, by stage. */
  readonly rework: { readonly review: number; readonly audit: number; readonly landing: number }
  readonly agents: readonly string[]
  readonly tags: readonly string[]
}

export type Board = Readonly<Record<Column, readonly TaskCard[]>>

const TITLE_CHARACTERS_MAX = 120

/** Every live task in its column, each column in the order of ids. */
export function foldBoard(cases: Iterable<Case>, readyIds: ReadonlySet<CaseId>): Board {
  const board = Object.fromEntries(COLUMNS.map((column) => [column, [] as TaskCard[]])) as Record<
    Column,
    TaskCard[]
  >
  for (const subject of cases) {
    if (subject.type !== 'task' || subject.deletedAt !== undefined) continue
    const card = cardOf(subject, readyIds)
    board[card.column].push(card)
  }
  for (const cards of Object.values(board)) cards.sort((a, b) => compareIds(a.id, b.id))
  return board
}

export function titleOf({ content }: Pick<Case, 'content'>): string {
  return (content.split('\n', 1)[0] ?? '').slice(0, TITLE_CHARACTERS_MAX)
}

function cardOf(task: Case, readyIds: ReadonlySet<CaseId>): TaskCard {
  const { column, state, since, rounds } = standingOf(task, readyIds)
  const { execution } = taskMetadata(task.metadata)
  return {
    id: task.id,
    title: titleOf(task),
    operation: task.parentId,
    column,
    state,
    since,
    iterations: execution?.iterations ?? 0,
    retries: execution?.retryCount ?? 0,
    rework: rounds,
    agents: Object.values(task.leases ?? {}).map(({ holder }) => holder),
    tags: task.tags ?? [],
  }
}
