import type { Case, Instant } from '../cases/case.ts'

/** The metadata key of a task for the start of its next run; removed when that run has started. */
export const REWORK_KEY = 'rework'

export interface Rework {
  readonly option: 'fresh' | 'checkpoint'
  /** The commit of a checkpoint to continue from; null for a fresh start from the target. */
  readonly commit: string | null
  readonly at: Instant
}

/** A person's wish for the next run of a task; undefined when it simply continues. */
export function reworkWish({ metadata }: Pick<Case, 'metadata'>): Rework | undefined {
  const wish = metadata[REWORK_KEY]
  if (typeof wish !== 'object' || wish === null || !('option' in wish)) return undefined
  return wish.option === 'fresh' || wish.option === 'checkpoint' ? (wish as Rework) : undefined
}
