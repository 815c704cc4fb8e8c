import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readText } from '../../platform/files/read-text.ts'
import { writeFileAtomically } from '../../platform/files/write-file-atomically.ts'
import { readSpecText } from '../../project/read-spec.ts'
import type { SpecDesk } from '../hands.ts'
import type { RunWorld } from '../run-world.ts'

const PROGRESS_FILE = 'specs/progress.json'

/** The specs of a real project. */
export function openSpecDesk({
  root,
  vocabulary,
  store,
}: Pick<RunWorld, 'root' | 'vocabulary' | 'store'>): SpecDesk {
  const folder = join(root, vocabulary.folder)
  const path = join(folder, PROGRESS_FILE)
  return {
    read: (directive) => readSpecText(store, folder, directive),
    async keepProgress(text) {
      // Another process may have removed or changed it: the file decides, not what was last written.
      if ((await readText(path)) === text) return
      await mkdir(dirname(path), { recursive: true })
      await writeFileAtomically(path, text)
    },
  }
}
