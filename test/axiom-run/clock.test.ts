import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { until } from '../interventions/project.ts'
import { ShiftedClock } from './clock.ts'
import { ALONE, developer, lastLine, linesOf, RunScene, summary, writes } from './scene.ts'

const HOUR_MS = 3_600_000
/** A lease holds for a minute from its last renewal. */
const LEASE_MS_MAX = 90_000

it('a clock that is set, and a machine that slept, make nobody late, lost or stalled', async () => {
  const scene = await RunScene.open({ tasks: ['one', { key: 'two', dependsOn: ['one'] }] })
  const clock = new ShiftedClock(scene)
  scene.play([
    developer(
      'one',
      { do: 'run', command: `touch ${scene.gate('waits')}` },
      { do: 'barrier', path: scene.gate('go'), atMostMs: 500_000 },
      ...writes('one.txt'),
    ),
  ])
  const run = scene.begin(ALONE, clock.environment)
  await until(() => scene.isOpen('waits'))
  const { leases } = await scene.case('task-001')
  const fence = leases?.develop?.fence
  for (const shiftMs of [HOUR_MS, -HOUR_MS, -Date.now(), 8 * HOUR_MS, 0]) {
    clock.set(shiftMs)
    // The director looks after its agents by the new time, whichever way it went.
    await until(async () => {
      const lease = (await scene.case('task-001')).leases?.develop
      expect(lease?.fence).toBe(fence)
      const leftMs = Date.parse(lease?.expiresAt ?? '') - clock.now()
      return leftMs > 0 && leftMs < LEASE_MS_MAX
    })
  }
  clock.set(2 * HOUR_MS)
  scene.openGate('go')
  const ran = await run.ended
  expect([ran.code, lastLine(ran)]).toEqual([0, summary({ done: 2 })])
  expect(linesOf(ran).filter(({ type }) => type === 'notice')).toEqual([])
  for (const { metadata } of await scene.cases({ type: 'task' })) {
    const execution = metadata.execution as { retryCount?: number; iterations: number; durationMs: number }
    expect(execution).toMatchObject({ iterations: 1 })
    expect(execution.retryCount ?? 0).toBe(0)
    // What passed for the agent, not what the clock showed.
    expect(execution.durationMs).toBeGreaterThanOrEqual(0)
    expect(execution.durationMs).toBeLessThan(HOUR_MS)
  }
  await scene.ok('store', 'verify')
  const log = readFileSync(join(scene.root, '.axiom/agents/echo/logs/task-001.jsonl'), 'utf8')
  expect(log).not.toContain('timeout')
})
