import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { Failure, systemCode } from '../failure.ts'

const ABSENT = ['ENOENT', 'ENOTDIR']

/** The text of a file, or undefined when there is no such file; any other error is thrown. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    // Without O_NONBLOCK, opening a pipe would wait for a writer for ever.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    if ((await file.stat()).isFile()) return await file.readFile('utf8')
  } catch (error) {
    if (ABSENT.includes(systemCode(error))) return undefined
    throw error
  }
  throw new Failure('DISK_NOT_A_FILE', `${path} is no plain file`, {
    hint: 'a folder, a pipe or a device stands there: move it away, then try again',
  })
}
