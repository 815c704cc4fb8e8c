import { constants } from 'node:fs'
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRealDirectory } from '../files/read-regular-file.ts'
import type { Git } from './git.ts'
import { layOutRepository } from './lay-out-repository.ts'
import { objectTypes } from './repository-operations.ts'

const LOOSE_FOLDER = /^[0-9a-f]{2}$/
const LOOSE_FILE = /^[0-9a-f]{38}(?:[0-9a-f]{24})?$/
const PACK_FILE = /^pack-[0-9a-f]{40,64}\.(?:pack|idx)$/
const COPIED_FILES_MAX = 2_000_000
/** Up to this number, copying objects is faster than asking git which of them exist. */
const UNASKED_MAX = 16
const COPIES_AT_ONCE = 64

/**
 * Copies the objects of an untrusted repository into a clean one of AXIOM's, as plain files. Links, pipes,
 * configuration, hooks and alternates stay behind, so git never reads them; the import checks that each
 * object matches its name. Returns the names of all copied objects.
 */
export async function copyForeignObjects(
  git: Git,
  foreignGitDir: string,
  cleanGitDir: string,
  borrowFrom: string,
): Promise<string[]> {
  layOutRepository(cleanGitDir, { head: 'none', borrowFrom })
  const from = join(foreignGitDir, 'objects')
  const to = join(cleanGitDir, 'objects')
  if (!(await isRealDirectory(foreignGitDir)) || !(await isRealDirectory(from))) return []
  const names = await copyLoose(git, from, to, borrowFrom)
  const packs = await copyFiles(
    join(from, 'pack'),
    join(to, 'pack'),
    PACK_FILE,
    COPIED_FILES_MAX - names.length,
  )
  for (const index of packs.filter((file) => file.endsWith('.idx'))) {
    names.push(...(await packedNames(git, cleanGitDir, join(to, 'pack', index))))
  }
  return names
}

/**
 * An agent's first `git add` may write every file again, because the borrowed objects are read-only to it.
 * Objects that the lending repository has already are not copied again.
 */
async function copyLoose(git: Git, from: string, to: string, borrowFrom: string): Promise<string[]> {
  const folders = (await readdir(from)).filter((name) => LOOSE_FOLDER.test(name))
  const listed = await Promise.all(
    folders.map(async (folder) =>
      (await listFiles(join(from, folder), LOOSE_FILE, COPIED_FILES_MAX)).map((file) => folder + file),
    ),
  )
  const names = listed.flat().slice(0, COPIED_FILES_MAX)
  const known =
    names.length > UNASKED_MAX
      ? await objectTypes(git, { gitDir: borrowFrom }, names)
      : new Map<string, string>()
  const missing = names.filter((name) => !known.has(name))
  for (let begin = 0; begin < missing.length; begin += COPIES_AT_ONCE) {
    await Promise.all(missing.slice(begin, begin + COPIES_AT_ONCE).map((name) => copyOne(from, to, name)))
  }
  return names
}

async function copyOne(from: string, to: string, name: string): Promise<void> {
  const path = join(name.slice(0, 2), name.slice(2))
  await mkdir(join(to, name.slice(0, 2)), { recursive: true })
  await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE)
}

async function listFiles(from: string, form: RegExp, filesMax: number): Promise<string[]> {
  if (!(await isRealDirectory(from))) return []
  return (await readdir(from, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && form.test(entry.name))
    .map((entry) => entry.name)
    .slice(0, filesMax)
}

async function copyFiles(from: string, to: string, form: RegExp, filesMax: number): Promise<string[]> {
  const files = await listFiles(from, form, filesMax)
  if (files.length > 0) await mkdir(to, { recursive: true })
  for (const file of files) await copyFile(join(from, file), join(to, file), constants.COPYFILE_FICLONE)
  return files
}

async function packedNames(git: Git, gitDir: string, index: string): Promise<string[]> {
  const { stdout, exitCode } = await git.run({ gitDir }, ['show-index'], {
    input: await readFile(index),
    expect: [0, 128],
  })
  if (exitCode !== 0) return []
  return stdout
    .toString('utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((name) => name !== '')
}
