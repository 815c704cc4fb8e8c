import type { Case } from '../cases/case.ts'
import { taskMetadata } from '../cases/metadata.ts'
import type { DeliveryState, DeliveryStateName } from './delivery-state.ts'

/** A file that somebody waits for, and the agent that is said to have it. */
export type FileInHand = NonNullable<DeliveryState['file']>

/**
 * Places in which a change is made or on its way to the target. A task that waits for a file itself is none of them:
 * two that wait for each other would wait until their time is up.
 */
const ON_THE_WAY: readonly DeliveryStateName[] = [
  'developing',
  'critique',
  'audit',
  'confirming',
  'person-review',
  'integrating',
  'consulting',
]

/** Whether a task has a file in hand: its agent was named, or it is expected to change it. */
export function hasInHand(
  { leases, metadata }: Pick<Case, 'leases' | 'metadata'>,
  { state }: Pick<DeliveryState, 'state'>,
  { path, holder }: FileInHand,
): boolean {
  if (!ON_THE_WAY.includes(state)) return false
  if (holder !== null && leases?.develop?.holder === holder) return true
  return (taskMetadata(metadata).fileHints ?? []).some((hint) => isSamePath(hint, path))
}

/** A hint may name a folder: everything in it is expected to change. */
function isSamePath(hint: string, path: string): boolean {
  const [a, b] = [plainPath(hint), plainPath(path)]
  return a === b || b.startsWith(`${a}/`)
}

function plainPath(path: string): string {
  return path.trim().replace(/^\.\//, '').replace(/\/+$/, '')
}
