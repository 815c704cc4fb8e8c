import { afterAll, beforeAll, expect, it } from 'vitest'
import { orderText } from '../../src/project/interventions/give-order.ts'
import { ordersOf } from '../../src/project/orders.ts'
import { fill, type Rig, startRig } from './rig.ts'

let rig: Rig

beforeAll(async () => {
  rig = await startRig()
  await fill(rig.store, 4)
})
afterAll(() => rig[Symbol.asyncDispose]())

const caseOf = async (id: string) => (await rig.store.query({ ids: [id] }))[0]

it('A command with the same key is carried out once, however often and fast it is sent', async () => {
  const create = { kind: 'create', type: 'task', parentId: 'op-001', content: 'once' } as const
  const answers = await Promise.all(Array.from({ length: 8 }, () => rig.command(create, 'the-same-key')))
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]).toMatchObject({ kind: 'done', cases: ['task-005'] })
  expect((await rig.store.query({ type: 'task' })).length).toBe(5)
})

it('What the laws of cases do not allow is refused with what is allowed', async () => {
  expect(await rig.command({ kind: 'depend', case: 'task-001', on: 'task-002' })).toMatchObject({
    kind: 'done',
  })
  expect(await rig.command({ kind: 'depend', case: 'task-002', on: 'task-001' })).toMatchObject({
    kind: 'refused',
    code: 'CIRCULAR_DEPENDENCY',
    path: ['task-002', 'task-001', 'task-002'],
  })
  expect(await rig.command({ kind: 'undepend', case: 'task-001', on: 'task-002' })).toMatchObject({
    kind: 'done',
  })
  expect(await rig.command({ kind: 'transition', case: 'dir-001', type: 'task', reason: 'x' })).toMatchObject(
    {
      kind: 'refused',
      code: 'InvalidTransition',
    },
  )
})

it('Pausing, resuming and switching the mode reach the picture', async () => {
  await rig.command({ kind: 'pause', reason: 'deploying' })
  await expect
    .poll(async () => (await rig.snapshot()).project.paused, { timeout: 30_000 })
    .toMatchObject({ cause: 'person', by: 'user', reason: 'deploying' })
  await rig.command({ kind: 'resume' })
  await rig.command({ kind: 'mode', mode: 'autopilot', until: 'count:3', tags: ['api'] })
  await expect
    .poll(async () => (await rig.snapshot()).project, { timeout: 30_000 })
    .toMatchObject({
      paused: null,
      mode: 'autopilot',
      sprint: { goal: 'until 3 tasks have landed', tags: ['api'] },
    })
  expect(await rig.command({ kind: 'mode', mode: 'autopilot', until: 'some day' })).toMatchObject({
    kind: 'refused',
  })
  await rig.command({ kind: 'mode', mode: 'semi-auto' })
  await expect.poll(async () => (await rig.snapshot()).project.mode, { timeout: 30_000 }).toBe('semi-auto')
})

it('An agent at work is told, stopped and commented on by orders that wait in its task', async () => {
  await rig.store.transact({
    by: 'echo-001',
    commands: [{ kind: 'claim', id: 'task-003', stage: 'develop', holder: 'echo-001', ttlMs: 600_000 }],
  })
  expect(await rig.command({ kind: 'tell', agent: 'echo-001', text: 'use the parser' })).toMatchObject({
    kind: 'done',
  })
  const comments = [
    { commit: 'a'.repeat(40), file: 'src/x.ts', line: 7, side: 'new', text: 'why twice?' },
  ] as const
  expect(await rig.command({ kind: 'comment', task: 'task-003', comments })).toMatchObject({ kind: 'done' })
  const task = await caseOf('task-003')
  const orders = task ? ordersOf(task) : []
  expect(orders.map(({ kind }) => kind)).toEqual(['tell', 'tell'])
  expect(orders[1] && (await orderText(rig.store, orders[1]))).toContain('src/x.ts:7: why twice?')
  await rig.command({ kind: 'stop', agent: 'echo-001' })
  await expect
    .poll(async () => (await rig.snapshot()).agents, { timeout: 30_000 })
    .toMatchObject([{ agent: 'echo-001', task: 'task-003', orders: ['tell', 'tell', 'stop'] }])
  expect(await rig.command({ kind: 'tell', agent: 'echo-099', text: 'x' })).toMatchObject({
    kind: 'refused',
    code: 'AGENT_UNKNOWN',
  })
})

it('A question stands in the inbox until it is answered', async () => {
  await rig.store.transact({
    by: 'user',
    commands: [
      {
        kind: 'create',
        type: 'pending',
        content: 'Which licence?',
        metadata: { question: 'Which licence?' },
      },
    ],
  })
  await expect
    .poll(async () => (await rig.snapshot()).inbox, { timeout: 30_000 })
    .toMatchObject([{ id: 'pend-001', kind: 'question', question: 'Which licence?', settledBy: ['answer'] }])
  expect(await rig.command({ kind: 'answer', case: 'pend-001', text: 'MIT' })).toMatchObject({ kind: 'done' })
  await expect.poll(async () => (await rig.snapshot()).inbox, { timeout: 30_000 }).toEqual([])
  expect(await rig.command({ kind: 'review', task: 'task-001', decision: 'approve' })).toMatchObject({
    kind: 'refused',
    code: 'NOTHING_TO_REVIEW',
  })
})

it('A circle that was loaded is shown on all its members, and gone from all when one edge is removed', async () => {
  const circle = await startRig()
  try {
    await fill(circle.store, 2)
    const [first, second] = await circle.store.query({ type: 'task' })
    await circle.store.import(
      [first, second].map((task, index) => ({
        subject: { ...task, id: `task-10${index}`, uid: `uid-${index}`, dependsOn: [`task-10${1 - index}`] },
        history: [],
      })) as unknown as Parameters<typeof circle.store.import>[0],
    )
    const cycles = async () =>
      (await circle.snapshot()).cases
        .filter(({ cycle }) => cycle !== null)
        .map(({ id, status }) => [id, status])
    await expect.poll(cycles, { timeout: 30_000 }).toEqual([
      ['task-100', 'blocked'],
      ['task-101', 'blocked'],
    ])
    await circle.command({ kind: 'undepend', case: 'task-100', on: 'task-101' })
    await expect.poll(cycles, { timeout: 30_000 }).toEqual([])
  } finally {
    await circle[Symbol.asyncDispose]()
  }
})
