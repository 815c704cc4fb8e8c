import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { systemCode } from '../failure.ts'

const ABSENT_CODES = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'ENXIO']

/**
 * Reads an untrusted file: never through a link, never a pipe or device, never more than the bound. Returns
 * undefined for anything but a readable regular file.
 */
export async function readRegularFile(path: string, bytesMax: number): Promise<Buffer | undefined> {
  // Without O_NONBLOCK, opening a pipe would wait for a writer for ever.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  try {
    await using file = await open(path, flags)
    const { size } = await file.stat().then((found) => (found.isFile() ? found : { size: -1 }))
    if (size < 0 || size > bytesMax) return undefined
    return await file.readFile()
  } catch (error) {
    if (ABSENT_CODES.includes(systemCode(error))) return undefined
    throw error
  }
}

/** Whether a path is a directory itself, not a link to one. */
export async function isRealDirectory(path: string): Promise<boolean> {
  return (await kindOf(path)) === 'directory'
}

export async function kindOf(
  path: string | Buffer,
): Promise<'file' | 'directory' | 'link' | 'other' | 'absent'> {
  try {
    const found = await lstat(path)
    if (found.isFile()) return 'file'
    if (found.isDirectory()) return 'directory'
    return found.isSymbolicLink() ? 'link' : 'other'
  } catch (error) {
    if (ABSENT_CODES.includes(systemCode(error))) return 'absent'
    throw error
  }
}
