import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { systemCode } from '../../../platform/failure.ts'
import { readRegularFile } from '../../../platform/files/read-regular-file.ts'
import { writeFileAtomically } from '../../../platform/files/write-file-atomically.ts'

/** The port and token, kept between starts of the server so that open tabs can reconnect. */
export interface ServingNote {
  readonly token: string
  readonly port: number
}

const NOTE_BYTES_MAX = 4_096

/**
 * The note lies in the user's own state folder, not in the project: nothing that is committed, copied into a
 * workspace or shown to an agent may hold the token.
 */
export function noteFolder(env: Readonly<Record<string, string | undefined>>, root: string): string {
  const state = env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local/state')
  return join(state, 'axiom', createHash('sha256').update(root).digest('hex').slice(0, 16))
}

export async function readNote(folder: string): Promise<ServingNote | undefined> {
  const bytes = await readRegularFile(join(folder, 'serve.json'), NOTE_BYTES_MAX)
  try {
    const { token, port } = JSON.parse(bytes?.toString('utf8') ?? '{}') as Partial<ServingNote>
    return typeof token === 'string' && typeof port === 'number' ? { token, port } : undefined
  } catch {
    return undefined
  }
}

/** A note that cannot be written only means another token at the next start, so it is not a failure. */
export async function keepNote(folder: string, note: ServingNote): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFileAtomically(join(folder, 'serve.json'), `${JSON.stringify(note)}\n`, 0o600)
  } catch (error) {
    if (!['EACCES', 'EROFS', 'EPERM', 'ENOSPC', 'ENOTDIR', 'ENOENT'].includes(systemCode(error))) throw error
  }
}
