import type { Case, Instant } from '../cases/case.ts'

/** The key of a task's metadata that says from where its next run starts; taken off when it has. */
export const REWORK_KEY = 'rework'

export interface Rework {
  readonly option: 'fresh' | 'checkpoint'
  /** Where a checkpoint goes on from; the target for a fresh start. */
  readonly commit: string | null
  readonly at: Instant
}

/** What a person wished for the next run of a task; nothing when it simply goes on. */
export function reworkWish({ metadata }: Pick<Case, 'metadata'>): Rework | undefined {
  const wish = metadata[REWORK_KEY]
  if (typeof wish !== 'object' || wish === null || !('option' in wish)) return undefined
  return wish.option === 'fresh' || wish.option === 'checkpoint' ? (wish as Rework) : undefined
}
