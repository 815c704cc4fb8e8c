import type { Desk } from '../context.ts'
import type { Snapshot } from '../snapshot.ts'
import { planBatches } from './choose-landings.ts'
import type { QueueBoard } from './queue-board.ts'

const BATCHES_SHOWN_MAX = 20

/** Shows other processes the queue; a landed batch is no longer being checked. */
export async function showQueue(desk: Desk, moment?: 'landed'): Promise<void> {
  await desk.means.hands.showQueue?.(boardOf(desk.snapshot(), moment === 'landed'))
}

export function boardOf(snapshot: Snapshot, isBatchOver = false): QueueBoard {
  const effect = isBatchOver ? undefined : snapshot.atWork.get('land')?.effect
  const now = effect?.kind === 'land' ? effect.entries.map((entry) => entry.task) : undefined
  const planned = planBatches(snapshot, BATCHES_SHOWN_MAX)
    .map((batch) => batch.map((entry) => entry.task).filter((id) => !now?.includes(id)))
    .filter((batch) => batch.length > 0)
  return {
    at: new Date(snapshot.nowMs).toISOString(),
    isChecking: now !== undefined,
    batches: now ? [now, ...planned] : planned,
    weather: snapshot.memory.weather,
  }
}
