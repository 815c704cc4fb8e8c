import { randomBytes } from 'node:crypto'
import { open, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { systemCode } from '../failure.ts'

/**
 * Replaces a file in one step: a reader, or a machine that loses power, sees the old text or the new, never a part.
 * A symbolic link stays a link; the file that it names is replaced.
 */
export async function writeFileAtomically(path: string, text: string): Promise<void> {
  const target = await followLink(path)
  const folder = dirname(target)
  const temporary = join(folder, `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    const file = await open(temporary, 'wx', 0o644)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(folder)
}

async function followLink(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return path
    throw error
  }
}

/** A rename is on disk only when its folder is. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
