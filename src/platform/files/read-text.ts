import { readFile } from 'node:fs/promises'
import { systemCode } from '../failure.ts'

const ABSENT = ['ENOENT', 'ENOTDIR']

/** The text of a file, or undefined when there is no such file; any other trouble is thrown. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (ABSENT.includes(systemCode(error))) return undefined
    throw error
  }
}
