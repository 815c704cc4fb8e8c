import type { Checkpoint } from './checkpoint.ts'

const DAY_MS = 86_400_000
/** The newest checkpoints stay at any age, so that the last steps can always be rolled back. */
const NEWEST_KEPT = 3

/** The checkpoints to delete: too many or too old, never one that a person named. */
export function chooseExpired(
  checkpoints: readonly Checkpoint[],
  { max, retentionDays }: { readonly max: number; readonly retentionDays: number },
  nowMs: number,
): Checkpoint[] {
  const newestFirst = checkpoints.toSorted((a, b) => b.at.localeCompare(a.at))
  const free = newestFirst.slice(NEWEST_KEPT).filter(({ isNamed }) => !isNamed)
  const kept = newestFirst.length - free.length
  return free.filter(({ at }, i) => kept + i >= max || nowMs - Date.parse(at) > retentionDays * DAY_MS)
}
