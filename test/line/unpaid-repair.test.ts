import { describe, expect, it } from 'vitest'
import type { Hands } from '../../src/director/hands.ts'
import { foldInbox } from '../../src/events/inbox.ts'
import { personEventContext } from '../../src/project/delivery/event-context.ts'
import { answerQuestion } from '../../src/project/interventions/answer-question.ts'
import { COST, developed, Line, plan, say } from './line.ts'

const WAIT_MS = 60_000
const LEADER = 'task-001'
const REPORT = [
  `INFRA_BLOCKED: ${LEADER}`,
  '',
  'Issue: the database is gone',
  'Command: npm test',
  'Output: ECONNREFUSED',
  'Environment: local',
  '',
].join('\n')

/** A repair whose leader has spent its budget with the run that met the fault; another task waits. */
async function onUnpaidRepair() {
  const line = await Line.open({
    cases: plan('one', 'two'),
    config: { budgets: { task: { runs: 1 } } },
    slots: 1,
  })
  const begun: string[] = []
  const hands: Partial<Hands> = {
    async develop({ task }) {
      begun.push(task.id)
      return developed({ kind: 'referred', signal: say(REPORT), reason: 'the database is gone' })
    },
    async perform({ role, control }) {
      begun.push(role)
      await new Promise((resolve) => control.stopping.addEventListener('abort', resolve))
      return { ...COST, kind: 'stopped' }
    },
  }
  const director = line.director(hands, true)
  const ended = director.run()
  const inbox = async () => foldInbox(await line.store.query({}))
  await expect.poll(async () => (await inbox()).length, { timeout: WAIT_MS }).toBe(1)
  return {
    line,
    begun,
    inbox,
    questions: async () => (await line.store.query({ type: 'pending' })).length,
    answer: (text: string) =>
      answerQuestion(line.store, personEventContext(line.folder, line.config), {
        id: 'pend-001',
        text,
        by: 'user',
      }),
    async [Symbol.asyncDispose]() {
      director.leave('now')
      await ended
      await line[Symbol.asyncDispose]()
    },
  }
}

describe('a repair that has no budget left', () => {
  it('is put before a person once, with what it holds and what to do', async () => {
    await using scene = await onUnpaidRepair()
    const [entry] = await scene.inbox()
    expect(entry).toMatchObject({
      kind: 'question',
      raisedBy: 'director',
      fallback: null,
      options: [{ label: 'lift' }, { label: 'leave' }],
    })
    expect(entry?.context).toContain(`1 of 1 runs of ${LEADER} are spent`)
    expect(entry?.context).toContain('no new work is begun')
    expect(entry?.context).toContain(`Raise the budget of ${LEADER}`)
    expect(scene.begun).toEqual([LEADER])
    expect(scene.line.notices).toContainEqual(expect.objectContaining({ code: 'BUDGET_SPENT' }))
    expect(await scene.answer('leave')).toMatchObject({ kind: 'answered' })
    // Something that the director sees, and after which it has looked again.
    await expect
      .poll(async () => (await scene.line.get('pend-001')).metadata.matter, { timeout: WAIT_MS })
      .toMatchObject({ followed: true })
    await scene.line.transact({ kind: 'update', id: 'task-002', content: 'another two', reason: 'a look' })
    expect(await scene.questions()).toBe(1)
    expect(scene.begun).toEqual([LEADER])
  })

  it('goes on when a person lifts the budget', async () => {
    await using scene = await onUnpaidRepair()
    await scene.answer('1')
    await expect.poll(() => scene.begun, { timeout: WAIT_MS }).toEqual([LEADER, 'remediator'])
    expect((await scene.line.get(LEADER)).metadata.budget).toEqual({ lifted: true })
    expect(await scene.inbox()).toEqual([])
  })

  it('is no longer asked about when the budget was raised', async () => {
    await using scene = await onUnpaidRepair()
    const metadata = { budget: { runs: 9 } }
    await scene.line.transact({ kind: 'update', id: LEADER, metadata, reason: 'raised' })
    await expect.poll(() => scene.begun, { timeout: WAIT_MS }).toEqual([LEADER, 'remediator'])
    await expect.poll(() => scene.inbox(), { timeout: WAIT_MS }).toEqual([])
    expect(await scene.line.get('pend-001')).toMatchObject({ status: 'done' })
  })
})
