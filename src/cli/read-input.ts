import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Failure } from '../platform/failure.ts'
import type { Context } from './context.ts'

/** The most that is read from a pipe; no file given by hand is larger. */
const INPUT_BYTES_MAX = 256 * 1024 * 1024

/** The text of a file that an argument names, from where the command runs; `-` is standard input. */
export async function readInput(context: Context, file: string): Promise<string> {
  const path = resolve(context.cwd, file)
  try {
    return file === '-' ? await readAll(context.stdin) : await readFile(path, 'utf8')
  } catch (error) {
    const name = file === '-' ? 'standard input' : path
    throw new Failure(
      'USAGE_FILE',
      `${name} cannot be read: ${error instanceof Error ? error.message : error}`,
      { hint: 'name a file that exists, or - for standard input', cause: error },
    )
  }
}

/** Read as a stream: a direct read of a pipe fails while its writer has written nothing yet. */
async function readAll(stdin: Context['stdin']): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk as Uint8Array | string)
    size += bytes.length
    if (size > INPUT_BYTES_MAX) throw new Error(`it is larger than ${INPUT_BYTES_MAX} bytes`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString()
}
