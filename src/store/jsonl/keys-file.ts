import { dirname } from 'node:path'
import { Failure } from '../../platform/failure.ts'
import { type Disk, replaceWhole } from './disk.ts'
import type { KeyRecord } from './load-journal.ts'
import { readOrEmpty } from './store-folder.ts'

/**
 * Saves the results of idempotency keys before a compaction drops their lines: a request that is repeated
 * afterwards must not be applied twice. On disk when it returns.
 */
export function writeKeys(disk: Disk, path: string, keys: ReadonlyMap<string, KeyRecord>): void {
  try {
    replaceWhole(disk, path, Buffer.from(JSON.stringify([...keys])))
    disk.syncFolder(dirname(path))
  } catch (error) {
    throw new Failure('STORE_WRITE_FAILED', `${path} could not be written: ${error}`, {
      hint: 'nothing is lost: the store is as it was; free space on the disk and try again',
      retryable: true,
      cause: error,
    })
  }
}

/** An unreadable file counts as absent: it only affects requests that are sent a second time. */
export function readKeys(path: string): ReadonlyMap<string, KeyRecord> {
  try {
    const entries: unknown = JSON.parse(readOrEmpty(path) || '[]')
    return new Map(Array.isArray(entries) ? entries.filter(isEntry) : [])
  } catch {
    return new Map()
  }
}

function isEntry(entry: unknown): entry is [string, KeyRecord] {
  if (!Array.isArray(entry)) return false
  const [key, record] = entry as [unknown, Partial<KeyRecord> | null | undefined]
  return (
    typeof key === 'string' &&
    typeof record?.seq === 'number' &&
    Array.isArray(record.created) &&
    Array.isArray(record.touched) &&
    typeof record.names === 'object' &&
    record.names !== null
  )
}
