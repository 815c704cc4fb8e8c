import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Refusal } from '../cases/refusal.ts'
import { Failure } from '../platform/failure.ts'
import type { Store } from '../store/store.ts'
import type { Context } from './context.ts'

export interface Project {
  /** The user's work tree. */
  readonly root: string
  /** `.axiom` or the folder of another vocabulary. */
  readonly folder: string
}

const FOLDERS = ['.axiom', '.swarm']

/** The project that this directory belongs to: the nearest one above it. */
export function findProject(cwd: string): Project {
  for (let root = cwd; ; root = dirname(root)) {
    const folder = FOLDERS.map((name) => join(root, name)).find(isFolder)
    if (folder !== undefined) return { root, folder }
    if (root === dirname(root)) break
  }
  throw new Failure('CONFIG_NOT_FOUND', `there is no AXIOM project in ${cwd} or above it`, {
    hint: 'start one here: "axiom init"',
  })
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}

/** Opens the project's store for one command, and closes it whatever happens. */
export async function withStore<Result>(
  context: Context,
  purpose: string,
  work: (store: Store, project: Project) => Promise<Result>,
): Promise<Result> {
  const project = findProject(context.cwd)
  const { openStore } = await import('../store/open-store.ts')
  const store = await openStore({ folder: project.folder, purpose: `axiom ${purpose}` })
  try {
    return await work(store, project)
  } finally {
    await store.close()
  }
}

/** At the edge a refusal becomes what every other error is: a code, a message, and what to do. */
export function refused({ code, message, hint }: Refusal): Failure {
  return new Failure(code, message, { hint })
}
