import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FileStore } from '../store/jsonl/file-store.ts'
import type { Store } from '../store/store.ts'
import { changeProject, readProject } from './document.ts'
import { makeRepairTask } from './repair-task.ts'

const red = (commit: string) => ({ kind: 'red', commit, text: 'npm test: 1 failed' }) as const

let folder: string
let store: FileStore

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'axiom-repair-'))
  store = new FileStore({ folder })
})

afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const repairs = async () => (await store.query({ type: 'task' })).map(({ id }) => id)
const recorded = async () => (await readProject(store)).project.repairTask

async function finish(id: string): Promise<void> {
  const answer = await store.transact({ commands: [{ kind: 'complete', id, result: 'green' }], by: 'user' })
  expect(answer.kind).toBe('committed')
}

/** A process that dies after so many commits. */
function dyingAfter(commits: number): Pick<Store, 'document' | 'query' | 'transact'> {
  let left = commits
  return {
    document: (key) => store.document(key),
    query: (query) => store.query(query),
    transact: (transaction) => {
      if (left === 0) return Promise.reject(new Error('killed'))
      left -= 1
      return store.transact(transaction)
    },
  }
}

it('makes one repair of a red target, however often it is asked for', async () => {
  expect(await makeRepairTask(store, 'dex-001', red('a'))).toBe('task-001')
  expect(await makeRepairTask(store, 'dex-002', red('b'))).toBe('task-001')
  expect([await repairs(), await recorded()]).toEqual([['task-001'], 'task-001'])
})

it('makes one repair also when the process dies between its making and its recording', async () => {
  await expect(makeRepairTask(dyingAfter(1), 'dex-001', red('a'))).rejects.toThrow('killed')
  await changeProject(store, 'dex-002', (project) => ({ ...project, mode: 'autopilot' }))
  expect(await makeRepairTask(store, 'dex-002', red('b'))).toBe('task-001')
  expect([await repairs(), await recorded()]).toEqual([['task-001'], 'task-001'])
})

it('makes another repair when the last one is done, also one that was never recorded', async () => {
  await expect(makeRepairTask(dyingAfter(1), 'dex-001', red('a'))).rejects.toThrow('killed')
  await finish('task-001')
  expect(await makeRepairTask(store, 'dex-002', red('a'))).toBe('task-002')
  await finish('task-002')
  expect(await makeRepairTask(store, 'dex-002', red('a'))).toBe('task-003')
  expect(await recorded()).toBe('task-003')
})
