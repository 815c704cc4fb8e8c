import { describe, expect, it } from 'vitest'
import type { CleanOrder, Hands } from '../../src/director/hands.ts'
import { foldInbox } from '../../src/events/inbox.ts'
import { personEventContext } from '../../src/project/delivery/event-context.ts'
import { answerQuestion } from '../../src/project/interventions/answer-question.ts'
import { ManualClock } from '../runs/manual-clock.ts'
import { developed, Line, plan } from './line.ts'

const MINUTE_MS = 60_000
const SHORT_BYTES = 300e6

/** A director on a short disk, of which so much could go with consent. */
async function onShortDisk(byConsent: () => readonly string[], nonInteractive = false) {
  const clock = new ManualClock(Date.parse('2026-01-01T00:00:00.000Z'))
  const line = await Line.open({ cases: plan('one'), clock, nonInteractive })
  const orders: CleanOrder[] = []
  const hands: Partial<Hands> = {
    // At work until the scene is over: Max looks only while somebody is.
    async develop({ control }) {
      await new Promise((resolve) => control.stopping.addEventListener('abort', resolve))
      return developed({ kind: 'stopped' })
    },
    measureHealth: async () => ({
      diskFreeBytes: SHORT_BYTES,
      memory: { availableBytes: 9e10, totalBytes: 9e10 },
      agents: [],
      orphans: [],
    }),
    async clean(order) {
      if (order.reason === 'disk') orders.push(order)
      return { removed: [], kept: [], freedBytes: 0, byConsent: order.consent ? [] : byConsent() }
    },
  }
  const director = line.director(hands, true)
  const ended = director.run()
  /** Max looks so many times more. */
  const looks = async (times: number) => {
    const until = orders.length + times
    await expect
      .poll(
        async () => {
          await clock.advance(10_000, 1_000)
          return orders.length
        },
        { timeout: 60_000, interval: 1 },
      )
      .toBeGreaterThanOrEqual(until)
  }
  return {
    line,
    looks,
    clock,
    consents: () => orders.map(({ consent }) => consent),
    questions: async () => (await line.store.query({ type: 'pending' })).map(({ id }) => id),
    answer: (id: string, text: string, stands = false) =>
      answerQuestion(line.store, personEventContext(line.folder, line.config), {
        id,
        text,
        by: 'user',
        stands,
      }),
    async [Symbol.asyncDispose]() {
      director.leave('now')
      await ended
      await line[Symbol.asyncDispose]()
    },
  }
}

describe('what may go only with consent', () => {
  it('is asked for once when the rest was not enough, and goes once after a yes', async () => {
    let left = ['auto-1', 'echo-001-task-009']
    await using scene = await onShortDisk(() => left)
    await scene.looks(3)
    expect(await scene.questions()).toEqual(['pend-001'])
    expect(new Set(scene.consents())).toEqual(new Set([false]))
    const [entry] = foldInbox(await scene.line.store.query({}))
    expect(entry).toMatchObject({ id: 'pend-001', raisedBy: 'max', kind: 'question' })
    expect(entry?.context).toContain('auto-1, echo-001-task-009')
    expect(await scene.answer('pend-001', 'yes')).toMatchObject({ kind: 'answered' })
    left = []
    await scene.looks(3)
    expect(scene.consents().filter((consent) => consent === true)).toHaveLength(1)
    expect(await scene.questions()).toEqual(['pend-001'])
    left = ['auto-2']
    await scene.looks(2)
    expect(await scene.questions()).toEqual(['pend-001', 'pend-002'])
  })

  it('stays after a no, and nobody is asked again for a day', async () => {
    await using scene = await onShortDisk(() => ['auto-1'])
    await scene.looks(1)
    await expect.poll(() => scene.questions(), { timeout: 60_000 }).toHaveLength(1)
    await scene.answer('pend-001', '2')
    await scene.looks(3)
    expect(scene.consents()).not.toContain(true)
    expect(await scene.questions()).toEqual(['pend-001'])
    await scene.clock.advance(24 * 60 * MINUTE_MS, 60 * MINUTE_MS)
    await scene.looks(2)
    expect(await scene.questions()).toEqual(['pend-001', 'pend-002'])
  })

  it('goes without a question where a person agreed for good', async () => {
    await using scene = await onShortDisk(() => ['auto-1'])
    await scene.looks(1)
    await expect.poll(() => scene.questions(), { timeout: 60_000 }).toHaveLength(1)
    await scene.answer('pend-001', 'yes', true)
    await scene.looks(3)
    expect(scene.consents().slice(-2)).toEqual([true, true])
    expect(await scene.questions()).toEqual(['pend-001'])
  })

  it('is not asked for where there is nothing of it, or nobody to ask', async () => {
    await using nothing = await onShortDisk(() => [])
    await nothing.looks(2)
    expect(await nothing.questions()).toEqual([])
    await using alone = await onShortDisk(() => ['auto-1'], true)
    await alone.looks(2)
    expect(await alone.questions()).toEqual([])
  })
})

it('tells the cleaning which tasks were deleted, also those of an earlier start', async () => {
  await using line = await Line.open({ cases: plan('one', 'two') })
  const deleted: boolean[] = []
  const clean: Hands['clean'] = async ({ isDeleted }) => {
    deleted.push(isDeleted?.('task-001') ?? false)
    return { removed: [], kept: [], freedBytes: 0, byConsent: [] }
  }
  await line.transact({ kind: 'delete', id: 'task-001', reason: 'not wanted' })
  await line.run({ clean })
  expect(new Set(deleted)).toEqual(new Set([true]))
})
