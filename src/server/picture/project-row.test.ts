import { describe, expect, it } from 'vitest'
import { quietOf } from './project-row.ts'

const NOON = new Date(2026, 0, 5, 12, 0).getTime()
const NIGHT = new Date(2026, 0, 5, 23, 0).getTime()
const MORNING = new Date(2026, 0, 6, 7, 0).toISOString()
const HOURS = { from: '22:00', to: '07:00' }
const idle = { slotsUsed: 0, waits: [] }
const calm = { repairLedBy: null }
const quota = (hours: number) => ({
  reason: 'the quota is spent',
  untilMs: NOON + hours * 3_600_000,
})

describe('why no new work starts', () => {
  it.each([
    ['nothing keeps it', calm, idle, NOON, null],
    [
      'a repair',
      { repairLedBy: 'task-001' },
      idle,
      NOON,
      { reason: 'the environment is being repaired for task-001', until: null },
    ],
    ['quiet hours', calm, idle, NIGHT, { reason: 'quiet hours, from 22:00 to 07:00', until: MORNING }],
    [
      'a quota that one agent waits for',
      calm,
      { slotsUsed: 0, waits: [quota(2)] },
      NOON,
      {
        reason: 'the agent at work waits: the quota is spent',
        until: new Date(quota(2).untilMs).toISOString(),
      },
    ],
    [
      'a quota that all wait for, until the first of them wakes',
      calm,
      { slotsUsed: 0, waits: [quota(3), quota(2)] },
      NOON,
      {
        reason: 'all 2 agents at work wait: the quota is spent',
        until: new Date(quota(2).untilMs).toISOString(),
      },
    ],
    ['not that one of several waits', calm, { slotsUsed: 1, waits: [quota(2)] }, NOON, null],
  ])('%s', (_, project, counts, nowMs, quiet) => {
    expect(quietOf(project, HOURS, counts, nowMs)).toEqual(quiet)
  })
})
