import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Case } from '../../cases/case.ts'
import { configSchema } from '../../config/schema.ts'
import { budgetStanding, describeUse } from './budget-standing.ts'
import { assumeTaskSpend, forecastSpend } from './forecast.ts'
import { forecastTasks } from './forecast-tasks.ts'
import { parkCommands } from './park-case.ts'
import { addSpend, NO_SPEND, type Spend, spendOfTurn } from './spend.ts'
import { SpendIndex } from './spend-index.ts'

const NOW = '2026-01-01T00:00:00.000Z'

function makeCase(id: string, fields: Partial<Case> = {}): Case {
  return {
    id,
    type: 'task',
    status: 'pending',
    content: id,
    parentId: null,
    createdAt: NOW,
    updatedAt: NOW,
    metadata: {},
    rev: 1,
    uid: id,
    ...fields,
  }
}

const budgetsOf = (budgets: object) => configSchema.parse({ budgets }).budgets
const spent = (fields: Partial<Spend>): Spend => ({ ...NO_SPEND, ...fields })
const lineage = (own: Partial<Spend>, metadata: object = {}): Case[] => [
  makeCase('dir-001', { type: 'directive' }),
  makeCase('op-001', { type: 'operation', parentId: 'dir-001', metadata: { ...metadata } }),
  makeCase('task-001', { parentId: 'op-001', metadata: { spend: spent(own) } }),
  makeCase('task-002', { parentId: 'op-001' }),
]

const amount = fc.record({
  tokens: fc.nat(1_000_000),
  microUsd: fc.nat(50_000_000),
  ms: fc.nat(10_000_000),
  runs: fc.nat(5),
})

/** A tree as a list: each case hangs below an earlier one, or below none. */
const tree = fc
  .array(fc.record({ below: fc.nat(), spends: fc.array(amount, { maxLength: 4 }) }), { maxLength: 40 })
  .map((rows) =>
    rows.map(({ below, spends }, at) => ({
      id: `case-${at}`,
      parentId: at === 0 || below % (at + 1) === at ? null : `case-${below % at}`,
      spends,
    })),
  )

describe('the index of spend', () => {
  it('agrees with a plain sum on random trees, in whatever order cases and spends come', () => {
    fc.assert(
      fc.property(tree, fc.infiniteStream(fc.nat()), (rows, order) => {
        const versions = rows.flatMap(({ id, parentId, spends }) =>
          [NO_SPEND, ...spends].map((spend) => makeCase(id, { parentId, metadata: { spend } })),
        )
        const last = new Map<string, Case>()
        const index = new SpendIndex()
        while (versions.length > 0) {
          const [taken] = versions.splice((order.next().value ?? 0) % versions.length, 1)
          if (!taken) continue
          index.put(taken)
          last.set(taken.id, taken)
        }
        const plain = (id: string): Spend =>
          [...last.values()]
            .filter(({ parentId }) => parentId === id)
            .map(({ id: child }) => plain(child))
            .reduce(addSpend, last.get(id)?.metadata.spend as Spend)
        for (const id of last.keys()) expect(index.totalOf(id)).toEqual(plain(id))
      }),
      { numRuns: 300 },
    )
  })

  it('moves what a subtree spent with it', () => {
    const index = SpendIndex.of(lineage({ tokens: 5 }))
    index.put(makeCase('op-002', { type: 'operation' }))
    index.put(makeCase('op-001', { type: 'operation', parentId: 'op-002' }))
    expect(index.totalOf('dir-001').tokens).toBe(0)
    expect(index.totalOf('op-002').tokens).toBe(5)
  })

  it('ends on a lineage that a damaged file closed into a circle', () => {
    const index = new SpendIndex()
    index.put(makeCase('a', { parentId: 'b', metadata: { spend: spent({ runs: 1 }) } }))
    index.put(makeCase('b', { parentId: 'a' }))
    expect([...index.lineageOf('a')].length).toBeGreaterThan(0)
  })
})

describe('the standing of a case', () => {
  it.each([
    [79, 'within'],
    [80, 'soft'],
    [99, 'soft'],
    [100, 'hard'],
    [140, 'hard'],
  ])('with %i of 100 tokens spent below the operation is %s for its other task', (tokens, kind) => {
    const index = SpendIndex.of(lineage({ tokens }))
    const standing = budgetStanding(index, budgetsOf({ operation: { tokens: 100 } }), 'task-002')
    expect(standing.kind).toBe(kind)
    expect('use' in standing ? standing.use.id : 'op-001').toBe('op-001')
  })

  it('counts each measure in its own unit', () => {
    const index = SpendIndex.of(lineage({ microUsd: 1_250_000, ms: 600_000, runs: 2, tokens: 10 }))
    for (const [limits, kind] of [
      [{ money: 1.25 }, 'hard'],
      [{ money: 1.5 }, 'soft'],
      [{ minutes: 10 }, 'hard'],
      [{ minutes: 13 }, 'within'],
      [{ runs: 2 }, 'hard'],
      [{ tokens: 11, runs: 100 }, 'soft'],
      [{}, 'within'],
    ] as const) {
      expect(budgetStanding(index, budgetsOf({ directive: limits }), 'task-001').kind).toBe(kind)
    }
    const standing = budgetStanding(index, budgetsOf({ task: { money: 1 } }), 'task-001')
    expect('use' in standing && describeUse(standing.use)).toBe(
      '1.25 of 1.00 US dollars of task-001 are spent',
    )
  })

  it('takes a person’s own budget over that of the type, and a lifted one as none', () => {
    const budgets = budgetsOf({ operation: { tokens: 100 } })
    const at = (budget: object) =>
      budgetStanding(SpendIndex.of(lineage({ tokens: 150 }, { budget })), budgets, 'task-001').kind
    expect(at({ tokens: 1_000 })).toBe('within')
    expect(at({ runs: 5 })).toBe('hard')
    expect(at({ lifted: true })).toBe('within')
  })

  it('lets agents exceed a budget by no more than one turn each', () => {
    const turns = fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 40 })), {
      minLength: 1,
      maxLength: 200,
    })
    fc.assert(
      fc.property(turns, fc.integer({ min: 1, max: 500 }), (plan, limit) => {
        const budgets = budgetsOf({ directive: { tokens: limit } })
        const index = SpendIndex.of([
          makeCase('dir-001', { type: 'directive' }),
          ...[0, 1, 2, 3].map((n) => makeCase(`task-${n}`, { parentId: 'dir-001' })),
        ])
        // Every agent's turn begins before any of this round ends, which is the worst that can happen.
        const running = new Map<number, number>()
        const end = (agent: number): void => {
          const tokens = index.ownOf(`task-${agent}`).tokens + (running.get(agent) ?? 0)
          index.put(
            makeCase(`task-${agent}`, { parentId: 'dir-001', metadata: { spend: spent({ tokens }) } }),
          )
          running.delete(agent)
        }
        let largest = 0
        for (const [agent, tokens] of plan) {
          if (running.has(agent)) end(agent)
          if (budgetStanding(index, budgets, `task-${agent}`).kind === 'hard') continue
          running.set(agent, tokens)
          largest = Math.max(largest, tokens)
        }
        for (const agent of [...running.keys()]) end(agent)
        expect(index.totalOf('dir-001').tokens).toBeLessThan(limit + 4 * largest)
      }),
    )
  })
})

describe('a spent budget', () => {
  const budgets = budgetsOf({ operation: { tokens: 100 }, task: { runs: 1 } })

  it('parks its case with the figures, once, and takes it up again when it was raised', () => {
    const cases = lineage({ tokens: 120 })
    const index = SpendIndex.of(cases)
    const [, operation] = cases
    const commands = parkCommands(operation!, index, budgets, NOW)
    expect(commands).toMatchObject([
      {
        kind: 'update',
        metadata: { parked: { measure: 'tokens', spent: 120, limit: 100, was: 'pending', at: NOW } },
      },
      { kind: 'move', status: 'blocked', reason: expect.stringContaining('120 of 100 tokens') },
    ])
    const parked = {
      ...operation!,
      status: 'blocked' as const,
      metadata: commands[0]?.kind === 'update' ? commands[0].metadata! : {},
    }
    expect(parkCommands(parked, index, budgets, NOW)).toEqual([])
    const raised = { ...parked, metadata: { ...parked.metadata, budget: { tokens: 500 } } }
    index.put(raised)
    expect(parkCommands(raised, index, budgets, NOW)).toMatchObject([
      { kind: 'update', metadata: { parked: null } },
      { kind: 'move', status: 'pending' },
    ])
  })

  it('leaves a task at work alone until its run has ended, and one in review in review', () => {
    const task = makeCase('task-009', { status: 'active', metadata: { spend: spent({ runs: 1 }) } })
    const index = SpendIndex.of([task])
    const held = { ...task, leases: { develop: { holder: 'echo-001', fence: 1, expiresAt: NOW } } }
    expect(parkCommands(held, index, budgets, NOW)).toEqual([])
    expect(parkCommands({ ...task, status: 'pending' }, index, budgets, NOW)).toHaveLength(2)
    expect(parkCommands({ ...task, status: 'review' }, index, budgets, NOW)).toHaveLength(1)
  })

  it('does not park what is only below it', () => {
    const cases = lineage({ tokens: 120 })
    expect(parkCommands(cases[3]!, SpendIndex.of(cases), budgets, NOW)).toEqual([])
  })
})

describe('a forecast', () => {
  it('rests on an assumption before the first run, and ever less on it afterwards', () => {
    const assumed = assumeTaskSpend(5_000)
    const open = [NO_SPEND, NO_SPEND]
    const before = forecastSpend({ spent: NO_SPEND, finished: [], open, assumed })
    expect(before.total.tokens).toBe(2 * assumed.tokens)
    const finished = Array.from({ length: 98 }, () => spent({ tokens: 1_000, runs: 3 }))
    const after = forecastSpend({ spent: spent({ tokens: 98_000 }), finished, open, assumed })
    expect(after.perTask.tokens).toBe(Math.round((98_000 + 2 * assumed.tokens) / 100))
    expect(after.total.tokens).toBe(98_000 + 2 * after.perTask.tokens)
  })

  it('reckons money at the price that was paid so far, and not at all while there is none', () => {
    const assumed = assumeTaskSpend(5_000)
    const unpriced = forecastSpend({ spent: NO_SPEND, finished: [], open: [NO_SPEND], assumed })
    expect(unpriced).toMatchObject({ isPriced: false, remaining: { microUsd: 0 } })
    const paid = spent({ tokens: 1_000, microUsd: 3_000 })
    const priced = forecastSpend({ spent: paid, finished: [paid], open: [NO_SPEND], assumed })
    expect(priced.isPriced).toBe(true)
    expect(priced.remaining.microUsd).toBe(3 * priced.remaining.tokens)
    expect(priced.total.microUsd).toBe(3_000 + priced.remaining.microUsd)
  })

  it('of tasks looks at what agents did, and leaves out what is over', () => {
    const cases = [
      makeCase('task-001', { status: 'done', metadata: { spend: spent({ tokens: 500, microUsd: 500 }) } }),
      makeCase('task-002', { status: 'done' }),
      makeCase('task-003', { status: 'failed' }),
      makeCase('task-004'),
      makeCase('task-005', { status: 'blocked' }),
    ]
    const index = SpendIndex.of(cases)
    const forecast = forecastTasks(cases, index, spent({ tokens: 500, microUsd: 500 }))
    expect(forecast).toMatchObject({ tasksSeen: 1, tasksOpen: 2, isPriced: true })
    expect(forecast.remaining.microUsd).toBe(forecast.remaining.tokens)
    expect(forecastTasks(cases, index, NO_SPEND, 1).tasksOpen).toBe(1)
  })

  it('does not expect again what was spent already on an open task', () => {
    const assumed = spent({ tokens: 100 })
    const open = [spent({ tokens: 70 }), spent({ tokens: 500 })]
    const { remaining } = forecastSpend({ spent: spent({ tokens: 570 }), finished: [], open, assumed })
    expect(remaining.tokens).toBe(30)
  })
})

it('reads a turn as whole numbers, and takes nothing away for a clock that went back', () => {
  const turn = { inputTokens: 10, outputTokens: 5, costUsd: 0.0000015, durationMs: -4, startsRun: true }
  expect(spendOfTurn(turn)).toEqual({ tokens: 15, microUsd: 2, ms: 0, runs: 1 })
})
