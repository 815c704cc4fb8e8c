import type { Signal } from '../signals/finding.ts'
import type { LiveRow } from './run-ports.ts'

const PERCENT = /\b(\d{1,3})\s*%/
const ACTIVITY_CHARACTERS_MAX = 120

/** What a signal of an agent at work changes on the screen: its progress and its current activity. */
export function rowOf(signal: Signal): Pick<LiveRow, 'progress' | 'activity'> | undefined {
  if (signal.name === 'PROGRESS') return { progress: Number(signal.payload) }
  if (signal.name !== 'CHECKPOINT') return undefined
  const { progress = '', activity = '' } = signal.body ?? {}
  const percent = Number(PERCENT.exec(progress)?.[1] ?? Number.NaN)
  const said = activity || progress
  return {
    ...(percent <= 100 ? { progress: percent } : {}),
    ...(said === '' ? {} : { activity: said.slice(0, ACTIVITY_CHARACTERS_MAX) }),
  }
}
