import type { CaseId, Stage } from '../../cases/case.ts'
import { titleOf } from '../../events/board.ts'
import { count, fields, isPublished, standingOf } from '../../events/task-standing.ts'
import type { Spend as KeptSpend } from '../../health/budgets/spend.ts'
import type { CaseRecord } from '../../store/store.ts'
import type { CaseSummary, Spend } from '../contract.ts'

const MICRO_USD = 1_000_000
const MS_PER_MINUTE = 60_000
/** A list shows no more than these; the case itself has all. */
const TAGS_MAX = 20

/** A case as lists, tree and board show it. */
export function summariseCase(
  record: CaseRecord,
  readyIds: ReadonlySet<CaseId>,
  spend: KeptSpend,
): CaseSummary {
  const { metadata, type } = record
  const standing = type === 'task' ? standingOf(record, readyIds) : undefined
  const { review = 0, audit = 0, landing = 0 } = standing?.rounds ?? {}
  return {
    id: record.id,
    type,
    status: record.status,
    title: titleOf(record),
    parentId: record.parentId,
    dependsOn: record.dependsOn ?? [],
    tags: (record.tags ?? []).slice(0, TAGS_MAX),
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    rev: record.rev,
    ready: readyIds.has(record.id),
    column: standing?.column ?? null,
    delivery: standing?.state ?? null,
    rework: review + audit + landing,
    holders: holdersOf(record),
    assignee: typeof metadata.assignee === 'string' ? metadata.assignee : null,
    retries: count(fields(metadata.execution).retryCount),
    published: isPublished(record),
    costUsd: spend.microUsd / MICRO_USD,
    cycle: record.cycle ?? null,
    held: record.held ?? null,
  }
}

export function showSpend({ tokens, microUsd, ms, runs }: KeptSpend): Spend {
  return { costUsd: microUsd / MICRO_USD, tokens, minutes: ms / MS_PER_MINUTE, runs }
}

function holdersOf({ leases = {} }: CaseRecord): CaseSummary['holders'] {
  return Object.fromEntries(
    Object.entries(leases).map(([stage, { holder }]) => [stage, holder] as [Stage, string]),
  )
}
