import type { Case, CaseId, HistoryEntry, Status } from '../cases/case.ts'

export type StateEventType =
  | 'case:created'
  | 'case:updated'
  | 'case:deleted'
  | 'case:transitioned'
  | 'case:split'
  | 'case:claimed'
  | 'case:released'
  | 'case:completed'
  | 'case:blocked'
  | 'case:deferred'
  | 'case:discovery_created'
  | 'case:discovery_outdated'

/** One thing that happened to one case. */
export interface StateEvent {
  readonly type: StateEventType
  readonly id: CaseId
  readonly at: string
  readonly by: string
  readonly case: Case
  readonly reason: string
}

/**
 * The events of a change, derived from the case before and after, so that they can never disagree with it.
 * Every change gives at least one.
 */
export function deriveEvents(
  before: Case | undefined,
  after: Case,
  entries: readonly HistoryEntry[],
): StateEvent[] {
  const types = eventTypes(before, after, entries)
  const last = entries.at(-1)
  return types.map((type) => ({
    type,
    id: after.id,
    at: after.updatedAt,
    by: last?.actor ?? 'system',
    case: after,
    reason: last?.reason ?? '',
  }))
}

function eventTypes(
  before: Case | undefined,
  after: Case,
  entries: readonly HistoryEntry[],
): StateEventType[] {
  if (!before) {
    return after.type === 'discovery' ? ['case:created', 'case:discovery_created'] : ['case:created']
  }
  if (before.deletedAt === undefined && after.deletedAt !== undefined) return ['case:deleted']
  const types: StateEventType[] = []
  if (before.type !== after.type)
    types.push(after.type === 'deferred' ? 'case:deferred' : 'case:transitioned')
  if (entries.some(({ type }) => type === 'split')) types.push('case:split')
  types.push(...leaseEvents(before, after))
  if (before.status !== after.status) types.push(...statusEvents(after.status))
  return types.length > 0 ? types : ['case:updated']
}

/** Which stages gained or lost a holder; a lease that passed to another fence is a new claim. */
function leaseEvents(before: Case, after: Case): StateEventType[] {
  const held = new Map(Object.entries(before.leases ?? {}))
  const claims: StateEventType[] = []
  for (const [stage, lease] of Object.entries(after.leases ?? {})) {
    if (held.get(stage)?.fence !== lease.fence) claims.push('case:claimed')
    held.delete(stage)
  }
  return held.size > 0 ? [...claims, 'case:released'] : claims
}

function statusEvents(status: Status): StateEventType[] {
  switch (status) {
    case 'done':
      return ['case:completed']
    case 'blocked':
      return ['case:blocked']
    case 'outdated':
      return ['case:discovery_outdated']
    default:
      return []
  }
}
