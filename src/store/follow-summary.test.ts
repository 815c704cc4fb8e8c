import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Summary } from '../events/summary.ts'
import { followSummary, readSummary } from './follow-summary.ts'
import { openStore } from './open-store.ts'
import type { Store } from './store.ts'

async function openPair(): Promise<{ owner: Store; client: Store }> {
  const top = mkdtempSync(join(tmpdir(), 'axiom-summary-'))
  const folder = join(top, '.axiom')
  const owner = await openStore({ folder, purpose: 'owner' })
  const client = await openStore({ folder, purpose: 'client' })
  onTestFinished(async () => {
    await client.close()
    await owner.close()
    rmSync(top, { recursive: true, force: true })
  })
  return { owner, client }
}

it('shows another process every change of the cases and of the live rows', async () => {
  const { owner, client } = await openPair()
  const acts = [
    () => owner.transact({ by: 'user', commands: [{ kind: 'create', type: 'operation', content: 'op' }] }),
    () =>
      owner.transact({
        by: 'user',
        commands: [{ kind: 'create', type: 'task', parentId: 'op-001', content: 'first task' }],
      }),
    () =>
      owner.transact({
        by: 'dex-001',
        commands: [{ kind: 'claim', id: 'task-001', stage: 'develop', holder: 'echo-001', ttlMs: 60_000 }],
      }),
    async () =>
      owner.publishLive([
        { agent: 'echo-001', task: 'task-001', state: 'iteration', iteration: 3, elapsedMs: 5, progress: 60 },
      ]),
  ]
  const isThere: ((summary: Summary) => boolean)[] = [
    () => true,
    ({ counts }) => counts.operation?.pending === 1,
    ({ board }) => board.ready.length === 1,
    ({ agents }) => agents[0]?.state === 'holding',
    ({ agents }) => agents[0]?.progress === 60,
  ]
  const stop = new AbortController()
  let step = 0
  for await (const summary of followSummary(client, stop.signal)) {
    if (!isThere[step]?.(summary)) continue
    await acts[step]?.()
    step += 1
    if (step === isThere.length) stop.abort()
  }
  expect(step).toBe(isThere.length)
})

it('tells whoever looks once what happened last', async () => {
  const { owner, client } = await openPair()
  await owner.transact({ by: 'user', commands: [{ kind: 'create', type: 'draft', content: 'an idea' }] })
  await owner.transact({
    by: 'user',
    commands: [{ kind: 'move', id: 'draft-001', status: 'active', reason: 'begun' }],
  })
  const { timeline, counts } = await readSummary(client)
  expect(counts).toEqual({ draft: { active: 1 } })
  expect(timeline.at(-1)).toMatchObject({ id: 'draft-001', what: 'active', reason: 'begun', by: 'user' })
})
