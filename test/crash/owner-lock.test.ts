import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openStore } from '../../src/store/open-store.ts'
import { type Program, startProgram } from './program.ts'
import { commit, createOperation, readJournal } from './sample-store.ts'
import { scratchFolder, show } from './scratch.ts'
import { ownerPid } from './sharing.ts'

const SILENT_MS_MAX = 1_500
const KILLS = 6

async function startOwner(folder: string, name: string, ...more: readonly string[]): Promise<Program> {
  const program = startProgram('share-store.ts', folder, name, ...more)
  await program.printed(1)
  return program
}

function sayCreate(program: Program, content: string): void {
  program.say(JSON.stringify([[{ kind: 'create', type: 'draft', content }]]))
}

it('leaves nothing stale when the owner is killed', async () => {
  const folder = scratchFolder('.axiom')
  for (let round = 0; round < KILLS; round += 1) {
    const owner = await startOwner(folder, `owner-${round}`)
    expect(ownerPid(folder)).toBe(owner.child.pid)
    await owner.kill()
    const store = await openStore({ folder, purpose: 'the next one' })
    expect(ownerPid(folder)).toBe(process.pid)
    await createOperation(store, `round ${round}`)
    await store.close()
  }
  const left = readdirSync(join(folder, 'lock'))
  expect(left.length, left.join(' ')).toBeLessThanOrEqual(2)
})

it('says who holds the store when the owner is stopped, and writes nothing beside it', async () => {
  const folder = scratchFolder('.axiom')
  const owner = await startOwner(folder, 'the stopped one')
  sayCreate(owner, 'before')
  await owner.printed(3)
  const journal = readJournal(folder)
  owner.child.kill('SIGSTOP')

  const other = startProgram('share-store.ts', folder, 'other', String(SILENT_MS_MAX))
  const { code, errors } = await other.ended
  expect(code).not.toBe(0)
  expect(errors).toContain('STORE_OWNER_SILENT')
  expect(errors).toContain(`process ${owner.child.pid} (the stopped one)`)
  expect(other.lines).toEqual([])
  expect(readJournal(folder).equals(journal)).toBe(true)

  owner.child.kill('SIGCONT')
  sayCreate(owner, 'after')
  await owner.printed(5)
  expect(owner.lines).toEqual([
    'ready',
    '0 committed ok draft-001',
    'done',
    '1 committed ok draft-002',
    'done',
  ])
})

it('works where a path is longer than a socket may have', async () => {
  const folder = scratchFolder('a'.repeat(60), 'b'.repeat(60), '.axiom')
  expect(Buffer.byteLength(folder)).toBeGreaterThan(108)
  const owner = await startOwner(folder, 'owner')
  const client = await startOwner(folder, 'client')
  sayCreate(client, 'through the owner')
  await client.printed(3)
  await owner.kill()
  sayCreate(client, 'as the owner')
  await client.printed(5)
  expect(client.lines.slice(1)).toEqual([
    '0 committed ok draft-001',
    'done',
    '1 committed ok draft-002',
    'done',
  ])
  expect(ownerPid(folder)).toBe(client.child.pid)
})

it('gives no number twice when the counter file is lost or damaged', async () => {
  const folder = scratchFolder('.axiom')
  const counters = join(folder, 'metrics/counters.json')
  const given = new Set<number>()
  const allocate = async (times: number) => {
    const store = await openStore({ folder, purpose: 'counting' })
    for (let time = 0; time < times; time += 1) {
      const number = await store.allocate('echo')
      expect(given).not.toContain(number)
      given.add(number)
    }
    const { created } = await commit(store, { kind: 'create', type: 'draft', content: 'x' })
    await store.close()
    return created[0]
  }
  expect(await allocate(3)).toBe('draft-001')
  rmSync(counters)
  expect(await allocate(2)).toBe('draft-002')
  writeFileSync(counters, '{"echo": 1, "dra')
  expect(await allocate(2)).toBe('draft-003')
  writeFileSync(counters, '{"echo": -4}')
  expect(await allocate(1)).toBe('draft-004')

  // Both lost: logs, workspaces and cases still know.
  rmSync(counters)
  rmSync(`${counters}.backup`)
  mkdirSync(join(folder, 'agents/echo/logs'), { recursive: true })
  writeFileSync(join(folder, 'agents/echo/logs/echo-011.jsonl'), '')
  mkdirSync(join(folder, '../.workspaces/echo-015-task-001'), { recursive: true })
  expect(await allocate(1)).toBe('draft-005')
  expect([...given].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 16])
  show(`${given.size} numbers given, none twice`)
})
