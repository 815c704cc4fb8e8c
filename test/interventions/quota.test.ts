import { describe, expect, it } from 'vitest'
import type { Step } from '../../src/sim/step.ts'
import { RunningProject, until } from './project.ts'

const FINISH: readonly Step[] = [
  { do: 'edit', file: 'one.txt', write: 'done\n' },
  { do: 'commit', message: 'feat: one.txt #task-001 @echo' },
  { do: 'signal', tag: 'COMPLETE' },
]

function spent(resetInS: number) {
  return RunningProject.open({
    entries: [
      { role: 'developer', holds: { file: 'begun.txt', text: 'begun' }, steps: FINISH },
      {
        role: 'developer',
        steps: [
          { do: 'edit', file: 'begun.txt', write: 'begun\n' },
          { do: 'commit', message: 'feat: begun.txt #task-001 @echo' },
          { do: 'rate-limit', resetInS, attempts: 0 },
        ],
      },
    ],
  })
}

describe('an agent whose quota is spent', () => {
  it('sleeps until it is back and goes on with the same attempt', async () => {
    const project = await spent(2)
    const { code, stderr } = await project.run().ended
    expect(code, stderr).toBe(0)
    const { execution } = (await project.task('task-001')).metadata as { execution: Record<string, unknown> }
    expect(execution.iterations).toBe(1)
    expect(execution.retryCount ?? 0).toBe(0)
    expect(await project.ok('logs', 'task-001', '--json')).toContain('"event":"wait"')
  })

  it('is not waited for when the run is asked to end', async () => {
    const project = await spent(3 * 3_600)
    const { child, ended } = project.run()
    await until(async () => (await project.axiom('logs', 'task-001', '--json')).stdout.includes('"wait"'))
    child.kill('SIGINT')
    expect((await ended).code).toBe(130)
    const task = await project.task('task-001')
    expect(task.status).toBe('pending')
    expect(task.leases).toBeUndefined()
  })
})
