import { Failure } from '../platform/failure.ts'
import type { SprintGoal } from './document.ts'

const DURATION = /^(\d+(?:\.\d+)?)(s|m|h|d)$/
const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const DAY_MS = 86_400_000
const TIME_OF_DAY = /^([01]?\d|2[0-3]):([0-5]\d)$/

/** Reads what a person types after `--until`: `no-ready`, `count:N`, `duration:2h`, `time:18:00`. */
export function parseGoal(text: string, nowMs: number): SprintGoal {
  if (text === 'no-ready') return { kind: 'no-ready' }
  const [kind = '', ...rest] = text.split(':')
  const value = rest.join(':')
  if (kind === 'count' && /^[1-9]\d{0,8}$/.test(value)) return { kind: 'count', landings: Number(value) }
  if (kind === 'duration') {
    const [, number = '', unit = ''] = DURATION.exec(value) ?? []
    const ms = Number(number) * (UNIT_MS[unit] ?? 0)
    if (ms > 0 && ms < 365 * DAY_MS) return { kind: 'time', until: new Date(nowMs + ms).toISOString() }
  }
  if (kind === 'time') {
    const [, hours, minutes] = TIME_OF_DAY.exec(value) ?? []
    if (hours !== undefined && minutes !== undefined)
      return { kind: 'time', until: nextAt(Number(hours), Number(minutes), nowMs) }
  }
  throw new Failure('USAGE', `"${text}" is no goal of a sprint`, {
    hint: 'no-ready, count:5, duration:2h (s, m, h or d), or time:18:00',
  })
}

/** The next time that the local clock shows this hour. */
function nextAt(hours: number, minutes: number, nowMs: number): string {
  const at = new Date(nowMs)
  at.setHours(hours, minutes, 0, 0)
  return new Date(at.getTime() > nowMs ? at.getTime() : at.getTime() + DAY_MS).toISOString()
}
