import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { kindOf } from '../files/read-regular-file.ts'

export interface RepositoryLayout {
  /** The branch that HEAD names, without `refs/heads/`. */
  readonly head: string
  readonly refs?: Readonly<Record<string, string>>
  /** The text of the configuration beyond what every repository has. */
  readonly configuration?: string
  readonly bare?: boolean
  /** The git directory whose objects this one reads besides its own. */
  readonly borrowFrom?: string
}

/**
 * Writes a new repository, file by file: exactly what git needs and nothing of a template. What `git init` and
 * `git clone --shared` would take several processes for is a handful of small files.
 */
export async function layOutRepository(gitDir: string, layout: RepositoryLayout): Promise<void> {
  const { head, refs = {}, configuration = '', bare = true, borrowFrom } = layout
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'info']) {
    await mkdir(join(gitDir, folder), { recursive: true })
  }
  if (borrowFrom !== undefined) await borrowObjects(gitDir, borrowFrom)
  for (const [ref, commit] of Object.entries(refs)) {
    await mkdir(dirname(join(gitDir, ref)), { recursive: true })
    await writeFile(join(gitDir, ref), `${commit}\n`)
  }
  await writeFile(
    join(gitDir, 'config'),
    `[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = ${bare}\n${configuration}`,
  )
  // Last, because a directory without a HEAD is no repository yet.
  await writeFile(join(gitDir, 'HEAD'), `ref: refs/heads/${head}\n`)
}

async function borrowObjects(gitDir: string, from: string): Promise<void> {
  await writeFile(join(gitDir, 'objects/info/alternates'), `${join(from, 'objects')}\n`)
  // Where the history of the other ends early, this one must know it too, or it would miss the parents.
  if ((await kindOf(join(from, 'shallow'))) === 'file')
    await copyFile(join(from, 'shallow'), join(gitDir, 'shallow'))
}
