import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { FileStore } from '../../src/store/jsonl/file-store.ts'
import { startProgram } from './program.ts'
import { below, type Random, seededRandom } from './random.ts'
import { scratchFolder, show } from './scratch.ts'

/** Two processors: more at once would only wait for each other. */
const FOLDERS_AT_ONCE = 2
/** A kill comes at a random moment after a random number of answers, some before the first one. */
const ANSWERS_MAX = 80
const KILL_MS_MAX = 12

interface Tally {
  acknowledged: number
  lost: number
  half: number
  reused: number
  tornTails: number
  otherDamage: number
}

/** Kills writers of a safe store, so many in each folder. */
export function killSafeWriters(folders: number, kills: number): void {
  it(`loses no acknowledged commit and leaves no half one when the writer is killed at ${folders * kills} moments`, async () => {
    const tally = await killWriters('safe', folders, kills)
    show(`${folders * kills} kills of a safe store: ${JSON.stringify(tally)}`)
    expect(tally.acknowledged).toBeGreaterThan(folders * kills * 10)
    expect(tally).toMatchObject({ lost: 0, half: 0, reused: 0, otherDamage: 0 })
  })
}

export async function killWriters(safety: 'safe' | 'unsafe', folders: number, kills: number): Promise<Tally> {
  const tally: Tally = { acknowledged: 0, lost: 0, half: 0, reused: 0, tornTails: 0, otherDamage: 0 }
  const waiting = Array.from({ length: folders }, (_, folder) => folder)
  const work = async () => {
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      await killInFolder(safety, kills, seededRandom(folder), tally)
    }
  }
  await Promise.all(Array.from({ length: FOLDERS_AT_ONCE }, work))
  return tally
}

async function killInFolder(
  safety: 'safe' | 'unsafe',
  kills: number,
  random: Random,
  tally: Tally,
): Promise<void> {
  const folder = scratchFolder()
  const contentById = new Map<string, string>()
  for (let round = 0; round < kills; round += 1) {
    const writer = startProgram('write-batches.ts', folder, `round${round}`, safety)
    await writer.printed(1 + below(random, ANSWERS_MAX))
    await sleep(random() * KILL_MS_MAX)
    await writer.kill()
    const { errors } = await writer.ended
    expect(errors).toBe('')
    for (const line of writer.lines.slice(1)) {
      const [content = '', ...ids] = line.split(' ')
      for (const id of ids) {
        if (contentById.has(id)) tally.reused += 1
        contentById.set(id, content)
      }
      tally.acknowledged += 1
    }
    await examine(folder, contentById, tally)
    if (below(random, 4) === 0) await compactOnce(folder)
  }
}

async function examine(
  folder: string,
  contentById: ReadonlyMap<string, string>,
  tally: Tally,
): Promise<void> {
  const store = new FileStore({ folder })
  const records = new Map((await store.query({})).map((record) => [record.id, record]))
  for (const [id, content] of contentById) if (records.get(id)?.content !== content) tally.lost += 1
  for (const { type, childIds, content } of records.values()) {
    const whole = childIds.length === 3 && childIds.every((id) => records.get(id)?.content === content)
    if (type === 'operation' && !whole) tally.half += 1
  }
  const { damage } = await store.report()
  const torn = damage.filter(({ kind }) => kind === 'torn-tail').length
  tally.tornTails += torn
  tally.otherDamage += damage.length - torn
  await store.close()
}

async function compactOnce(folder: string): Promise<void> {
  const store = new FileStore({ folder })
  await store.compact()
  await store.close()
}
