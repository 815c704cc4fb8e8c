import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FileStore } from '../../src/store/jsonl/file-store.ts'
import {
  commit,
  createOperation,
  journalOf,
  load,
  placeJournal,
  QUICK_DISK,
  readJournal,
  type State,
  stateOf,
} from './sample-store.ts'
import { scratchFolder, show } from './scratch.ts'

/** How many lines each of the last commits has. */
const ENDINGS: readonly (readonly number[])[] = [[1, 1, 1], [4], [1, 4], [4, 1]]

/** A store opened after this many cuts is also written to, and opened twice more. */
const USED_EVERY = 10

interface Whole {
  readonly bytes: number
  readonly state: State
}

/** The last lines, cut at every so many bytes and at each whole line. */
export function cutLastLines(every: number): void {
  it.each(ENDINGS)('holds whole commits only, wherever the last lines are cut (%j)', async (...ending) => {
    const folder = scratchFolder()
    const wholes = await writeEnding(folder, ending)
    const journal = readJournal(folder)
    const lastLines = startOfLastLines(journal, 3)
    let torn = 0
    for (let length = lastLines; length < journal.length; length += 1) {
      if (length % every !== 0 && !wholes.some(({ bytes }) => bytes === length)) continue
      placeJournal(folder, journal.subarray(0, length))
      const whole = wholes.findLast(({ bytes }) => bytes <= length) as Whole
      const { state, damage } = await load(folder)
      if (JSON.stringify(state) !== JSON.stringify(whole.state)) expect(state).toEqual(whole.state)
      if (length === whole.bytes) expect(damage).toEqual([])
      else {
        torn += 1
        const line = countLines(journal.subarray(0, whole.bytes)) + 1
        expect(damage).toEqual([
          { kind: 'torn-tail', line, bytes: length - whole.bytes, savedTo: expect.any(String) },
        ])
        const { savedTo } = damage[0] as { savedTo: string }
        expect(readFileSync(join(folder, savedTo)).equals(journal.subarray(whole.bytes, length))).toBe(true)
      }
      if (length % USED_EVERY === 0 || length === whole.bytes) await expectUsable(folder, whole)
    }
    show(`${ending}: ${journal.length - lastLines} cuts, ${torn} torn`)
    expect(torn).toBeGreaterThan(500 / every)
  })
}

/** A whole life before it, then the ending; with the state after each commit. */
async function writeEnding(folder: string, ending: readonly number[]): Promise<Whole[]> {
  const store = new FileStore({ folder, disk: QUICK_DISK })
  const wholes: Whole[] = []
  const note = async () =>
    wholes.push({ bytes: readFileSync(journalOf(folder)).length, state: await stateOf(store) })
  await createOperation(store, 'before')
  await note()
  for (const lines of ending) {
    if (lines === 1) await commit(store, { kind: 'update', id: 'task-001', content: 'said anew' })
    else await createOperation(store, 'at the end')
    await note()
  }
  await store.close()
  return wholes
}

async function expectUsable(folder: string, whole: Whole): Promise<void> {
  const store = new FileStore({ folder, disk: QUICK_DISK })
  expect((await store.report()).damage).toEqual([])
  const { created } = await commit(store, { kind: 'create', type: 'draft', content: 'after' })
  await store.close()
  const again = await load(folder)
  expect(again.damage).toEqual([])
  const { [created[0] as string]: fresh, ...rest } = again.state.cases
  expect(fresh).toMatchObject({ content: 'after' })
  expect(rest).toEqual(whole.state.cases)
}

function startOfLastLines(journal: Buffer, count: number): number {
  let at = journal.length - 1
  for (let line = 0; line < count; line += 1) at = journal.lastIndexOf(10, at - 1)
  return at + 1
}

function countLines(bytes: Buffer): number {
  return bytes.reduce((lines, byte) => lines + (byte === 10 ? 1 : 0), 0)
}
