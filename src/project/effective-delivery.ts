import type { Case } from '../cases/case.ts'
import { type ReadDelivery, readDelivery, statusOf } from '../delivery/delivery-state.ts'

/** The key of a task's metadata with the fence under which delivery knows its developer. */
export const CLAIMED_KEY = 'claimed'

/**
 * Where a task stands. Somebody who makes it pending by hand, blocks it, or claims it by hand, puts it back to the
 * beginning, whatever it was doing; what was counted and found so far stays with it.
 */
export function readEffectiveDelivery(task: Pick<Case, 'metadata' | 'status' | 'leases'>): ReadDelivery {
  const read = readDelivery(task)
  if (read.kind === 'unreadable' || !isByHand(task, statusOf(read.delivery.state, read.delivery.resume)))
    return read
  return {
    kind: 'read',
    delivery: { ...read.delivery, state: 'queued', resume: [], wait: null, request: null },
  }
}

function isByHand({ status, leases, metadata }: Pick<Case, 'metadata' | 'status' | 'leases'>, known: string) {
  if (status === 'pending' || status === 'blocked') return known !== status
  return status === 'active' && (known !== 'active' || leases?.develop?.fence !== metadata[CLAIMED_KEY])
}
