import type { Case } from '../cases/case.ts'
import { type ReadDelivery, readDelivery, statusOf } from '../delivery/delivery-state.ts'

/**
 * Where a task stands. A person who makes it pending by hand, whatever it was doing, puts it back to the beginning;
 * what was counted and found so far stays with it.
 */
export function readStanding(task: Pick<Case, 'metadata' | 'status'>): ReadDelivery {
  const read = readDelivery(task)
  if (read.kind === 'unreadable' || task.status !== 'pending') return read
  const { delivery } = read
  if (statusOf(delivery.state, delivery.resume) === 'pending') return read
  return { kind: 'read', delivery: { ...delivery, state: 'queued', resume: [], wait: null, request: null } }
}
