import { describe, expect, it } from 'vitest'
import type { CaseCommand } from '../../src/cases/command.ts'
import type { Hands } from '../../src/director/hands.ts'
import { personEventContext } from '../../src/project/delivery/event-context.ts'
import { retryTask } from '../../src/project/interventions/retry-task.ts'
import { COST, developed, Line, pass, plan, proven, say } from './line.ts'

const ID = 'task-001'

/** Where a task may be when a person takes a hand in it. */
const PLACES = ['developing', 'critique', 'audit', 'confirming', 'landing'] as const
type Place = (typeof PLACES)[number]

/** Hands that let a person in at one place, the first time that the task is there. */
function handsWith(line: Line, place: Place, intrude: () => Promise<void>): Partial<Hands> {
  const hands = line.hands()
  let isDone = false
  const at = async (here: Place): Promise<void> => {
    if (here !== place || isDone) return
    isDone = true
    await intrude()
  }
  return {
    async develop() {
      await at('developing')
      return developed(proven(line.commit()))
    },
    async perform(order) {
      await at(order.role === 'critic' ? 'critique' : 'audit')
      return pass(order)
    },
    async confirm(order) {
      await at('confirming')
      return hands.confirm(order)
    },
    async land(order) {
      await at('landing')
      return hands.land(order)
    },
  }
}

describe('a task that a person', () => {
  it.each(PLACES)('releases while it is in %s comes to its end', async (place) => {
    await using line = await Line.open({ cases: plan('one') })
    const release: CaseCommand = { kind: 'release', id: ID, stage: 'develop' }
    expect(await line.run(handsWith(line, place, () => line.transact(release)))).toBe('nothing-left')
    expect(await line.get(ID)).toMatchObject({ status: 'done' })
    expect((await line.get(ID)).leases).toBeUndefined()
  })

  it('releases in review, and that is sent back then, is developed anew', async () => {
    await using line = await Line.open({ cases: plan('one') })
    let reviews = 0
    await line.run({
      async perform(order) {
        if (order.role !== 'critic') return pass(order)
        reviews += 1
        if (reviews > 1) return pass(order)
        await line.transact({ kind: 'release', id: ID, stage: 'develop' })
        const signal = say(
          `REVIEW_FAILED: ${ID}\n\nIssues Found:\n- src/a.ts:1: it leaks (GET /health returns 200)\n`,
        )
        return { ...COST, kind: 'said', signal, commit: order.delivery.commit }
      },
    })
    expect(await line.get(ID)).toMatchObject({ status: 'done' })
    expect(reviews).toBe(2)
  })

  it('releases in review lands under the name of its developer', async () => {
    await using line = await Line.open({ cases: plan('one') })
    const { land } = line.hands()
    const authors: string[] = []
    await line.run({
      ...handsWith(line, 'audit', () => line.transact({ kind: 'release', id: ID, stage: 'develop' })),
      land(order) {
        authors.push(...order.entries.map(({ agent }) => agent))
        return land(order)
      },
    })
    expect(authors).toEqual(['echo-001'])
  })

  it.each(PLACES)(
    'puts off while it is in %s is left alone, and begins anew when it is taken up',
    async (place) => {
      await using line = await Line.open({ cases: plan('one', 'two') })
      // An operation without open tasks is done, and its tasks are over.
      await line.transact({ kind: 'move', id: 'task-002', status: 'blocked', reason: 'not now' })
      const defer: CaseCommand = { kind: 'transition', id: ID, type: 'deferred', reason: 'later' }
      const hands = handsWith(line, place, () => line.transact(defer))
      // What is on its way to the target when it is put off is refused there.
      const land: Hands['land'] =
        place === 'landing'
          ? async (order) => {
              await hands.land?.(order)
              return {
                landings: new Map([[ID, { kind: 'refused', reason: 'fence-lost', paths: [] }]]),
                flaky: [],
                runs: 0,
              }
            }
          : line.hands().land
      expect(await line.run({ ...hands, land })).toBe('nothing-left')
      expect(await line.get(ID)).toMatchObject({ type: 'deferred', status: 'pending' })
      expect((await line.get(ID)).leases).toBeUndefined()
      await line.transact({ kind: 'transition', id: ID, type: 'task', reason: 'now' })
      await line.run()
      expect(await line.get(ID)).toMatchObject({ type: 'task', status: 'done' })
    },
  )

  it('blocks while it is developed waits, and goes on when he retries it', async () => {
    await using line = await Line.open({ cases: plan('one') })
    const block: CaseCommand = { kind: 'move', id: ID, status: 'blocked', reason: 'no key yet' }
    expect(await line.run(handsWith(line, 'developing', () => line.transact(block)))).toBe('nothing-left')
    expect(await line.get(ID)).toMatchObject({ status: 'blocked' })
    const world = personEventContext(line.folder, line.config)
    expect(await retryTask(line.store, world, 'user', ID)).toMatchObject({ kind: 'retried' })
    await line.run()
    expect(await line.get(ID)).toMatchObject({ status: 'done' })
  })

  it.each(PLACES)('deletes while it is in %s holds nobody up', async (place) => {
    await using line = await Line.open({ cases: plan('one', 'two') })
    const remove: CaseCommand = { kind: 'delete', id: ID, reason: 'not wanted' }
    expect(await line.run(handsWith(line, place, () => line.transact(remove)))).toBe('nothing-left')
    expect(await line.get('task-002')).toMatchObject({ status: 'done' })
  })
})
