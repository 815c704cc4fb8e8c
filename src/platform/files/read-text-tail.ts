import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { systemCode } from '../failure.ts'

/** The end of a file, from the start of a line, in at most so many bytes; nothing when there is no such file. */
export async function readTextTail(path: string, bytesMax: number): Promise<string | undefined> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const found = await file.stat()
    if (!found.isFile()) return undefined
    const begin = Math.max(0, found.size - bytesMax)
    const bytes = Buffer.alloc(found.size - begin)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, begin)
    const whole = begin === 0 ? 0 : bytes.indexOf('\n') + 1
    return bytes.toString('utf8', begin > 0 && whole === 0 ? bytesRead : whole, bytesRead)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}
