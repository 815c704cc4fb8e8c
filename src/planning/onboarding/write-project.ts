import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure, systemCode } from '../../platform/failure.ts'
import { readText } from '../../platform/files/read-text.ts'
import { syncFolder, writeFileAtomically } from '../../platform/files/write-file-atomically.ts'
import type { ProjectFile } from './project-files.ts'

export interface ProjectContent {
  readonly folders: readonly string[]
  readonly files: readonly ProjectFile[]
}

const UNWRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOSPC', 'EDQUOT', 'EISDIR']

/**
 * Creates a project's folder completely or not at all: it is built beside its place and renamed in one step.
 */
export async function createProject(
  root: string,
  folder: string,
  content: ProjectContent,
  workspaces: ProjectFile,
): Promise<void> {
  const draft = join(root, `${folder}.new-${randomBytes(6).toString('hex')}`)
  const madeWorkspaces = !existsSync(dirname(join(root, workspaces.path)))
  const below = (path: string): string => join(draft, path.slice(folder.length + 1))
  try {
    for (const path of content.folders) await mkdir(below(path), { recursive: true })
    for (const { path, text } of content.files) {
      await mkdir(dirname(below(path)), { recursive: true })
      await writeFile(below(path), text, { flush: true })
    }
    await writeMissing(root, [workspaces])
    await rename(draft, join(root, folder))
    await syncFolder(root)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (madeWorkspaces) await removeWorkspaces(root, workspaces.path)
    throw asFailure(error, root)
  }
}

async function removeWorkspaces(root: string, ignore: string): Promise<void> {
  try {
    await rm(join(root, ignore), { force: true })
    await rmdir(dirname(join(root, ignore)))
  } catch {
    // It was never created, or is no longer empty; the original error is reported already.
  }
}

/** Adds missing files to an existing folder, each atomically; existing files are left as they are. */
export async function completeProject(root: string, content: ProjectContent): Promise<string[]> {
  try {
    for (const path of content.folders) await mkdir(join(root, path), { recursive: true })
    return await writeMissing(root, content.files)
  } catch (error) {
    throw asFailure(error, root)
  }
}

async function writeMissing(root: string, files: readonly ProjectFile[]): Promise<string[]> {
  const written: string[] = []
  for (const { path, text } of files) {
    if ((await readText(join(root, path))) !== undefined) continue
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFileAtomically(join(root, path), text)
    written.push(path)
  }
  return written
}

/** Replaces files that a plan says may be replaced. */
export async function replaceFiles(root: string, files: readonly ProjectFile[]): Promise<void> {
  try {
    for (const { path, text } of files) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFileAtomically(join(root, path), text)
    }
  } catch (error) {
    throw asFailure(error, root)
  }
}

function asFailure(error: unknown, root: string): unknown {
  const reason = systemCode(error)
  if (!UNWRITABLE.includes(reason)) return error
  return new Failure(
    'PREREQ_NO_WRITE',
    `${root} cannot be written: ${error instanceof Error ? error.message : reason}`,
    {
      hint: `make the folder writable, for example: sudo chown -R "$(id -un)" ${root}; nothing was left half-written`,
      cause: error,
    },
  )
}
