import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sh } from '../git/scratch.ts'
import { until } from '../interventions/project.ts'
import { ShiftedClock } from './clock.ts'
import { ALONE, developer, lastLine, linesOf, RunScene, summary, writes } from './scene.ts'

const HOUR_MS = 3_600_000
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
  for (const [round, shiftMs] of [HOUR_MS, -HOUR_MS, -Date.now(), 8 * HOUR_MS, 0].entries()) {
    // The director looks after everything by the new time, whichever way it went: also for commits of the user.
    sh(scene.root, `touch mine-${round} && git add mine-${round} && git commit -qm mine`)
    clock.set(shiftMs)
    await until(() => scene.landed().includes(`mine-${round}`))
    const lease = (await scene.case('task-001')).leases?.develop
    expect(lease?.fence, run.shown()).toBe(fence)
    expect(Date.parse(lease?.expiresAt ?? '')).toBeGreaterThan(clock.now())
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
