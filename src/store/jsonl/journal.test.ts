import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Commit } from './commit.ts'
import { disk } from './disk.ts'
import { Journal } from './journal.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'axiom-journal-'))
  path = join(folder, 'cases.jsonl')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A commit of some documents: one line each. */
function commitOf(seq: number, lines = 1): Commit {
  const documents = Array.from({ length: lines }, (_, i) => ({ key: `d${i}`, rev: seq, value: 'Zeile „ä"' }))
  return { seq, applied: [], documents, key: undefined, names: {}, whole: false }
}

function lines(): Record<string, unknown>[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

describe('the journal', () => {
  it('writes commits that come together in one write, marked at its first line alone', async () => {
    const journal = new Journal(disk, path, 0)
    await Promise.all([1, 2, 3].map((seq) => journal.append(commitOf(seq))))
    await journal.append(commitOf(4, 2))
    await journal.close()
    expect(lines().map(({ txn, sync = false }) => [txn, sync])).toEqual([
      ['1', true],
      ['2', false],
      ['3', false],
      ['4.1/2', true],
      ['4.2/2', false],
    ])
  })

  it('has no room left when too much waits for the disk, and says so before anything is appended', async () => {
    const journal = new Journal(disk, path, 0)
    expect(journal.pause()).toBe(true)
    const written = journal.append(commitOf(1, 20_000))
    expect(() => journal.requireRoom()).toThrow(expect.objectContaining({ code: 'STORE_BUSY' }))
    journal.resume()
    await written
    expect(() => journal.requireRoom()).not.toThrow()
    await journal.close()
    expect(lines()).toHaveLength(20_000)
  })

  it('answers nobody who waited while another file could not take its place', async () => {
    const broken = {
      ...disk,
      syncFolder: () => {
        throw new Error('no such device')
      },
    }
    const journal = new Journal(broken, path, 0)
    const draft = join(folder, 'draft')
    disk.close(disk.openForAppend(draft))
    journal.pause()
    const written = expect(journal.append(commitOf(1))).rejects.toMatchObject({ code: 'STORE_WRITE_FAILED' })
    expect(() => journal.replaceBy(draft, 0)).toThrow('no such device')
    journal.resume()
    await written
    await journal.close()
    expect(lines()).toEqual([])
  })
})
