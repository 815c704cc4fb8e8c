import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import type { Case } from '../src/cases/case.ts'
import { carryOut } from '../src/director/carry-out.ts'
import { RunControl } from '../src/runs/run-control.ts'
import type { LeaseKey, Store } from '../src/store/store.ts'
import { deskOf } from './director-desk.ts'
import { aTaskIn, NOW_MS, sceneOf } from './director-scene.ts'

const DIRECTOR = resolve(import.meta.dirname, '../src/director')

/** One round of renewal: what is asked of the store, which finds these leases lost. */
async function renew(
  tasks: readonly Case[],
  controls: Readonly<Record<string, RunControl>>,
  isLost: (lease: LeaseKey) => boolean = () => false,
): Promise<string[]> {
  const asked: LeaseKey[] = []
  const store: Partial<Store> = {
    renew: async (leases) => {
      asked.push(...leases)
      return leases.filter(isLost)
    },
  }
  const atWork = new Map(
    Object.keys(controls).map((task) => [
      task,
      {
        effect: { kind: 'perform', task, role: 'critic', stage: 'critique', held: null } as const,
        slot: 0,
        startedAtMs: NOW_MS,
      },
    ]),
  )
  const desk = deskOf(
    store as Store,
    {},
    { snapshot: () => sceneOf(tasks, { over: { atWork } }), controlOf: (task) => controls[task] },
  )
  await carryOut(desk, { kind: 'chore', name: 'renew-leases' }, null, undefined)
  return asked.map(({ id, stage, fence }) => `${id} ${stage} ${fence}`)
}

function critic(task: string): RunControl {
  const control = new RunControl()
  control.holdLease({ id: task, stage: 'critique', fence: 2 })
  return control
}

it('renews the claims of tasks in review and the leases of agents at work, each once', async () => {
  const task = aTaskIn(1, 'critique', { stages: ['develop', 'critique'] })
  expect(await renew([task], { 'task-001': critic('task-001') })).toEqual([
    'task-001 develop 1',
    'task-001 critique 2',
  ])
})

it('stops an agent whose lease is lost, and nothing that it says then counts', async () => {
  const [lost, kept] = [critic('task-001'), critic('task-002')]
  const tasks = [1, 2].map((number) => aTaskIn(number, 'critique', { stages: ['develop', 'critique'] }))
  await renew(tasks, { 'task-001': lost, 'task-002': kept }, ({ id }) => id === 'task-001')
  expect([lost.stopping.aborted, lost.isLeaseLost]).toEqual([true, true])
  expect([kept.stopping.aborted, kept.isLeaseLost]).toEqual([false, false])
})

it('asks for the lease of an agent at work also when its task is over, and so finds it lost', async () => {
  const control = critic('task-001')
  const task = { ...aTaskIn(1, 'landed', { stages: [] }), status: 'done' } as const
  expect(await renew([task], { 'task-001': control }, () => true)).toEqual(['task-001 critique 2'])
  expect(control.isLeaseLost).toBe(true)
})

it('is the only place of the director where leases are renewed', () => {
  const files = readdirSync(DIRECTOR, { recursive: true, encoding: 'utf8' })
  const renewing = files.filter(
    (file) => file.endsWith('.ts') && readFileSync(join(DIRECTOR, file), 'utf8').includes('.renew('),
  )
  expect(renewing).toEqual(['chores/renew-leases.ts'])
})
