import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Damage } from '../../src/store/damage.ts'
import { FileStore } from '../../src/store/jsonl/file-store.ts'
import { below, type Random, seededRandom, shuffled } from './random.ts'
import {
  fillStore,
  journalOf,
  load,
  placeJournal,
  QUICK_DISK,
  readJournal,
  type State,
  stateOf,
} from './sample-store.ts'
import { scratchFolder, show } from './scratch.ts'

const COMMITS = 260
const FLIPS = 200

interface Sample {
  readonly journal: Buffer
  readonly state: State
}

const samples: Record<string, Sample> = {}
const forms = ['as written', 'compacted', 'compacted, then changed'] as const

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'axiom-crash-'))
  placeJournal(folder, new Uint8Array())
  const random = seededRandom(11)
  const store = new FileStore({ folder, disk: QUICK_DISK })
  await fillStore(store, random, COMMITS)
  samples['as written'] = { journal: readJournal(folder), state: await stateOf(store) }
  await store.compact()
  samples.compacted = { journal: readJournal(folder), state: await stateOf(store) }
  await fillStore(store, random, 60)
  samples['compacted, then changed'] = { journal: readJournal(folder), state: await stateOf(store) }
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

describe.each(forms)('a journal %s', (form) => {
  it('reports a flipped byte with its line and holds only the cases it concerns', async () => {
    const { journal, state } = samples[form] as Sample
    const random = seededRandom(form.length)
    const folder = scratchFolder()
    let unnoticed = 0
    let held = 0
    for (let flip = 0; flip < FLIPS; flip += 1) {
      const damaged = Buffer.from(journal)
      const at = positionOf(random, damaged, flip)
      damaged[at] = (damaged[at] as number) ^ (1 << below(random, 8))
      const where = `flip ${flip}: byte ${at} became ${damaged[at]}`
      placeJournal(folder, damaged)
      const loaded = await load(folder)
      if (loaded.damage.length === 0) {
        expect(loaded.state, where).toEqual(state)
        unnoticed += 1
        continue
      }
      expectReported(loaded.damage, lineAt(journal, at), where)
      expectOnlyHeldDiffer(loaded.state, state, caseIdsAt(journal, at), where)
      await expectKept(folder, damaged, at, where)
      held += loaded.state.held.length
    }
    show(`${form}: ${FLIPS} flips, ${unnoticed} without effect, ${held} cases held`)
    expect(unnoticed).toBeLessThan(FLIPS / 10)
  })

  it('notices bytes that became zero', async () => {
    const { journal, state } = samples[form] as Sample
    const random = seededRandom(5)
    const folder = scratchFolder()
    for (let round = 0; round < 60; round += 1) {
      const damaged = Buffer.from(journal)
      const at = below(random, damaged.length)
      damaged.fill(0, at, at + 1 + below(random, 8))
      placeJournal(folder, damaged)
      const loaded = await load(folder)
      const where = `round ${round}: byte ${at}`
      expectReported(loaded.damage, lineAt(journal, at), where)
      const concerned = [
        ...caseIdsAt(journal, at),
        ...caseIdsAt(journal, Math.min(at + 8, journal.length - 1)),
      ]
      expectOnlyHeldDiffer(loaded.state, state, concerned, where)
    }
  })

  it('loads the same state when lines stand there twice or in another order', async () => {
    const { journal, state } = samples[form] as Sample
    const random = seededRandom(3)
    const folder = scratchFolder()
    const lines = journal.toString().trimEnd().split('\n')
    for (let round = 0; round < 40; round += 1) {
      const changed = round % 2 === 0 ? shuffled(random, lines) : twice(random, lines)
      placeJournal(folder, Buffer.from(`${changed.join('\n')}\n`))
      const loaded = await load(folder)
      expect(loaded.damage, `round ${round}`).toEqual([])
      expect(loaded.state, `round ${round}`).toEqual(state)
    }
  })
})

it('refuses to change what is held and lets everything else go on', async () => {
  const { journal } = samples['as written'] as Sample
  const folder = scratchFolder()
  const damaged = Buffer.from(journal)
  const at = damaged.lastIndexOf('"task-001"') + 40
  damaged[at] = (damaged[at] as number) ^ 1
  placeJournal(folder, damaged)
  const store = new FileStore({ folder, disk: QUICK_DISK })
  const refused = await store.transact({
    by: 'tester',
    commands: [{ kind: 'update', id: 'task-001', content: 'never' }],
  })
  expect(refused).toMatchObject({ kind: 'refused', message: expect.stringContaining('task-001 is held') })
  expect((await store.query({ ready: true })).map(({ id }) => id)).not.toContain('task-001')
  const other = await store.transact({
    by: 'tester',
    commands: [{ kind: 'update', id: 'task-002', content: 'goes on' }],
  })
  expect(other.kind).toBe('committed')
  await store.close()
})

/** Every part of a line has its turn: its first bytes and its seal more often than chance would have it. */
function positionOf(random: Random, journal: Buffer, flip: number): number {
  const at = below(random, journal.length)
  const end = journal.indexOf(10, at)
  if (flip % 5 === 0) return end
  if (flip % 5 === 1) return end - 1 - below(random, 18)
  if (flip % 5 === 2) return journal.lastIndexOf(10, end - 1) + 1 + below(random, 20)
  return at
}

function lineAt(journal: Buffer, at: number): number {
  return journal.subarray(0, at).reduce((lines, byte) => lines + (byte === 10 ? 1 : 0), 1)
}

/** The cases on the line of this byte; a line break belongs to both of its lines. */
function caseIdsAt(journal: Buffer, at: number): string[] {
  const lines = journal.toString('latin1').split('\n')
  const line = lineAt(journal, at) - 1
  const touched = journal[at] === 10 ? [lines[line], lines[line + 1]] : [lines[line]]
  return touched.flatMap((text) => /^\{"id":"([^"]+)"/.exec(text ?? '')?.[1] ?? [])
}

function expectReported(damage: readonly Damage[], line: number, where: string): void {
  const lines = damage.flatMap((item) => ('line' in item ? [item.line] : []))
  expect(lines, where).toContain(line)
}

function expectOnlyHeldDiffer(
  loaded: State,
  before: State,
  concerned: readonly string[],
  where: string,
): void {
  expect(
    loaded.held.filter((id) => !concerned.includes(id)),
    where,
  ).toEqual([])
  for (const id of loaded.held) expect(loaded.ready, where).not.toContain(id)
  for (const [id, subject] of Object.entries(before.cases)) {
    if (loaded.held.includes(id)) continue
    if (concerned.includes(id) && !(id in loaded.cases)) continue
    expect(withoutChildren(loaded.cases[id]), `${where}: ${id}`).toEqual(withoutChildren(subject))
  }
}

/** A child that was lost with its line is missing from its parent's list as well. */
function withoutChildren(subject: unknown): object {
  const { childIds: _, ...rest } = (subject ?? {}) as Record<string, unknown>
  return rest
}

/** The damaged line stays in the file and is kept aside. */
async function expectKept(folder: string, damaged: Buffer, at: number, where: string): Promise<void> {
  expect(readFileSync(journalOf(folder)).equals(damaged), where).toBe(true)
  const start = damaged.lastIndexOf(10, at - 1) + 1
  const line = damaged.subarray(start, damaged.indexOf(10, start))
  expect(readFileSync(`${journalOf(folder)}.corrupt`).includes(line), where).toBe(true)
}

function twice(random: Random, lines: readonly string[]): string[] {
  const copy = [...lines]
  for (let times = 0; times < 3; times += 1) {
    const at = below(random, copy.length)
    copy.splice(below(random, copy.length + 1), 0, copy[at] as string)
  }
  return copy
}
