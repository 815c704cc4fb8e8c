import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Case } from '../../src/cases/case.ts'
import { CaseIndex } from '../../src/cases/case-index.ts'
import { CASE_TYPES } from '../../src/cases/case-types.ts'
import { execute } from '../../src/cases/execute.ts'
import { holdsOf } from '../../src/cases/readiness.ts'
import { FileStore } from '../../src/store/jsonl/file-store.ts'
import type { CaseRecord } from '../../src/store/store.ts'
import { nextCommand, realCommand, seeded } from './generate-commands.ts'
import { type PlainCase, PlainCases } from './plain-cases.ts'

const EPOCH = Date.parse('2026-01-01T00:00:00.000Z')
/** What the two must agree on, from either side. */
function plainState({
  id,
  type,
  status,
  content,
  parent,
  dependsOn,
  deleted,
  fence,
  leases,
  retries,
}: PlainCase): object {
  return { id, type, status, content, parent, dependsOn, deleted, fence, leases, retries }
}

function realState(subject: Case): object {
  const execution = subject.metadata.execution as { retryCount?: number } | undefined
  const leases = Object.fromEntries(
    Object.entries(subject.leases ?? {}).map(([stage, { holder, fence, expiresAt }]) => [
      stage,
      { holder, fence, until: Date.parse(expiresAt) - EPOCH },
    ]),
  )
  return {
    id: subject.id,
    type: subject.type,
    status: subject.status,
    content: subject.content,
    parent: subject.parentId,
    dependsOn: subject.dependsOn ?? [],
    deleted: subject.deletedAt !== undefined,
    fence: subject.fence ?? 0,
    leases,
    retries: execution?.retryCount ?? 0,
  }
}

function instant(model: PlainCases): string {
  return new Date(EPOCH + model.now).toISOString()
}

/** Runs one random sequence on the index in memory and on the model, comparing after every command. */
export function compareIndex(seed: number, steps: number): void {
  const random = seeded(seed)
  const model = new PlainCases()
  const index = new CaseIndex()
  let uid = 0
  for (let step = 0; step < steps; step += 1) {
    model.now += Math.floor(random() * 10)
    const command = nextCommand(model, random)
    const occasion = {
      now: instant(model),
      by: 'user',
      newUid: () => `uid-${++uid}`,
      prefixOf: (type: Case['type']) => CASE_TYPES[type].prefix,
    }
    const outcome = execute(index, [realCommand(command)], occasion)
    const expected = model.run(command)
    const where = `seed ${seed}, step ${step}: ${JSON.stringify(command)}`
    expect(outcome.kind === 'refused' ? outcome.code : 'ok', where).toBe(expected)
    expect([...index.all()].map(realState), where).toEqual([...model.cases.values()].map(plainState))
    const ready = new Set(
      model
        .live()
        .filter((one) => model.isReady(one))
        .map(({ id }) => id),
    )
    expect(new Set(index.ready()), where).toEqual(ready)
    const free = [...index.all()]
      .filter((subject) => holdsOf(index, subject).length === 0)
      .map(({ id }) => id)
    expect(new Set(free), where).toEqual(ready)
    expect(model.hasCircle(), where).toBe(false)
  }
}

/** Runs one random sequence on a store on disk, reopened and compacted in between, and on the model. */
export async function compareStore(seed: number, rounds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'axiom-property-'))
  const random = seeded(seed)
  const model = new PlainCases()
  const options = { folder: join(folder, '.axiom'), clock: () => instant(model) }
  let store = new FileStore(options)
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (let step = 0; step < 40; step += 1) {
        model.now += Math.floor(random() * 10)
        const command = nextCommand(model, random)
        const outcome = await store.transact({ commands: [realCommand(command)], by: 'user' })
        const where = `seed ${seed}: ${JSON.stringify(command)}`
        expect('code' in outcome ? outcome.code : 'ok', where).toBe(model.run(command))
      }
      const live = await stateOf(store, model)
      if (round % 2 === 1) await store.compact()
      await store.close()
      store = new FileStore(options)
      expect((await store.report()).damage, `seed ${seed}`).toEqual([])
      expect(await stateOf(store, model), `seed ${seed}, reopened`).toEqual(live)
    }
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Checks a store against the model and returns everything that must survive a reopening. */
async function stateOf(store: FileStore, model: PlainCases): Promise<object> {
  const records = await store.query({ deleted: true })
  const byId = new Map(records.map((record) => [record.id, record]))
  const states = [...model.cases.keys()].map((id) => {
    const { childIds: _, ...subject } = byId.get(id) as CaseRecord
    return realState(subject)
  })
  expect(states).toEqual([...model.cases.values()].map(plainState))
  expect(records.length).toBe(model.cases.size)
  const ready = await store.query({ ready: true })
  const expected = model.live().filter((one) => model.isReady(one))
  expect(new Set(ready.map(({ id }) => id))).toEqual(new Set(expected.map(({ id }) => id)))
  for (const { id, childIds } of records) {
    const children = [...model.cases.values()].filter(({ parent }) => parent === id)
    expect(childIds).toEqual(children.map((child) => child.id))
  }
  const histories = await Promise.all(records.map(({ id }) => store.history(id)))
  return { states, histories, uids: records.map(({ uid, rev }) => [uid, rev]) }
}
