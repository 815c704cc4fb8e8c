import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect } from 'vitest'
import { sh } from '../git/scratch.ts'
import { integrationOf, type Theatre } from './scene.ts'

/** A file of a workspace, and the name that git gives to what was in it. */
export interface SeenFile {
  readonly path: string
  readonly blob: string
}

/** Every file that lies in a workspace of this scene, committed or not, ignored ones and git's own aside. */
export function filesInWorkspaces({ root }: Theatre, task = ''): SeenFile[] {
  const folder = join(root, '.workspaces')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.') && name.endsWith(task))
    .flatMap((name) => filesIn(folder, join(folder, name)))
}

function filesIn(folder: string, path: string): SeenFile[] {
  const entries = readdirSync(path, { withFileTypes: true, recursive: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !relative(path, file).startsWith('.git/') && !file.endsWith('.log'))
  if (paths.length === 0) return []
  const blobs = sh(path, `git hash-object --no-filters -- ${paths.map((file) => `'${file}'`).join(' ')}`)
  return blobs.split('\n').map((blob, i) => ({ blob, path: relative(folder, paths[i] ?? '') }))
}

/** What was seen is in a commit that some ref of the integration repository leads to. */
export function expectKept(scene: Theatre, seen: readonly SeenFile[], moment: string): void {
  const kept = new Set(
    sh(integrationOf(scene), 'git rev-list --objects --all')
      .split('\n')
      .map((line) => line.slice(0, 40)),
  )
  const lost = seen.filter(({ blob }) => !kept.has(blob)).map(({ path }) => path)
  expect(lost, `${moment}: lost`).toEqual([])
}
