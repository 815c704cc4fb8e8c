import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Config, configSchema } from '../../config/schema.ts'
import { FileStore } from '../../store/jsonl/file-store.ts'
import { personEventContext } from '../delivery/event-context.ts'
import { overrideCase } from './override-case.ts'

let folder: string
let store: FileStore

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'axiom-override-'))
  store = new FileStore({ folder })
  await store.transact({
    by: 'user',
    commands: [
      { kind: 'create', type: 'operation', content: 'feature' },
      { kind: 'create', type: 'task', content: 'first', parentId: 'op-001' },
      { kind: 'create', type: 'task', content: 'second', parentId: 'op-001' },
    ],
  })
  await spend('task-001', 9)
})

afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

async function spend(id: string, tokens: number): Promise<void> {
  const spent = { tokens, microUsd: 0, ms: 0, runs: 1 }
  await store.transact({ by: 'director', commands: [{ kind: 'update', id, metadata: { spend: spent } }] })
}

const override = (id: string, budgets: Partial<Config['budgets']>) =>
  overrideCase(store, personEventContext(folder, configSchema.parse({ budgets })), 'user', id)

const budgetOf = async (id: string) => (await store.query({ ids: [id] }))[0]?.metadata.budget

describe('a budget that is spent', () => {
  it('no longer holds a task that a person overrides before it is parked', async () => {
    expect(await override('task-001', { task: { tokens: 9 } })).toEqual({
      kind: 'overridden',
      id: 'task-001',
      what: 'budget',
    })
    expect(await budgetOf('task-001')).toEqual({ lifted: true })
  })

  it('keeps the limits that a person gave the task, though they hold it no more', async () => {
    await store.transact({
      by: 'user',
      commands: [{ kind: 'update', id: 'task-001', metadata: { budget: { tokens: 5 } } }],
    })
    expect(await override('task-001', {})).toMatchObject({ kind: 'overridden' })
    expect(await budgetOf('task-001')).toEqual({ tokens: 5, lifted: true })
  })

  it('of the operation is lifted there, and a task below it says so', async () => {
    const operation = { operation: { tokens: 9 } }
    expect(await override('task-002', operation)).toMatchObject({
      kind: 'refused',
      code: 'NOTHING_TO_OVERRIDE',
      message: '9 of 9 tokens of op-001 are spent, and that holds task-002',
      hint: '"axiom override op-001" lets everything below it go on',
    })
    expect(await override('op-001', operation)).toMatchObject({ kind: 'overridden', what: 'budget' })
  })

  it('counts what was spent on tasks that were deleted', async () => {
    await store.transact({ by: 'user', commands: [{ kind: 'delete', id: 'task-001', reason: 'not wanted' }] })
    expect(await override('op-001', { operation: { tokens: 9 } })).toMatchObject({ kind: 'overridden' })
  })
})

it('has nothing to override where the budget is not spent, or the task is deleted', async () => {
  const refused = { kind: 'refused', code: 'NOTHING_TO_OVERRIDE' }
  expect(await override('task-001', { task: { tokens: 10 } })).toMatchObject(refused)
  await store.transact({ by: 'user', commands: [{ kind: 'delete', id: 'task-001', reason: 'not wanted' }] })
  expect(await override('task-001', { task: { tokens: 9 } })).toMatchObject(refused)
})
