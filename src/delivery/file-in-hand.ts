import type { Case } from '../cases/case.ts'
import { taskMetadata } from '../cases/metadata.ts'
import type { DeliveryState } from './delivery-state.ts'
import { TRAITS } from './delivery-traits.ts'

/** A file that a task waits for, and the agent named as its holder. */
export type FileInHand = NonNullable<DeliveryState['file']>

/** Whether a task holds a file: its agent was named, or it is expected to change the file. */
export function hasInHand(
  { leases, metadata }: Pick<Case, 'leases' | 'metadata'>,
  { state }: Pick<DeliveryState, 'state'>,
  { path, holder }: FileInHand,
): boolean {
  if (!TRAITS[state].holdsFiles) return false
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
