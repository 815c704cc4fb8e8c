import type { Case } from '../cases/case.ts'
import { type ReadDelivery, readDelivery } from '../delivery/delivery-state.ts'
import { statusOf } from '../delivery/delivery-traits.ts'

/** The metadata key of a task for the fence under which delivery knows its developer. */
export const CLAIMED_KEY = 'claimed'

/**
 * The delivery state of a task. A task that a person made pending, blocked or claimed by hand starts over
 * from any state; its counts and findings are kept.
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
