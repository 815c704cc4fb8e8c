import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { FileStore } from '../../src/store/jsonl/file-store.ts'
import { runCommand } from './program.ts'
import { commit, createOperation, stateOf } from './sample-store.ts'
import { scratchFolder, show } from './scratch.ts'

const DISK_KB = 1_024
const BALLAST_KB = 256

/** A project on a disk of its own, with ballast on it that can be thrown off. */
function smallDisk(): { project: string; folder: string; freeSpace(): void } {
  const project = scratchFolder()
  const { status, stderr } = spawnSync(
    'mount',
    ['-t', 'tmpfs', '-o', `size=${DISK_KB}k`, 'axiom-crash', project],
    { encoding: 'utf8' },
  )
  if (status !== 0) {
    throw new Error(`this test mounts a small tmpfs, which needs root (CAP_SYS_ADMIN): ${stderr}`)
  }
  onTestFinished(() => void spawnSync('umount', ['--lazy', project]))
  const ballast = join(project, 'ballast')
  writeFileSync(ballast, Buffer.alloc(BALLAST_KB * 1024, 1))
  return { project, folder: join(project, '.axiom'), freeSpace: () => rmSync(ballast) }
}

/** The last free byte, too. */
function fillUp(project: string): void {
  for (const bytes of [4_096, 1]) {
    try {
      for (;;) appendFileSync(join(project, 'ballast'), Buffer.alloc(bytes))
    } catch {}
  }
}

it('answers nothing more after a write failed, and has all it answered when there is space again', async () => {
  const { project, folder, freeSpace } = smallDisk()
  const store = new FileStore({ folder })
  const acknowledged: string[] = []
  const failures: unknown[] = []
  for (let round = 0; failures.length === 0; round += 1) {
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        const content = `${round}-${writer} ${'x'.repeat(300)}`
        await createOperation(store, content).then(
          () => acknowledged.push(content),
          (error) => failures.push(error),
        )
      }),
    )
  }
  for (const failure of failures) expect(failure).toMatchObject({ code: 'STORE_WRITE_FAILED' })
  await expectPoisoned(store)
  await store.close()
  fillUp(project)
  const command = await runCommand(project, '--json', 'case', 'create', '--type', 'draft', '--content', 'x')
  expect(command.code).toBe(4)
  expect(command.errors).toMatch(/"code":"STORE_(?:WRITE|LOCK)_FAILED"/)

  freeSpace()
  const again = new FileStore({ folder })
  const records = new Map((await again.query({})).map((record) => [record.id, record]))
  const operations = [...records.values()].filter(({ type }) => type === 'operation')
  const contents = new Set(operations.map(({ content }) => content))
  for (const content of acknowledged) expect(contents.has(content), content.slice(0, 10)).toBe(true)
  for (const { id, childIds } of operations) expect(childIds, id).toHaveLength(3)
  await createOperation(again, 'there is space again')
  await again.close()
  show(`${acknowledged.length} answered, ${operations.length} there, ${failures.length} refused`)
})

/** Nothing is answered, least of all from a memory that is ahead of the disk. */
async function expectPoisoned(store: FileStore): Promise<void> {
  const create = { kind: 'create', type: 'draft', content: 'x' } as const
  const questions = [
    () => store.transact({ by: 'tester', commands: [create] }),
    () => store.transact({ by: 'tester', commands: [{ ...create, content: '' }] }),
    () => store.query({}),
    () => store.history('op-001'),
    () => store.explain('task-001'),
    () => store.document('project'),
    () => store.renew([], 1_000),
    () => store.report(),
    () => store.exported(),
    () => store.compact(),
    () => store.import([]),
  ]
  for (const ask of questions) {
    const answer = await ask().then(
      (value) => ({ answered: value }),
      (error: unknown) => error,
    )
    expect(answer, String(ask)).toMatchObject({ code: 'STORE_WRITE_FAILED' })
  }
}

it('goes on with the file as it was when there is no space to compact it', async () => {
  const { folder, freeSpace } = smallDisk()
  const store = new FileStore({ folder })
  // More than half of what is left, so that the compacted form does not fit beside it.
  for (let round = 0; (await store.report()).bytes < ((DISK_KB - BALLAST_KB) * 1024) / 1.7; round += 1) {
    await createOperation(store, `${round} ${'x'.repeat(3_000)}`)
  }
  const before = await stateOf(store)
  await expect(store.compact()).rejects.toMatchObject({ code: 'STORE_WRITE_FAILED' })
  expect(existsSync(join(folder, 'cases.jsonl.draft'))).toBe(false)
  expect(await stateOf(store)).toEqual(before)
  await commit(store, { kind: 'create', type: 'draft', content: 'still written' })
  freeSpace()
  await store.compact()
  const after = await stateOf(store)
  await store.close()
  const again = new FileStore({ folder })
  expect(await stateOf(again)).toEqual(after)
  expect(Object.keys(after.cases)).toHaveLength(Object.keys(before.cases).length + 1)
  expect((await again.report()).damage).toEqual([])
  await again.close()
})
