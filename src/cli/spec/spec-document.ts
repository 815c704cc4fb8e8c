import { mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CaseId } from '../../cases/case.ts'
import { systemCode } from '../../platform/failure.ts'
import { readText } from '../../platform/files/read-text.ts'
import { writeFileAtomically } from '../../platform/files/write-file-atomically.ts'
import type { Context } from '../context.ts'
import type { Project } from '../project.ts'

export function specPath({ folder }: Project, directive: CaseId): string {
  return join(folder, 'specs', `${directive}.md`)
}

/**
 * Writes the document of a directive whose cases are committed. The store has its text: when the disk fails here, or
 * the machine, the next reader writes it.
 */
export async function writeSpec(context: Context, path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    const earlier = await readText(path)
    if (earlier === text) return
    if (earlier !== undefined) await setAside(context, path)
    await writeFileAtomically(path, text)
  } catch (error) {
    if (systemCode(error) === '') throw error
    context.warn({
      code: 'SPEC_NOT_WRITTEN',
      message: `${path} could not be written: ${systemCode(error)}`,
      hint: 'its text is safe in the store, and "axiom spec" writes it when the folder allows it',
    })
  }
}

async function setAside(context: Context, path: string): Promise<void> {
  await rename(path, `${path}.backup`)
  context.warn({
    code: 'SPEC_SET_ASIDE',
    message: `${path} was there already, from another plan`,
    hint: `it is kept as ${path}.backup`,
  })
}
