import { FORECAST, isLookDue, nextLookMs } from '../land/forecast-due.ts'
import { showQueue } from '../land/show-queue.ts'
import type { Chore } from './chore.ts'

/** Merges live work in pairs, in memory, to find which pairs would conflict. */
export const forecastConflicts: Chore = {
  name: FORECAST,
  isDue: isLookDue,
  nextAt: nextLookMs,
  async run(desk) {
    const { lookAtWeather } = desk.means.hands
    if (lookAtWeather) desk.remember({ weather: await lookAtWeather() })
    else desk.retire(FORECAST)
    await showQueue(desk)
  },
}
