import type { Desk } from '../context.ts'
import type { Snapshot } from '../snapshot.ts'

/** Recurring work for the whole project. A new chore is a file beside this one and a line in `table.ts`. */
export interface Chore {
  /** Also its key: a chore never runs twice at once. */
  readonly name: string
  /** Whether it is wanted at the first decision of a director. */
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

/** Whether the chore was requested since it last ran. */
export function isWanted({ memory }: Pick<Snapshot, 'memory'>, name: string): boolean {
  return memory.wanted.has(name)
}

/**
 * A clock that was set back makes a chore due, instead of leaving it until the clock reaches that time again.
 */
export function hasPassed(
  snapshot: Pick<Snapshot, 'memory' | 'nowMs'>,
  name: string,
  everyMs: number,
): boolean {
  const lastMs = lastRunMs(snapshot, name)
  return snapshot.nowMs < lastMs || snapshot.nowMs - lastMs >= everyMs
}

/** The last run of a chore that the hands cannot do: it never becomes due again. */
export const NEVER_AGAIN_MS = Number.POSITIVE_INFINITY
