import { copyFileSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

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
 * Writes a new repository, file by file: exactly what git needs, without a template. `git init` and `git
 * clone --shared` take several processes for the same few small files. They are written synchronously: a
 * dozen round trips through the thread pool would take many times as long.
 */
export function layOutRepository(gitDir: string, layout: RepositoryLayout): void {
  const { head, refs = {}, configuration = '', bare = true, borrowFrom } = layout
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'info']) {
    mkdirSync(join(gitDir, folder), { recursive: true })
  }
  if (borrowFrom !== undefined) borrowObjects(gitDir, borrowFrom)
  writeRefs(gitDir, refs)
  writeFileSync(
    join(gitDir, 'config'),
    `[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = ${bare}\n${configuration}`,
  )
  // Last, because a directory without a HEAD is no repository yet.
  writeFileSync(join(gitDir, 'HEAD'), `ref: refs/heads/${head}\n`)
}

/** Only for a repository without other users: git would lock each ref and check that its commit exists. */
export function writeRefs(gitDir: string, refs: Readonly<Record<string, string>>): void {
  for (const [ref, commit] of Object.entries(refs)) {
    mkdirSync(dirname(join(gitDir, ref)), { recursive: true })
    writeFileSync(join(gitDir, ref), `${commit}\n`)
  }
}

function borrowObjects(gitDir: string, from: string): void {
  writeFileSync(join(gitDir, 'objects/info/alternates'), `${join(from, 'objects')}\n`)
  // Where the lender's history is shallow, this repository must be, too, or git would miss the parents.
  const shallow = lstatSync(join(from, 'shallow'), { throwIfNoEntry: false })
  if (shallow?.isFile()) copyFileSync(join(from, 'shallow'), join(gitDir, 'shallow'))
}
