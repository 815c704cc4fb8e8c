import type { Case } from '../../cases/case.ts'
import { type DeliveryState, readDelivery } from '../../delivery/delivery-state.ts'
import { readLanding } from '../../integration/landing-record.ts'

/** The commit that lands for a task: what was reviewed, or the merge of it that settled a conflict. */
export function sourceOf(task: Case, { state, commit, repairCommit }: DeliveryState): string | undefined {
  if (state === 'repair-landing') return repairCommit ?? undefined
  if (commit === null) return undefined
  return readLanding(task, commit).resolution?.commit ?? commit
}

/** The claim under which the work was made; it is kept while the work is reviewed and landed. */
export function entryFence(task: Case): number {
  return task.leases?.develop?.fence ?? task.fence ?? 0
}

/** When it entered the queue: the time of the last verdict. */
export function sinceOf(task: Case): string {
  const read = readDelivery(task)
  return (read.kind === 'read' ? read.delivery.verdicts.at(-1)?.at : undefined) ?? task.updatedAt
}
