import {
  appendFileSync,
  closeSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Failure, systemCode } from '../../platform/failure.ts'
import type { Damage } from '../damage.ts'
import type { Disk } from './disk.ts'
import { type LoadedJournal, loadJournal } from './load-journal.ts'

/** The files of a project's store. */
export class StoreFolder {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  get cases(): string {
    return join(this.path, 'cases.jsonl')
  }
  get draft(): string {
    return `${this.cases}.draft`
  }
  get keys(): string {
    return `${this.cases}.keys`
  }
  get corrupt(): string {
    return join(this.path, 'cases.jsonl.corrupt')
  }
  get counters(): string {
    return join(this.path, 'metrics', 'counters.json')
  }
  get blobs(): string {
    return join(this.path, 'blobs')
  }
  get leases(): string {
    return join(this.path, 'leases.json')
  }
  get lock(): string {
    return join(this.path, 'lock')
  }

  /** Loads the cases, cuts off what an interrupted write left, and keeps every damaged byte aside. */
  load(disk: Disk, now: string): { loaded: LoadedJournal; damage: Damage[] } {
    mkdirSync(this.path, { recursive: true })
    this.#refuseLinks()
    const loaded = this.#read()
    const damage = [...loaded.damage]
    if (loaded.torn) damage.push(this.#cutTail(disk, loaded.torn, now))
    if (loaded.corrupt.length > 0) this.#keepCorrupt(loaded)
    this.#settle(disk)
    return { loaded, damage }
  }

  /**
   * A cloned repository may contain this folder. A link in it would make the store truncate or overwrite any
   * file of the user; a pipe would block it for ever.
   */
  #refuseLinks(): void {
    const folders = [this.blobs, dirname(this.counters)]
    const files = [this.cases, this.keys, this.corrupt, this.leases, `${this.leases}.draft`]
    for (const path of [...folders, ...files]) {
      const found = lstatSync(path, { throwIfNoEntry: false })
      if (found === undefined || (folders.includes(path) ? found.isDirectory() : found.isFile())) continue
      const expected = folders.includes(path) ? 'folder' : 'file'
      throw new Failure('STORE_UNREADABLE', `${path} is no plain ${expected}`, {
        hint: `a link, a pipe or something else stands there: see who put it there, then put a ${expected} in its place`,
      })
    }
  }

  /**
   * A killed process may have left bytes that it never synced. They are part of the store now and answers
   * will depend on them, so they have to be on disk; so does the name of a new file.
   */
  #settle(disk: Disk): void {
    const isNew = !existsSync(this.cases)
    const fd = disk.openForAppend(this.cases)
    try {
      disk.sync(fd)
    } finally {
      disk.close(fd)
    }
    if (!isNew) return
    disk.syncFolder(this.path)
    disk.syncFolder(dirname(this.path))
  }

  #read(): LoadedJournal {
    try {
      return loadJournal(this.cases)
    } catch (error) {
      throw new Failure(
        'STORE_UNREADABLE',
        `${this.cases} cannot be read: ${error instanceof Error ? error.message : error}`,
        {
          hint: 'look at its permissions and at the disk',
          cause: error,
        },
      )
    }
  }

  #cutTail(disk: Disk, torn: { at: number; line: number }, now: string): Damage {
    const fd = openSync(this.cases, 'r+')
    try {
      const tail = Buffer.alloc(disk.size(fd) - torn.at)
      readSync(fd, tail, 0, tail.length, torn.at)
      const savedTo = `${this.cases}.torn-${now.replace(/[:.]/g, '-')}`
      writeFileSync(savedTo, tail, { flag: 'wx' })
      disk.truncate(fd, torn.at)
      disk.sync(fd)
      return { kind: 'torn-tail', line: torn.line, bytes: tail.length, savedTo: basename(savedTo) }
    } finally {
      closeSync(fd)
    }
  }

  /** Saves each damaged line once, however often the file is opened before it is repaired. */
  #keepCorrupt(loaded: LoadedJournal): void {
    const kept = new Set(readOrEmpty(this.corrupt).split('\n'))
    for (const { bytes } of loaded.corrupt) {
      if (!kept.has(bytes.toString())) appendFileSync(this.corrupt, Buffer.concat([bytes, Buffer.from('\n')]))
    }
  }

  /** Copies the file before a change that cannot be undone. */
  keepCopy(now: string): string {
    const copy = `${this.cases}.before-${now.replace(/[:.]/g, '-')}`
    copyFileSync(this.cases, copy)
    return basename(copy)
  }
}

export function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return ''
    throw error
  }
}
