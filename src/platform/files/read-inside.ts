import { realpath } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { systemCode } from '../failure.ts'
import { readRegularFile } from './read-regular-file.ts'

/** No text that people write for agents is longer. */
const BYTES_MAX = 16 * 1024 * 1024
const ABSENT = ['ENOENT', 'ENOTDIR', 'ELOOP']

/**
 * The text of a file of this folder; undefined when there is none. A link that leads out of the folder counts as
 * none: a cloned repository may contain one, and its target would end up in a prompt.
 */
export async function readInside(folder: string, path: string): Promise<string | undefined> {
  try {
    const [home, target] = await Promise.all([realpath(folder), realpath(path)])
    if (relative(home, target).split(sep)[0] === '..') return undefined
    return (await readRegularFile(target, BYTES_MAX))?.toString('utf8')
  } catch (error) {
    if (ABSENT.includes(systemCode(error))) return undefined
    throw error
  }
}
