import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '../../platform/failure.ts'
import { type Disk, replaceWhole } from './disk.ts'

const ID_IN_NAME = /([a-z]+)-(\d{3,15})(?=\D|$)/g

/** The highest number given out under each prefix. A safeguard: the cases also contain their numbers. */
export interface Counters {
  readonly numbers: ReadonlyMap<string, number>
  /** The file is there and could be read. */
  readonly sound: boolean
}

export function readCounters(path: string): Counters {
  const file = readNumbers(path)
  const backup = readNumbers(`${path}.backup`)
  return {
    numbers: new Map([...(backup ?? []), ...highest(file ?? new Map(), backup ?? new Map())]),
    sound: file !== undefined,
  }
}

function highest(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): Map<string, number> {
  return new Map([...a].map(([prefix, number]) => [prefix, Math.max(number, b.get(prefix) ?? 0)]))
}

function readNumbers(path: string): Map<string, number> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const numbers = Object.entries(value).filter(
      (pair): pair is [string, number] => Number.isSafeInteger(pair[1]) && pair[1] >= 0,
    )
    return numbers.length === Object.keys(value).length ? new Map(numbers) : undefined
  } catch {
    return undefined
  }
}

/** Replaces the file and its backup, each in one step. On disk when it returns: a number that was given out is in both. */
export function writeCounters(disk: Disk, path: string, numbers: ReadonlyMap<string, number>): void {
  const text = `${JSON.stringify(Object.fromEntries([...numbers].sort()), null, 2)}\n`
  try {
    mkdirSync(dirname(path), { recursive: true })
    for (const target of [`${path}.backup`, path]) replaceWhole(disk, target, Buffer.from(text))
    disk.syncFolder(dirname(path))
  } catch (error) {
    throw new Failure('STORE_WRITE_FAILED', `${path} could not be written: ${error}`, {
      hint: 'look at the disk, then try again',
      retryable: true,
      cause: error,
    })
  }
}

/**
 * The highest numbers that appear in the names of files and folders: logs and workspaces outlive a
 * lost counter file, and what they name must not be given out again.
 */
export function numbersInNames(folders: readonly string[]): Map<string, number> {
  const found = new Map<string, number>()
  for (const folder of folders) {
    for (const name of namesUnder(folder)) {
      for (const [, prefix = '', digits] of name.matchAll(ID_IN_NAME)) {
        found.set(prefix, Math.max(found.get(prefix) ?? 0, Number(digits)))
      }
    }
  }
  return found
}

function namesUnder(folder: string): string[] {
  try {
    const names = readdirSync(folder, { withFileTypes: true })
    return names.flatMap((entry) =>
      entry.isDirectory() && entry.name === 'logs'
        ? [entry.name, ...namesUnder(join(folder, entry.name))]
        : entry.name,
    )
  } catch {
    return []
  }
}

export function subfolders(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(folder, entry.name))
  } catch {
    return []
  }
}
