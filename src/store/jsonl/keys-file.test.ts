import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Disk, disk } from './disk.ts'
import { FileStore } from './file-store.ts'

let top = ''

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'axiom-keys-'))
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

const sent = (key: string) => ({
  commands: [{ kind: 'create', type: 'operation', content: key }] as const,
  by: 'user',
  key,
})

it('remembers over a compaction only what is on disk', async () => {
  const folder = join(top, '.axiom')
  const after = join(top, 'after')
  let release = () => {}
  let reach = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  const held: Disk = {
    ...disk,
    syncLater: async (fd) => {
      reach()
      await released
      await disk.syncLater(fd)
    },
    rename: (from, to) => {
      disk.rename(from, to)
      // The power goes when the new file has its name: this is what the disk holds.
      if (to === join(folder, 'cases.jsonl')) cpSync(folder, after, { recursive: true })
    },
  }
  const store = new FileStore({ folder, disk: held })
  await store.transact(sent('before'))
  const compaction = store.compact()
  await reached
  const during = store.transact(sent('during'))

  release()
  await Promise.all([compaction, during])
  await store.close()

  const restarted = new FileStore({ folder: after })
  await restarted.transact(sent('before'))
  const again = await restarted.transact(sent('during'))
  expect(again).toMatchObject({ kind: 'committed', created: ['op-002'], cases: [{ content: 'during' }] })
  expect((await restarted.query({})).map(({ content }) => content)).toEqual(['before', 'during'])
  await restarted.close()
})

it('goes on without a file that cannot be understood', async () => {
  const folder = join(top, '.axiom')
  mkdirSync(folder)
  for (const text of ['{"half', 'null', '[["a",null],["b",{"seq":"x"}],7]']) {
    writeFileSync(join(folder, 'cases.jsonl.keys'), text)
    const store = new FileStore({ folder })
    expect(await store.transact(sent(`a ${text}`))).toMatchObject({ kind: 'committed' })
    await store.close()
  }
})

it('forgets what was done in another file than this one', async () => {
  const folder = join(top, '.axiom')
  const store = new FileStore({ folder })
  await store.transact(sent('gone'))
  await store.compact()
  await store.close()
  writeFileSync(join(folder, 'cases.jsonl'), '')
  const restarted = new FileStore({ folder })
  expect(await restarted.transact(sent('gone'))).toMatchObject({ cases: [{ content: 'gone' }] })
  await restarted.close()
})
