import { randomUUID } from 'node:crypto'
import { chmod, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure, systemCode } from '../platform/failure.ts'
import { kindOf } from '../platform/files/read-regular-file.ts'
import { NOTHING } from './rescue-store.ts'
import { rescueWorkspace } from './rescue-workspace.ts'
import { type Ground, observerOf, type Workspace } from './workspace.ts'

export type Removal =
  | { readonly kind: 'removed'; readonly rescued: readonly string[] }
  /** Some of its content could not be saved, so it stays. */
  | { readonly kind: 'kept'; readonly rescued: readonly string[]; readonly reasons: readonly string[] }

/** Saves the content of a workspace, then moves it to the trash, from which `emptyTrash` deletes it. */
export async function removeWorkspace(
  ground: Ground,
  workspace: Workspace,
  reason: string,
): Promise<Removal> {
  const rescue = await rescueWorkspace(ground, workspace, reason).catch((error: unknown) => {
    if (error instanceof Failure) return { ...NOTHING, unsaved: [`${error.code}: ${error.message}`] }
    throw error
  })
  const rescued = [...rescue.refs, ...rescue.unsound]
  if (rescue.unsaved.length > 0) return { kind: 'kept', rescued, reasons: rescue.unsaved }
  // The record is removed last: after a crash in between, the removal can be repeated.
  await moveToTrash(ground, workspace.path, workspace.name)
  await moveToTrash(ground, observerOf(ground, workspace.name).folder, `${workspace.name}-observer`)
  return { kind: 'removed', rescued }
}

/** A rename is immediate; `emptyTrash` does the slow part. */
export async function moveToTrash(ground: Ground, path: string, name: string): Promise<void> {
  if ((await kindOf(path)) === 'absent') return
  const trashed = join(ground.trashDir, `${name}-${randomUUID()}`)
  try {
    await rename(path, trashed)
  } catch (error) {
    // AXIOM's records may be on another file system than the checkouts; they are small enough to delete here.
    if (systemCode(error) !== 'EXDEV') throw error
    await rm(path, { recursive: true, force: true })
  }
}

/** Deletes what was moved to the trash, now or before a crash. Slow on large trees: do not wait for it. */
export async function emptyTrash(ground: Ground): Promise<number> {
  const names = await readdir(ground.trashDir)
  for (const name of names) await deleteTree(join(ground.trashDir, name))
  return names.length
}

/** Read-only directories are made writable first; a link is removed, never followed. */
async function deleteTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true })
  } catch (error) {
    if (systemCode(error) !== 'EACCES' && systemCode(error) !== 'EPERM') throw error
    await openDirectories(path)
    await rm(path, { recursive: true, force: true })
  }
}

async function openDirectories(path: string): Promise<void> {
  if ((await kindOf(path)) !== 'directory') return
  await chmod(path, 0o700)
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await openDirectories(join(path, entry.name))
  }
}
