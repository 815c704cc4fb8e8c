import { createHash } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { readConfigText } from '../config/read-config-text.ts'
import { type ConfigLayers, type ResolvedConfig, resolveConfig } from '../config/resolve-config.ts'
import { Failure, systemCode } from '../platform/failure.ts'
import { readText } from '../platform/files/read-text.ts'
import { writeFileAtomically } from '../platform/files/write-file-atomically.ts'

export interface ConfigFile {
  readonly path: string
  readonly raw: unknown
  /** What happened to the file on the way, as `CODE: message`. */
  readonly notes: readonly string[]
}

export interface LoadedConfig extends ResolvedConfig {
  readonly path: string
  /** Warnings for the user, one line each. */
  readonly warnings: readonly string[]
}

export function configPath(folder: string): string {
  return join(folder, 'config.json')
}

function backupPath(folder: string): string {
  return join(folder, 'config.json.backup')
}

/** Reads and joins all layers of the configuration of one project folder. */
export async function loadConfig(
  folder: string,
  layers: Omit<ConfigLayers, 'file'> = {},
): Promise<LoadedConfig> {
  const file = await readConfigFile(folder)
  const resolved = resolveConfig({ ...layers, file: file.raw })
  const warnings = [...file.notes, ...resolved.problems.map(({ code, message }) => `${code}: ${message}`)]
  return { ...resolved, path: file.path, warnings }
}

/** The parsed file. An invalid one is set aside, never deleted, and the last valid one takes its place. */
export async function readConfigFile(folder: string): Promise<ConfigFile> {
  const path = configPath(folder)
  const text = await readText(path)
  if (text === undefined) {
    throw new Failure('CONFIG_NOT_FOUND', `${path} does not exist`, {
      hint: 'run `axiom init` to write it; what else is in the folder is kept',
    })
  }
  const read = readConfigText(text)
  if (read.kind === 'broken') return restoreBackup(folder, text, read.reason)
  await keepBackup(folder, text)
  return { path, raw: read.raw, notes: [] }
}

/** Writes the file and its backup; a reader sees the old file or the new one. */
export async function writeConfigFile(folder: string, text: string): Promise<void> {
  await writeFileAtomically(configPath(folder), text)
  await keepBackup(folder, text)
}

/** The backup is the last file that was valid, so it includes valid edits by hand. */
async function keepBackup(folder: string, text: string): Promise<void> {
  try {
    if ((await readText(backupPath(folder))) !== text) await writeFileAtomically(backupPath(folder), text)
  } catch (error) {
    // Reading a configuration must also work in a read-only folder.
    if (!['EACCES', 'EROFS', 'EPERM', 'ENOSPC'].includes(systemCode(error))) throw error
  }
}

async function restoreBackup(folder: string, broken: string, reason: string): Promise<ConfigFile> {
  const path = configPath(folder)
  const backup = await readText(backupPath(folder))
  const read = backup === undefined ? undefined : readConfigText(backup)
  if (backup === undefined || read?.kind !== 'parsed') {
    throw new Failure('CONFIG_INVALID_JSON', `${path} is no valid JSON: ${reason}`, {
      hint: 'correct the file at that place, or move it away and run `axiom init`; there is no backup to restore',
    })
  }
  const digest = createHash('sha256').update(broken).digest('hex').slice(0, 8)
  const aside = `${path}.broken-${digest}`
  await rename(path, aside)
  await writeFileAtomically(path, backup)
  const note = `CONFIG_BACKUP_RESTORED: ${path} is no valid JSON (${reason}); the last good one is restored, the broken one is kept as ${basename(aside)}`
  return { path, raw: read.raw, notes: [note] }
}
