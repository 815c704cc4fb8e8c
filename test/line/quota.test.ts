import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { CaseCommand } from '../../src/cases/command.ts'
import { QuotaQueue } from '../../src/director/agents/quota-queue.ts'
import { RunControl } from '../../src/runs/run-control.ts'
import type { Role } from '../../src/signals/definition.ts'
import { ManualClock } from '../runs/manual-clock.ts'
import { CRITERION, developed, Line, plan, proven } from './line.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const NOON_MS = new Date(2026, 0, 5, 12, 0).getTime()
const NEVER = new AbortController().signal

function quotaQueue(quiet = {}) {
  const clock = new ManualClock(NOON_MS)
  const rooms = new QuotaQueue(clock, quiet)
  const woken: string[] = []
  const layDown = (task: string, resetAtMs: number, role: Role = 'developer', signal = NEVER) => {
    void rooms
      .placeFor({ agent: `${role}/${task}`, task, role })
      .sleep(resetAtMs, signal)
      .then(() => woken.push(task))
  }
  /** Far enough for everybody to do what the moment asks of him. */
  const settle = async () => {
    for (let turns = 0; turns < 20; turns += 1) await turn()
  }
  const advance = (ms: number) => clock.advance(ms, 1_000, settle)
  return { rooms, clock, woken, layDown, advance }
}

describe('agents whose quota is spent', () => {
  it('wake after the reset, the most urgent first and two at a time', async () => {
    const { rooms, woken, layDown, advance } = quotaQueue()
    const points: Record<string, number> = { dull: 1, dear: 90, plain: 5, fine: 50 }
    rooms.rankBy((task) => points[task] ?? 0)
    const resetAtMs = NOON_MS + MINUTE_MS
    for (const task of ['dull', 'dear', 'plain', 'fine']) layDown(task, resetAtMs)
    layDown('later', resetAtMs + HOUR_MS)
    await advance(MINUTE_MS - 1_000)
    expect(woken).toEqual([])
    await advance(1_000)
    expect(woken).toEqual(['dear', 'fine'])
    // What became urgent meanwhile counts, not what was when they lay down.
    points.dull = 100
    await advance(1_000)
    expect(woken).toHaveLength(2)
    await advance(1_000)
    expect(woken).toEqual(['dear', 'fine', 'dull', 'plain'])
    await advance(HOUR_MS)
    expect(woken.at(-1)).toBe('later')
  })

  it('wake in the order of the line: repairs, critics and auditors before developers', async () => {
    const { rooms, woken, layDown, advance } = quotaQueue()
    rooms.rankBy((task) => (task === 'developed' ? 1e9 : 0))
    const resetAtMs = NOON_MS + MINUTE_MS
    layDown('developed', resetAtMs)
    layDown('audited', resetAtMs, 'auditor')
    layDown('criticised', resetAtMs, 'critic')
    layDown('repaired', resetAtMs, 'remediator')
    layDown('resolved', resetAtMs, 'resolver')
    await advance(2 * MINUTE_MS)
    expect(woken).toEqual(['resolved', 'repaired', 'criticised', 'audited', 'developed'])
  })

  it('sleep on in quiet hours, but not for a pause of the service', async () => {
    const { rooms, woken, layDown, advance } = quotaQueue({ from: '12:30', to: '15:00' })
    const quotaPlace = rooms.placeFor({ agent: 'a', task: 't', role: 'developer' })
    const threeMs = NOON_MS + 3 * HOUR_MS
    expect(quotaPlace.wakeAt(NOON_MS + HOUR_MS)).toBe(threeMs)
    layDown('quota', NOON_MS + HOUR_MS)
    await advance(29 * MINUTE_MS)
    layDown('pause', NOON_MS + 31 * MINUTE_MS)
    await advance(3 * MINUTE_MS)
    expect(woken).toEqual(['pause'])
    await advance(2 * HOUR_MS)
    expect(woken).toEqual(['pause'])
    await advance(HOUR_MS)
    expect(woken).toEqual(['pause', 'quota'])
  })

  it.each(['stop', 'finish'] as const)('are up at once when they are to %s', async (how) => {
    const { woken, layDown, advance } = quotaQueue()
    const control = new RunControl()
    layDown('asleep', NOON_MS + HOUR_MS, 'developer', control.ending)
    layDown('other', NOON_MS + HOUR_MS)
    await advance(1_000)
    control[how]()
    await advance(1_000)
    expect(woken).toEqual(['asleep'])
  })

  it('wake by what the director thinks of their tasks', async () => {
    const clock = new ManualClock(NOON_MS)
    const rooms = new QuotaQueue(clock, {})
    const critical: CaseCommand = {
      kind: 'create',
      type: 'task',
      content: 'urgent',
      parentId: '$operation',
      tags: ['critical'],
      metadata: { acceptanceCriteria: [CRITERION] },
    }
    const cases = [...plan('one', 'two'), critical]
    await using line = await Line.open({ cases, clock, slots: 3 })
    const asleep: string[] = []
    const woken: string[] = []
    const director = line.director({
      async develop({ agent, task: { id }, control }) {
        asleep.push(id)
        await rooms.placeFor({ agent, task: id, role: 'developer' }).sleep(NOON_MS + HOUR_MS, control.ending)
        woken.push(id)
        return developed(proven(line.commit()))
      },
    })
    rooms.rankBy((task) => director.priorityOf(task))
    const ended = director.run()
    await expect.poll(() => asleep.length, { timeout: 60_000 }).toBe(3)
    await expect
      .poll(
        async () => {
          await clock.advance(MINUTE_MS, 1_000)
          return woken.length
        },
        { timeout: 60_000 },
      )
      .toBe(3)
    expect(woken[0]).toBe('task-003')
    director.leave('now')
    await ended
  })
})
