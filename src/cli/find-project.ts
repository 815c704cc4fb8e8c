import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '../platform/failure.ts'

/** One folder name per vocabulary; the folder that is there decides which one a project speaks. */
export const PROJECT_FOLDERS: readonly string[] = ['.axiom', '.swarm']

export interface Project {
  /** The work tree. */
  readonly root: string
  /** `.axiom/` or `.swarm/` in it. */
  readonly folder: string
}

/** The project that a directory belongs to: its own or the nearest above, within one git work tree. */
export function findProject(cwd: string): Project | undefined {
  for (let root = cwd; ; root = dirname(root)) {
    const name = PROJECT_FOLDERS.find((folder) => existsSync(join(root, folder)))
    if (name !== undefined) return { root, folder: join(root, name) }
    if (existsSync(join(root, '.git')) || dirname(root) === root) return undefined
  }
}

export function requireProject(cwd: string): Project {
  const project = findProject(cwd)
  if (project) return project
  throw new Failure('CONFIG_NOT_FOUND', `no AXIOM project in ${cwd} or above it`, {
    hint: 'run `axiom init` at the root of your repository',
  })
}
