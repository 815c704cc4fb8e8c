import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { FileStore } from '../../src/store/jsonl/file-store.ts'
import { type Fate, filesAfterPowerLoss } from './power-loss.ts'
import { below, type Random, seededRandom } from './random.ts'
import { type Operation, RecordedDisk } from './recorded-disk.ts'
import { createOperation, QUICK_DISK } from './sample-store.ts'
import { scratchFolder, show } from './scratch.ts'

const FATES_PER_MOMENT = 40
const FATES_IN_CONTROL = 2

it('has every acknowledged commit in full, whenever the power goes and whatever was not synced', async () => {
  const { folder, operations } = await recordLife()
  const kinds = new Set(operations.map(({ kind }) => kind))
  expect([...kinds].sort()).toEqual(
    ['acknowledged', 'create', 'rename', 'sync', 'sync-folder', 'truncate', 'write'].sort(),
  )
  const tally = await replay(folder, operations, FATES_PER_MOMENT)
  show(`${operations.length} operations, ${JSON.stringify(tally)}`)
  expect(tally).toMatchObject({ lost: 0, half: 0, otherDamage: 0, numbersReused: 0, unusable: 0 })
  expect(tally.tornTails).toBeGreaterThan(50)
})

it.each([
  ['sync does nothing', 'sync'],
  ['syncing a folder does nothing', 'sync-folder'],
] as const)('catches a disk on which %s', async (_, kind) => {
  const { folder, operations } = await recordLife()
  const tally = await replay(
    folder,
    operations.filter((operation) => operation.kind !== kind),
    FATES_IN_CONTROL,
  )
  show(`without ${kind}: ${JSON.stringify(tally)}`)
  expect(tally.lost).toBeGreaterThan(0)
})

/** A life with commits of several lines, many at once, a compaction, a torn tail, and a process killed before its sync. */
async function recordLife(): Promise<{ folder: string; operations: readonly Operation[] }> {
  const folder = scratchFolder('.axiom')
  const disk = new RecordedDisk()
  let store = new FileStore({ folder, disk })
  const create = async (marker: string) => {
    await createOperation(store, `${marker} ${'long '.repeat(marker.length * 60)}`)
    disk.acknowledge(marker)
  }
  await create('first')
  await Promise.all(['a', 'bb', 'ccc', 'dddd'].map(create))
  disk.acknowledge(`echo-${await store.allocate('echo')}`)
  await store.compact()
  await create('after compaction')
  await Promise.all(['e', 'ff'].map(create))

  disk.killBeforeSync()
  await expect(createOperation(store, 'killed')).rejects.toThrow('killed')
  disk.revive()
  store = new FileStore({ folder, disk })
  // The next process shows what the killed one had written: from then on it may not go away.
  const shown = await store.query({ type: 'operation' })
  expect(shown.map(({ content }) => content)).toContain('killed')
  disk.acknowledge('killed')
  await create('next')
  disk.acknowledge(`echo-${await store.allocate('echo')}`)
  await store.close()

  writeFileSync(join(folder, 'cases.jsonl'), '{"id":"torn', { flag: 'a' })
  const { operations } = disk
  const written = operations.findLast(
    (operation) => operation.kind === 'write' && operation.bytes.includes('txn'),
  )
  if (written?.kind === 'write') {
    const at = written.at + written.bytes.length
    operations.push({ kind: 'write', inode: written.inode, at, bytes: Buffer.from('{"id":"torn') })
  }
  store = new FileStore({ folder, disk })
  await create('after a torn tail')
  await store.compact()
  await create('last')
  await store.close()
  return { folder, operations }
}

interface Tally {
  replays: number
  lost: number
  half: number
  tornTails: number
  otherDamage: number
  numbersReused: number
  unusable: number
}

async function replay(
  folder: string,
  operations: readonly Operation[],
  fatesPerMoment: number,
): Promise<Tally> {
  const tally: Tally = {
    replays: 0,
    lost: 0,
    half: 0,
    tornTails: 0,
    otherDamage: 0,
    numbersReused: 0,
    unusable: 0,
  }
  const random = seededRandom(77)
  const target = scratchFolder('.axiom')
  for (let length = 1; length <= operations.length; length += 1) {
    const past = operations.slice(0, length)
    const acknowledged = past.flatMap((operation) =>
      operation.kind === 'acknowledged' ? [operation.what] : [],
    )
    const seen = new Set<string>()
    for (const fate of [KEEPS_ALL, KEEPS_NOTHING, ...fates(random, fatesPerMoment)]) {
      const files = filesAfterPowerLoss(past, fate)
      const print = [...files].map(([path, bytes]) => `${path} ${bytes.toString('base64')}`).join('\n')
      if (seen.has(print)) continue
      seen.add(print)
      place(target, folder, files)
      await examine(target, acknowledged, tally)
    }
  }
  return tally
}

const KEEPS_ALL: Fate = {
  pageBytes: 4096,
  keepsPage: () => true,
  keepsLength: () => true,
  keepsNames: (changes) => changes,
}
const KEEPS_NOTHING: Fate = {
  pageBytes: 4096,
  keepsPage: () => false,
  keepsLength: () => false,
  keepsNames: () => 0,
}

function fates(random: Random, count: number): Fate[] {
  return Array.from({ length: count }, (_, turn) => ({
    pageBytes: turn % 2 === 0 ? 4096 : 512,
    keepsPage: () => random() < 0.6,
    keepsLength: () => random() < 0.7,
    keepsNames: (changes) => below(random, changes + 1),
  }))
}

function place(target: string, from: string, files: ReadonlyMap<string, Buffer>): void {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target)
  for (const [path, bytes] of files) {
    const copy = join(target, relative(from, path))
    mkdirSync(dirname(copy), { recursive: true })
    writeFileSync(copy, bytes)
  }
}

async function examine(folder: string, acknowledged: readonly string[], tally: Tally): Promise<void> {
  tally.replays += 1
  const store = new FileStore({ folder, disk: QUICK_DISK })
  const records = new Map((await store.query({})).map((record) => [record.id, record]))
  const whole = new Set<string>()
  for (const { type, content, childIds } of records.values()) {
    if (type !== 'operation') continue
    const isWhole = childIds.length === 3 && childIds.every((id) => records.get(id)?.content === content)
    if (isWhole) whole.add(content.replace(/ (?:long ?)+$/, ''))
    else tally.half += 1
  }
  const numbers = acknowledged.filter((what) => what.startsWith('echo-'))
  if ((await store.allocate('echo')) <= numbers.length) tally.numbersReused += 1
  tally.lost += acknowledged.filter((what) => !what.startsWith('echo-') && !whole.has(what)).length
  const { damage } = await store.report()
  for (const { kind } of damage) {
    if (kind === 'torn-tail') tally.tornTails += 1
    else tally.otherDamage += 1
  }
  await createOperation(store, 'new').catch(() => (tally.unusable += 1))
  await store.close()
  await examineAgain(folder, records.size, tally)
}

async function examineAgain(folder: string, cases: number, tally: Tally): Promise<void> {
  const store = new FileStore({ folder, disk: QUICK_DISK })
  const report = await store.report()
  if (report.damage.length > 0 || report.cases !== cases + 4) tally.unusable += 1
  await store.close()
}
