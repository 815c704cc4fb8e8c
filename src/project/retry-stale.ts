import { Failure } from '../platform/failure.ts'

/**
 * Agents, people and the director change the same cases; a decision is repeated on the new state this often.
 */
const DECISIONS_MAX = 50

export const STALE = 'stale'

/**
 * The only loop around a decision that is committed on condition that nothing it read has changed. An attempt
 * reads, decides and commits; `STALE` makes it read again.
 */
export async function retryStale<T>(
  subject: string,
  attempt: () => Promise<T | typeof STALE>,
): Promise<Exclude<T, typeof STALE>> {
  for (let tried = 0; tried < DECISIONS_MAX; tried += 1) {
    const outcome = await attempt()
    if (outcome !== STALE) return outcome as Exclude<T, typeof STALE>
  }
  throw new Failure('STORE_BUSY', `${subject} changes too fast`, { hint: 'try again' })
}
