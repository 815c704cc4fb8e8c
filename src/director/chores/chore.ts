import type { Desk } from '../context.ts'
import type { Snapshot } from '../snapshot.ts'

/** Work for the whole project that comes up again and again. A new one is a file beside this and a line in `table.ts`. */
export interface Chore {
  /** Also its key: a chore never runs twice at once. */
  readonly name: string
  /** Whether the first decision of a director finds it wanted. */
  readonly isWantedAtStart?: boolean
  isDue(snapshot: Snapshot): boolean
  /** When it becomes due if nothing else happens; absent when only a change makes it due. */
  nextAt?(snapshot: Snapshot): number | undefined
  run(desk: Desk): Promise<void>
}

/** When a chore last ran; 0 when it never did. */
export function lastRunMs({ memory }: Pick<Snapshot, 'memory'>, name: string): number {
  return memory.ranAtMs[name] ?? 0
}

/** Whether something has asked for a chore since it last ran. */
export function isWanted({ memory }: Pick<Snapshot, 'memory'>, name: string): boolean {
  return memory.wanted.has(name)
}

/** A clock that was set back makes a chore due, instead of leaving it until the clock comes there again. */
export function hasPassed(
  snapshot: Pick<Snapshot, 'memory' | 'nowMs'>,
  name: string,
  everyMs: number,
): boolean {
  const lastMs = lastRunMs(snapshot, name)
  return snapshot.nowMs < lastMs || snapshot.nowMs - lastMs >= everyMs
}

/** Where the hands cannot do a chore at all, it is not asked about again. */
export const NEVER_AGAIN_MS = Number.POSITIVE_INFINITY
