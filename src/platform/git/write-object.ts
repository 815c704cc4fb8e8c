import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { kindOf } from '../files/read-regular-file.ts'
import type { Repository } from './git.ts'

const compress = promisify(deflate)

/**
 * Writes one small object into a repository of AXIOM's own, as git itself would: named by its hash, synced,
 * and never visible half-written. Returns its name, which is as long as that of `like`.
 */
export async function writeObject(
  { gitDir }: Repository,
  type: 'commit',
  content: Buffer,
  like: string,
): Promise<string> {
  const whole = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])
  const name = createHash(like.length === 64 ? 'sha256' : 'sha1')
    .update(whole)
    .digest('hex')
  const folder = join(gitDir, 'objects', name.slice(0, 2))
  const path = join(folder, name.slice(2))
  if ((await kindOf(path)) === 'file') return name
  await mkdir(folder, { recursive: true })
  // Git's own prefix: git removes the files that a crash leaves under it.
  const unfinished = join(folder, `tmp_obj_${randomUUID()}`)
  await using file = await open(unfinished, 'wx', 0o444)
  await file.writeFile(await compress(whole))
  await file.datasync()
  await rename(unfinished, path)
  return name
}
