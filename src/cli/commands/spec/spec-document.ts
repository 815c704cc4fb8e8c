import { mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Case, CaseId } from '../../../cases/case.ts'
import { Failure, systemCode } from '../../../platform/failure.ts'
import { readText } from '../../../platform/files/read-text.ts'
import { writeFileAtomically } from '../../../platform/files/write-file-atomically.ts'
import { readSpecText, type SpecDocument, specFileOf } from '../../../project/read-spec.ts'
import type { Store } from '../../../store/store.ts'
import type { Context } from '../../context.ts'
import type { Project } from '../../project.ts'

export function specPath({ folder }: Project, directive: CaseId): string {
  return join(folder, specFileOf(directive))
}

/**
 * Writes the document of a directive whose cases are committed. The store holds the text: if the disk or the
 * machine fails here, the next reader writes it.
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

/** Reads the document of a directive, and first writes it if its plan was interrupted before that. */
export async function readSpec(
  context: Context,
  store: Store,
  project: Project,
  directive: Case,
): Promise<SpecDocument> {
  const path = specPath(project, directive.id)
  const read = await readSpecText(store, project.folder, directive)
  if (read === undefined) {
    throw new Failure('SPEC_NOT_FOUND', `${directive.id} has no spec: there is no ${path}`, {
      hint: 'write the document there, or plan with one: "axiom plan --from FILE --yes"',
    })
  }
  if (!read.isWritten) await writeSpec(context, path, read.text)
  return read
}
