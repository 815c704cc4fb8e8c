import { expect, it } from 'vitest'
import type { Step } from '../../src/sim/step.ts'
import { RunningProject } from './project.ts'

const finish = (file: string): Step[] => [
  { do: 'edit', file, write: 'done\n' },
  { do: 'commit', message: `feat: ${file} #task-001 @echo` },
  { do: 'signal', tag: 'COMPLETE' },
]
const firstLine = (stdout: string): unknown => JSON.parse(stdout.split('\n')[0] ?? '')

it('what a run will cost is told before it begins, and on what that rests', async () => {
  const project = await RunningProject.open({
    tasks: ['one', 'two'],
    entries: [{ role: 'developer', steps: finish('one.txt') }],
  })
  const one = await project.run('--until', 'count:1', '--agents', '1').ended
  expect(one, one.stderr).toMatchObject({ code: 0 })
  expect(firstLine(one.stdout)).toMatchObject({
    type: 'forecast',
    tasks: 1,
    slots: 1,
    costUsd: null,
    basis: { tasksDone: 0, text: 'an estimate: no task is done yet; no price is known yet' },
  })
  const words = await project.axiom('run', '--autopilot', '--non-interactive', '--tag', 'none-has-this')
  expect(words.stderr).not.toContain('Expected for')
  const two = await project.axiom('run', '--autopilot', '--non-interactive')
  expect(two.stderr).toMatch(/^Expected for one task: \d+ tokens.*\(from 1 task that is done/m)
})
