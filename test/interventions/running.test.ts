import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findProcess } from '../../src/platform/process/process-table.ts'
import { isStopped, ordersOf } from '../../src/project/orders.ts'
import type { Step } from '../../src/sim/step.ts'
import { sh } from '../git/scratch.ts'
import { RunningProject, until } from './project.ts'

const LISTEN_MS = 240_000
const finish = (file: string): Step[] => [
  { do: 'edit', file, write: 'done\n' },
  { do: 'commit', message: `feat: ${file} #task-001 @echo` },
  { do: 'signal', tag: 'COMPLETE' },
]
const say = (text: string): Step => ({ do: 'say', text })
const summaryOf = (stdout: string): unknown => JSON.parse(stdout.trim().split('\n').at(-1) ?? '')

describe('while the project runs', () => {
  it('an agent hears what it is told', async () => {
    const project = await RunningProject.open({
      entries: [
        {
          role: 'developer',
          steps: [
            say('I listen now.'),
            { do: 'listen', answer: 'heard: {message}', atMostMs: LISTEN_MS },
            ...finish('one.txt'),
          ],
        },
      ],
    })
    const { ended } = project.run()
    const agent = await project.developerOf('task-001', 'I listen now.')
    await project.ok('tell', agent, 'use', 'tabs')
    const { code, stdout } = await ended
    expect(summaryOf(stdout)).toMatchObject({ done: 1 })
    expect(code).toBe(0)
    const log = await project.ok('logs', 'task-001', '--json')
    expect(log).toContain('heard: A message from user')
    expect(log).toContain('use tabs')
    expect(ordersOf(await project.task('task-001'))).toEqual([])
  })

  it('an agent that is stopped leaves its work saved, and its task waits for a person', async () => {
    const project = await RunningProject.open({
      entries: [
        {
          role: 'developer',
          steps: [{ do: 'edit', file: 'loose.txt', write: 'half' }, say('I hang now.'), { do: 'hang' }],
        },
      ],
    })
    const { ended } = project.run()
    const agent = await project.developerOf('task-001', 'I hang now.')
    await project.ok('stop', agent)
    expect((await ended).code).toBe(5)
    const task = await project.task('task-001')
    expect(task.status).toBe('pending')
    expect(isStopped(task)).toBe(true)
    const [ref] = (task.metadata.run as { saved: string[] }).saved
    expect(sh(join(project.root, '.axiom/integration.git'), `git show ${ref}:loose.txt`)).toBe('half')
    project.play([{ role: 'developer', steps: finish('one.txt') }])
    const idle = await project.run().ended
    expect(summaryOf(idle.stdout)).toMatchObject({ done: 0, waiting: 1 })
    await project.ok('retry', 'task-001', '--note', 'go on where it stopped')
    expect((await project.run().ended).code).toBe(0)
    expect(await project.ok('logs', 'task-001', '--json')).toContain('go on where it stopped')
  })

  it('an agent that is redirected goes on with the other task', async () => {
    const project = await RunningProject.open({
      tasks: ['one', 'two'],
      entries: [
        {
          role: 'developer',
          tasks: ['one'],
          steps: [say('I wait now.'), { do: 'hang' }],
        },
        { role: 'developer', steps: finish('two.txt') },
      ],
    })
    const { ended } = project.run('--agents', '1')
    const agent = await project.developerOf('task-001', 'I wait now.')
    await project.ok('redirect', agent, 'task-002')
    await until(async () => (await project.task('task-002')).leases !== undefined)
    project.play([{ role: 'developer', steps: finish('one.txt') }])
    const { code } = await ended
    expect(code).toBe(0)
    const history = await project.ok('case', 'history', 'task-002', '--json')
    expect(history).toContain(`claimed by ${agent} to develop`)
  })
})

it('ends its agents when it is killed, and the next start goes on with their work', async () => {
  const project = await RunningProject.open({
    entries: [
      {
        role: 'developer',
        steps: [{ do: 'double-fork', seconds: 900 }, say('I wait now.'), { do: 'hang' }],
      },
    ],
  })
  const { child, ended } = project.run()
  await project.developerOf('task-001', 'I wait now.')
  const ledger = join(project.root, '.axiom/processes')
  const notes = readdirSync(ledger).filter((name) => name.endsWith('.json'))
  const trees = notes.map((name) => {
    const { tree } = JSON.parse(readFileSync(join(ledger, name), 'utf8')) as { tree: { pid: number } }
    return tree.pid
  })
  expect(trees.length).toBeGreaterThan(0)
  child.kill('SIGKILL')
  await ended
  project.play([{ role: 'developer', steps: finish('one.txt') }])
  const { code, stdout } = await project.run().ended
  expect(summaryOf(stdout)).toMatchObject({ done: 1 })
  expect(code).toBe(0)
  for (const pid of trees) await until(async () => (await findProcess(pid)) === undefined)
  expect((await project.task('task-001')).metadata.execution).toMatchObject({ retryCount: 1 })
})

it('parks an operation whose budget is spent, with its figures, and goes on when a person says so', async () => {
  const project = await RunningProject.open({
    tasks: ['one', 'two'],
    config: { budgets: { operation: { runs: 2 } } },
  })
  const first = await project.run('--agents', '1').ended
  expect(first.code).toBe(5)
  expect(first.stdout).toContain('BUDGET_SPENT')
  const operation = await project.task('op-001')
  expect(operation.status).toBe('blocked')
  const { parked } = operation.metadata as { parked: { spent: number; limit: number; measure: string } }
  expect(parked).toMatchObject({ measure: 'runs', limit: 2 })
  expect(parked.spent).toBeGreaterThanOrEqual(2)
  // One run at most was under way when the budget was spent.
  expect(parked.spent).toBeLessThanOrEqual(3)
  await project.ok('override', 'op-001')
  const second = await project.run('--agents', '1').ended
  expect(summaryOf(second.stdout)).toMatchObject({ done: 2 })
  expect(second.code).toBe(0)
})
