import type { Case, CaseId, Instant } from '../cases/case.ts'
import { type AgentCard, foldAgents } from './agent-grid.ts'
import { type Board, foldBoard } from './board.ts'
import { type CostSummary, foldCost } from './cost.ts'
import { foldInbox } from './inbox.ts'
import type { InboxEntry } from './inbox-entry.ts'
import { foldQueue, type QueueEntry } from './landing-queue.ts'
import type { LiveRow } from './live-row.ts'
import { fields, isPublished } from './task-standing.ts'
import type { TimelineEntry } from './timeline.ts'

/** What `status`, `watch` and the API show about a project. Plain data. */
export interface Summary {
  readonly at: Instant
  readonly project: ProjectStanding
  /** Cases by type, then by status. */
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly tasks: {
    readonly total: number
    readonly done: number
    readonly failed: number
    /** Landed, and not on the user's own branch yet. */
    readonly unpublished: number
  }
  readonly board: Board
  readonly agents: readonly AgentCard[]
  readonly queue: readonly QueueEntry[]
  readonly inbox: readonly InboxEntry[]
  readonly cost: CostSummary
  readonly discoveries: number
  readonly timeline: readonly TimelineEntry[]
}

export interface ProjectStanding {
  readonly mode: string
  readonly paused: string | null
}

export interface SummaryInput {
  readonly now: Instant
  readonly cases: readonly Case[]
  readonly readyIds: readonly CaseId[]
  readonly live?: readonly LiveRow[]
  /** The value of the store's document `project`, as it stands. */
  readonly project?: unknown
  readonly timeline?: readonly TimelineEntry[]
}

export function summarise(input: SummaryInput): Summary {
  const cases = input.cases.filter(({ deletedAt }) => deletedAt === undefined)
  const counts = countCases(cases)
  const tasks = counts.task ?? {}
  return {
    at: input.now,
    project: projectStanding(input.project),
    counts,
    tasks: {
      total: Object.values(tasks).reduce((sum, number) => sum + number, 0),
      done: tasks.done ?? 0,
      failed: (tasks.failed ?? 0) + (tasks.timeout ?? 0),
      unpublished: cases.filter((subject) => isPublished(subject) === false).length,
    },
    board: foldBoard(cases, new Set(input.readyIds)),
    agents: foldAgents(cases, input.live ?? []),
    queue: foldQueue(cases),
    inbox: foldInbox(cases),
    cost: foldCost(cases),
    discoveries: counts.discovery?.active ?? 0,
    timeline: input.timeline ?? [],
  }
}

function countCases(cases: readonly Case[]): Record<string, Record<string, number>> {
  const counts: Record<string, Record<string, number>> = {}
  for (const { type, status } of cases) {
    const row = counts[type] ?? {}
    row[status] = (row[status] ?? 0) + 1
    counts[type] = row
  }
  return counts
}

/** A project whose director never ran has no document. */
function projectStanding(value: unknown): ProjectStanding {
  const { mode, pause } = fields(value)
  const { reason } = fields(pause)
  return {
    mode: typeof mode === 'string' ? mode : 'semi-auto',
    paused: typeof reason === 'string' ? reason : null,
  }
}
