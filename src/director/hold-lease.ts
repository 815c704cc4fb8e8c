import type { LeaseKey } from '../store/store.ts'
import { LEASE_MS } from './carry-out/claim-task.ts'
import type { RunWorld } from './run-world.ts'

const RENEWAL_MS = 20_000

export interface HeldLease extends AsyncDisposable {
  readonly isLost: boolean
}

/** Keeps a lease for as long as the block lasts; says so at once when it was lost to somebody else. */
export function holdLease(
  { store, clock }: Pick<RunWorld, 'store' | 'clock'>,
  lease: LeaseKey,
  onLost: () => void,
): HeldLease {
  const over = new AbortController()
  let isLost = false
  const keep = async (): Promise<void> => {
    for (;;) {
      await clock.sleepUntil(clock.now() + RENEWAL_MS, over.signal)
      if (over.signal.aborted) return
      const lost = await store.renew([lease], LEASE_MS)
      if (lost.length === 0) continue
      isLost = true
      onLost()
      return
    }
  }
  const keeping = keep()
  return {
    get isLost() {
      return isLost
    },
    [Symbol.asyncDispose]: () => {
      over.abort()
      return keeping
    },
  }
}
