import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isRealDirectory, readRegularFile } from '../files/read-regular-file.ts'
import { isObjectName } from './names.ts'

/** What HEAD names in an untrusted repository, read as text: git itself is never run on it. */
export type ForeignHead =
  | { readonly kind: 'commit'; readonly commit: string; readonly branch: string | undefined }
  | { readonly kind: 'unborn'; readonly branch: string }
  | { readonly kind: 'unreadable'; readonly reason: string }

const REF_BYTES_MAX = 4096
const PACKED_REFS_BYTES_MAX = 16 * 1024 * 1024
const REF_DEPTH_MAX = 12
const REFS_MAX = 20_000
const SYMBOLIC_STEPS_MAX = 5

export async function readForeignHead(gitDir: string): Promise<ForeignHead> {
  if (!(await isRealDirectory(gitDir))) return { kind: 'unreadable', reason: 'there is no .git directory' }
  let name = 'HEAD'
  for (let step = 0; step < SYMBOLIC_STEPS_MAX; step += 1) {
    const value = await readForeignRef(gitDir, name)
    if (value === undefined) {
      return name === 'HEAD'
        ? { kind: 'unreadable', reason: 'HEAD cannot be read' }
        : { kind: 'unborn', branch: name }
    }
    if (isObjectName(value)) {
      return { kind: 'commit', commit: value, branch: name === 'HEAD' ? undefined : name }
    }
    if (!value.startsWith('ref: refs/') || value.includes('..')) {
      return { kind: 'unreadable', reason: 'HEAD holds no ref' }
    }
    name = value.slice('ref: '.length)
  }
  return { kind: 'unreadable', reason: 'HEAD leads in a circle' }
}

async function readForeignRef(gitDir: string, name: string): Promise<string | undefined> {
  const loose = await readRegularFile(join(gitDir, name), REF_BYTES_MAX)
  if (loose !== undefined) return loose.toString('utf8').trim()
  return (await readPackedRefs(gitDir)).get(name)
}

async function readPackedRefs(gitDir: string): Promise<Map<string, string>> {
  const packed = await readRegularFile(join(gitDir, 'packed-refs'), PACKED_REFS_BYTES_MAX)
  return new Map(
    (packed?.toString('utf8') ?? '')
      .split('\n')
      .map((line) => line.split(' '))
      .filter(([object = '', name]) => isObjectName(object) && name !== undefined)
      .map(([object = '', name = '']) => [name, object]),
  )
}

/** Every ref with the object it names; symbolic and unreadable ones are left out. */
export async function listForeignRefs(gitDir: string): Promise<Map<string, string>> {
  const refs = await readPackedRefs(gitDir)
  const visit = async (name: string, depth: number): Promise<void> => {
    const path = join(gitDir, name)
    if (depth > REF_DEPTH_MAX || !(await isRealDirectory(path))) return
    for (const entry of await readdir(path, { withFileTypes: true })) {
      if (refs.size >= REFS_MAX) return
      if (entry.isDirectory()) await visit(`${name}/${entry.name}`, depth + 1)
      else if (entry.isFile()) {
        const value =
          (await readRegularFile(join(path, entry.name), REF_BYTES_MAX))?.toString('utf8').trim() ?? ''
        if (isObjectName(value)) refs.set(`${name}/${entry.name}`, value)
      }
    }
  }
  if (await isRealDirectory(gitDir)) await visit('refs', 0)
  return refs
}
