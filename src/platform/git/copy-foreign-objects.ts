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
/** So few objects are copied sooner than asked for. */
const UNASKED_MAX = 16

/**
 * Puts the objects of a repository that somebody else wrote into a clean one of our own, as plain files.
 * Links, pipes, configuration, hooks and the other's alternates stay behind, so git never meets them; whether the
 * objects are what their names say is for the import to find out. Returns the names of all copied objects.
 */
export async function copyForeignObjects(
  git: Git,
  foreignGitDir: string,
  cleanGitDir: string,
  borrowFrom: string,
): Promise<string[]> {
  await layOutRepository(cleanGitDir, { head: 'none', borrowFrom })
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
 * An agent's first `git add` may write every file anew, because the objects it borrows are read-only to it. What the
 * lender has already is not copied once more.
 */
async function copyLoose(git: Git, from: string, to: string, borrowFrom: string): Promise<string[]> {
  const names: string[] = []
  for (const folder of (await readdir(from)).filter((name) => LOOSE_FOLDER.test(name))) {
    const files = await listFiles(join(from, folder), LOOSE_FILE, COPIED_FILES_MAX - names.length)
    for (const file of files) names.push(folder + file)
  }
  const known =
    names.length > UNASKED_MAX
      ? await objectTypes(git, { gitDir: borrowFrom }, names)
      : new Map<string, string>()
  for (const name of names.filter((candidate) => !known.has(candidate))) {
    const [folder, file] = [name.slice(0, 2), name.slice(2)]
    await mkdir(join(to, folder), { recursive: true })
    await copyFile(join(from, folder, file), join(to, folder, file), constants.COPYFILE_FICLONE)
  }
  return names
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
