import { CONFIG_VERSION } from './schema.ts'
import { isObject } from './value-path.ts'

/** Turns a file of version `from` into one of version `from + 1`. */
export interface Migration {
  readonly from: number
  migrate(raw: Record<string, unknown>): Record<string, unknown>
}

/** Empty until an option first moves. A released step is never changed: existing files depend on it. */
const MIGRATIONS: readonly Migration[] = []

export interface Migrated {
  readonly raw: unknown
  /** The version the file had, when it was older. */
  readonly migratedFrom?: number
  /** The version of a file from a newer AXIOM. It is read as far as possible and never rewritten as older. */
  readonly newer?: number
}

/**
 * Brings a file of any earlier version to the current form. A file without a version has the current form.
 */
export function migrateConfig(
  raw: unknown,
  steps: readonly Migration[] = MIGRATIONS,
  present: number = CONFIG_VERSION,
): Migrated {
  if (!isObject(raw) || typeof raw.version !== 'number' || raw.version === present) return { raw }
  if (raw.version > present) return { raw, newer: raw.version }
  let migrated = raw
  for (let version = raw.version; version < present; version++) {
    const step = steps.find(({ from }) => from === version)
    if (step) migrated = step.migrate(migrated)
  }
  return { raw: { ...migrated, version: present }, migratedFrom: raw.version }
}
