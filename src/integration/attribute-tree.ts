import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure, systemCode } from '../platform/failure.ts'
import { isRealDirectory } from '../platform/files/read-regular-file.ts'
import type { Git, Repository } from '../platform/git/git.ts'

const ATTRIBUTE_FILES_MAX = 10_000
/**
 * A subfolder, so that the outer folder is never empty: a rename would replace an empty one under a running
 * git.
 */
const WORK_TREE = 'tree'
const ATTRIBUTE_ENTRY = /^100\d{3} blob ([0-9a-f]+)\t((?:[\s\S]*\/)?\.gitattributes)$/

/**
 * A folder that holds the attribute files of a commit and nothing else. Git reads attributes from a work tree only,
 * and a bare repository has none: without this, `merge=union` and `-merge` would be silently ignored.
 */
export async function layOutAttributes(
  git: Git,
  repository: Repository,
  scratchDir: string,
  commit: string,
): Promise<string> {
  const files = await attributeFiles(git, repository, commit)
  const content = files.map(({ path, object }) => `${object} ${path}\0`).join('')
  const folder = join(scratchDir, `attributes-${createHash('sha256').update(content).digest('hex')}`)
  const tree = join(folder, WORK_TREE)
  if (await isRealDirectory(tree)) return tree
  const unfinished = join(scratchDir, `unfinished-${randomUUID()}`)
  const root = join(unfinished, WORK_TREE)
  await mkdir(root, { recursive: true })
  for (const { path, object } of files) {
    const bytes = (await git.run(repository, ['cat-file', 'blob', object])).stdout
    const parent = path.slice(0, -'.gitattributes'.length)
    await mkdir(inside(root, parent), { recursive: true })
    await writeFile(inside(root, path), bytes)
  }
  await rename(unfinished, folder).catch(async (error: unknown) => {
    // Another call finished the same folder first; the same name means the same content.
    await rm(unfinished, { recursive: true, force: true })
    if (!['ENOTEMPTY', 'EEXIST'].includes(systemCode(error))) throw error
  })
  return tree
}

/** Names are kept one character per byte, so that every name is restored exactly. */
function inside(folder: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')])
}

async function attributeFiles(git: Git, repository: Repository, commit: string) {
  const { stdout } = await git.run(repository, ['ls-tree', '-r', '-z', '--full-tree', commit])
  const files = stdout
    .toString('latin1')
    .split('\0')
    .map((record) => ATTRIBUTE_ENTRY.exec(record))
    .filter((match) => match !== null)
    .map(([, object = '', path = '']) => ({ object, path }))
    .filter(({ path }) => !path.split('/').some((part) => part === '..' || part === '.'))
  if (files.length <= ATTRIBUTE_FILES_MAX) return files
  throw new Failure('GIT_TOO_MANY_ATTRIBUTES', `${commit} has over ${ATTRIBUTE_FILES_MAX} attribute files`)
}
