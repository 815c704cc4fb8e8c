import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** Younger logs are still looked at. */
const AGE_MIN_MS = 24 * 3_600_000
const LOG = /\.(?:jsonl|log)(?:\.\d+)?$/

/**
 * Compresses the logs that nobody writes any more, each beside where it was; a reader finds both forms. A log goes only
 * when its compressed form is whole.
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
  // Somebody wrote to it after all: it is as good as new.
  if (after.size !== before.size || after.mtimeMs !== before.mtimeMs) {
    await rm(draft, { force: true })
    return false
  }
  await rename(draft, `${path}.${Math.floor(before.mtimeMs)}.gz`)
  await rm(path)
  return true
}
