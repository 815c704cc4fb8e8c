import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** Younger logs are still read. */
const AGE_MIN_MS = 24 * 3_600_000
const LOG = /\.(?:jsonl|log)(?:\.\d+)?$/

/**
 * Compresses logs that are no longer written, each in place; readers accept both forms. A log is removed only
 * when its compressed form is complete.
 */
export async function compressLogs(
  projectFolder: string,
  nowMs: number,
  busy: readonly string[],
): Promise<string[]> {
  const compressed: string[] = []
  for (const folder of await logFolders(projectFolder)) {
    for (const name of await readdir(folder).catch(() => [])) {
      const isBusy = busy.some((word) => name.includes(word))
      if (LOG.test(name) && !isBusy && (await compress(join(folder, name), nowMs))) compressed.push(name)
    }
  }
  return compressed
}

async function logFolders(projectFolder: string): Promise<string[]> {
  const agents = join(projectFolder, 'agents')
  const names = await readdir(agents).catch(() => [])
  return [join(projectFolder, 'logs'), ...names.map((name) => join(agents, name, 'logs'))]
}

async function compress(path: string, nowMs: number): Promise<boolean> {
  const before = await lstat(path)
  if (!before.isFile() || nowMs - before.mtimeMs < AGE_MIN_MS) return false
  const draft = `${path}.gz.new`
  try {
    await pipeline(createReadStream(path), createGzip(), createWriteStream(draft, { mode: 0o600 }))
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  const after = await lstat(path)
  // The log was written to in the meantime, so it counts as new.
  if (after.size !== before.size || after.mtimeMs !== before.mtimeMs) {
    await rm(draft, { force: true })
    return false
  }
  await rename(draft, `${path}.${Math.floor(before.mtimeMs)}.gz`)
  await rm(path)
  return true
}
