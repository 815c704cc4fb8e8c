import { expect } from 'vitest'
import { readDelivery } from '../../src/delivery/delivery-state.ts'
import { orderText } from '../../src/project/interventions/give-order.ts'
import { reviewsOf } from '../../src/project/interventions/review-task.ts'
import { assignedTo, ordersOf } from '../../src/project/orders.ts'
import type { Stage } from './action-stage.ts'

/** Where the action is done: `project`, `agent:echo-001` or `case:task-001`, and what else the check needs. */
export interface Place {
  readonly subject: string
  readonly other?: string
}

export interface Scene {
  prepare(stage: Stage): Promise<Place>
  /** What is filled in, by the label of the field; `yes` ticks a box, a choice is named by its own label. */
  fields?(place: Place): Readonly<Record<string, string>>
  /** The effect, seen in the store. */
  check(stage: Stage, place: Place): Promise<unknown>
}

const onCase = (id: string, other?: string): Place => ({
  subject: `case:${id}`,
  ...(other === undefined ? {} : { other }),
})
const idOf = ({ subject }: Place): string => subject.slice(subject.indexOf(':') + 1)
const command = (stage: Stage, kind: 'pause' | 'resume' | 'semi-auto' | 'autopilot') =>
  stage.rig.command(kind === 'pause' || kind === 'resume' ? { kind } : { kind: 'mode', mode: kind })

async function agentPlace(stage: Stage): Promise<Place> {
  const { agent, task } = await stage.agent()
  return { subject: `agent:${agent}`, other: task }
}

function untilOrdered(stage: Stage, { other = '' }: Place, kind: string): Promise<void> {
  return stage.until(other, (task) => ordersOf(task).some((order) => order.kind === kind))
}

const PROJECT: Readonly<Record<string, Scene>> = {
  pause: {
    prepare: async (stage) => {
      await command(stage, 'resume')
      return { subject: 'project' }
    },
    check: (stage) => stage.untilProject(({ pause }) => pause?.cause === 'person'),
  },
  resume: {
    prepare: async (stage) => {
      await command(stage, 'pause')
      return { subject: 'project' }
    },
    check: (stage) => stage.untilProject(({ pause }) => pause === null),
  },
  autopilot: {
    prepare: async (stage) => {
      await command(stage, 'semi-auto')
      return { subject: 'project' }
    },
    fields: () => ({ Until: 'count:3', 'Only tasks with one of these tags': 'core\ndocs' }),
    check: (stage) =>
      stage.untilProject(
        ({ mode, sprint }) =>
          mode === 'autopilot' && sprint?.goal.kind === 'count' && sprint.tags.join() === 'core,docs',
      ),
  },
  'semi-auto': {
    prepare: async (stage) => {
      await command(stage, 'autopilot')
      return { subject: 'project' }
    },
    check: (stage) => stage.untilProject(({ mode }) => mode === 'semi-auto'),
  },
  create: {
    prepare: async (stage) => ({ subject: 'project', other: await stage.task('what comes before') }),
    fields: ({ other = '' }) => ({
      Type: 'Task',
      Under: 'op-001',
      'What is wanted': `a new task after ${other}`,
      'Acceptance criteria': 'it is there',
      'Waits for': other,
      Tags: 'new',
    }),
    check: async (stage, { other = '' }) => {
      const found = async () =>
        (await stage.rig.store.query({ type: 'task' })).find(
          ({ content }) => content === `a new task after ${other}`,
        )
      await expect.poll(found).toBeDefined()
      expect(await found()).toMatchObject({
        parentId: 'op-001',
        dependsOn: [other],
        tags: ['new'],
        metadata: { acceptanceCriteria: ['it is there'] },
      })
    },
  },
}

const AGENT: Readonly<Record<string, Scene>> = {
  'pause-agent': { prepare: agentPlace, check: (stage, place) => untilOrdered(stage, place, 'pause') },
  'resume-agent': {
    prepare: async (stage) => {
      const place = await agentPlace(stage)
      await stage.rig.command({ kind: 'pause', agent: idOf(place) })
      return place
    },
    check: (stage, place) => untilOrdered(stage, place, 'resume'),
  },
  tell: {
    prepare: agentPlace,
    fields: () => ({ 'What it should know': 'use the parser' }),
    check: async (stage, place) => {
      await untilOrdered(stage, place, 'tell')
      const task = await stage.case(place.other ?? '')
      const [order] = task ? ordersOf(task) : []
      expect(order && (await orderText(stage.rig.store, order))).toBe('use the parser')
    },
  },
  redirect: {
    prepare: async (stage) => {
      const { agent, task } = await stage.agent()
      return { subject: `agent:${agent}`, other: `${task} ${await stage.task('where it should go')}` }
    },
    fields: ({ other = '' }) => ({ 'To the task': other.split(' ')[1] ?? '' }),
    check: (stage, { other = '' }) => {
      const [from = '', to = ''] = other.split(' ')
      return stage.until(from, (task) =>
        ordersOf(task).some((order) => order.kind === 'redirect' && order.to === to),
      )
    },
  },
  stop: { prepare: agentPlace, check: (stage, place) => untilOrdered(stage, place, 'stop') },
}

const DECISION: Readonly<Record<string, Scene>> = {
  approve: {
    prepare: async (stage) => onCase(await stage.reviewed()),
    check: (stage, place) =>
      stage.until(idOf(place), ({ metadata }) => stateOf(metadata.delivery) === 'integrating'),
  },
  'request-changes': {
    prepare: async (stage) => onCase(await stage.reviewed()),
    fields: () => ({
      tests: 'yes',
      naming: 'yes',
      'In your words': 'too long',
      'The next attempt begins': 'from the target',
    }),
    check: async (stage, place) => {
      await stage.until(idOf(place), ({ status }) => status !== 'review')
      const task = await stage.case(idOf(place))
      expect(task && (await reviewsOf(stage.rig.store, task))).toMatchObject([
        { decision: 'changes', issues: ['tests', 'naming'], text: 'too long', option: 'fresh' },
      ])
    },
  },
  answer: {
    prepare: async (stage) => onCase(await stage.question()),
    fields: () => ({ 'Your answer': 'neither' }),
    check: async (stage, place) => {
      await stage.until(idOf(place), ({ status }) => status === 'done')
      expect(JSON.stringify(await stage.case(idOf(place)))).toContain('neither')
    },
  },
  retry: {
    prepare: async (stage) => onCase(await stage.failed()),
    fields: () => ({ 'Guidance for the next attempt': 'read the log first' }),
    check: async (stage, place) => {
      await stage.until(idOf(place), ({ status }) => status === 'pending')
      const task = await stage.case(idOf(place))
      const read = task && readDelivery(task)
      const notes = read?.kind === 'read' ? (read.delivery.findings ?? '') : ''
      const bytes = await stage.rig.store.getBlob(notes)
      expect(Buffer.from(bytes ?? []).toString()).toContain('read the log first')
    },
  },
  halt: {
    prepare: async (stage) => onCase(await stage.broken()),
    check: (stage, place) =>
      stage.until(idOf(place), ({ metadata }) => stateOf(metadata.delivery) === 'halted'),
  },
}

const CASE: Readonly<Record<string, Scene>> = {
  assign: {
    prepare: async (stage) => onCase(await stage.task()),
    check: (stage, place) => stage.until(idOf(place), (task) => assignedTo(task) === ''),
  },
  'assign-to': {
    prepare: async (stage) => {
      const { agent, task } = await stage.agent()
      return onCase(await stage.task(), `${agent}, now on ${task}`)
    },
    fields: ({ other = '' }) => ({ 'Agent at work': other }),
    check: (stage, place) =>
      stage.until(idOf(place), (task) => assignedTo(task) === place.other?.split(',')[0]),
  },
  edit: {
    prepare: async (stage) => onCase(await stage.task()),
    fields: () => ({ 'What is wanted': 'other words', 'Acceptance criteria': 'one\ntwo', Tags: 'core' }),
    check: async (stage, place) => {
      await stage.until(idOf(place), ({ content }) => content === 'other words')
      expect(await stage.case(idOf(place))).toMatchObject({
        tags: ['core'],
        metadata: { acceptanceCriteria: ['one', 'two'] },
      })
    },
  },
  depend: {
    prepare: async (stage) => onCase(await stage.task(), await stage.task()),
    fields: ({ other = '' }) => ({ 'Waits for': other }),
    check: (stage, place) =>
      stage.until(idOf(place), ({ dependsOn = [] }) => dependsOn.includes(place.other ?? '')),
  },
  undepend: {
    prepare: async (stage) => {
      const other = await stage.task()
      const id = await stage.task('one that waits', (own) => [{ kind: 'depend', id: own, on: other }])
      return onCase(id, other)
    },
    fields: ({ other = '' }) => ({ 'No longer waits for': other }),
    check: (stage, place) => stage.until(idOf(place), ({ dependsOn = [] }) => dependsOn.length === 0),
  },
  block: {
    prepare: async (stage) => onCase(await stage.task()),
    fields: () => ({ Why: 'the key is missing' }),
    check: (stage, place) => stage.until(idOf(place), ({ status }) => status === 'blocked'),
  },
  unblock: {
    prepare: async (stage) => {
      const [id = ''] = await stage.commit({ kind: 'create', type: 'research', content: 'a look around' })
      await stage.commit({ kind: 'move', id, status: 'blocked', reason: 'not now' })
      return onCase(id)
    },
    check: (stage, place) => stage.until(idOf(place), ({ status }) => status === 'pending'),
  },
  complete: {
    prepare: async (stage) => onCase(await stage.question()),
    check: (stage, place) => stage.until(idOf(place), ({ status }) => status === 'done'),
  },
  defer: {
    prepare: async (stage) => onCase(await stage.task()),
    fields: () => ({ Why: 'later' }),
    check: (stage, place) => stage.until(idOf(place), ({ type }) => type === 'deferred'),
  },
  transition: {
    prepare: async (stage) => {
      const [id = ''] = await stage.commit({ kind: 'create', type: 'draft', content: 'a draft' })
      return onCase(id)
    },
    fields: () => ({ Into: 'Research', Why: 'too little is known' }),
    check: (stage, place) => stage.until(idOf(place), ({ type }) => type === 'research'),
  },
  delete: {
    prepare: async (stage) => {
      const [id = ''] = await stage.commit({ kind: 'create', type: 'operation', content: 'a mistake' })
      const [below] = await stage.commit({ kind: 'create', type: 'task', content: 'below', parentId: id })
      return onCase(id, below)
    },
    fields: () => ({ Why: 'a mistake', 'And everything under it': 'yes' }),
    check: async (stage, place) => {
      await stage.until(idOf(place), ({ deletedAt }) => deletedAt !== undefined)
      expect((await stage.case(place.other ?? ''))?.deletedAt).toBeDefined()
    },
  },
  override: {
    prepare: async (stage) => onCase(await stage.broken()),
    fields: () => ({ Why: 'the tests do not need it' }),
    check: (stage, place) =>
      stage.until(idOf(place), ({ metadata }) => stateOf(metadata.delivery) === 'queued'),
  },
}

/** How each action of the table is seen to work; one that is missing here fails the test that walks the table. */
export const SCENES: Readonly<Record<string, Scene>> = { ...PROJECT, ...AGENT, ...DECISION, ...CASE }

function stateOf(delivery: unknown): unknown {
  return typeof delivery === 'object' && delivery !== null && 'state' in delivery ? delivery.state : undefined
}
