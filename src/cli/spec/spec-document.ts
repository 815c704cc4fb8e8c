import { createHash } from 'node:crypto'
import { mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Case, CaseId } from '../../cases/case.ts'
import { Failure, systemCode } from '../../platform/failure.ts'
import { readText } from '../../platform/files/read-text.ts'
import { writeFileAtomically } from '../../platform/files/write-file-atomically.ts'
import type { Store } from '../../store/store.ts'
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

export interface SpecDocument {
  readonly specFile: string
  /** The document as it is now, whoever edited it. */
  readonly text: string
  /** The text that the regions of the cases were measured in. */
  readonly anchored: string
}

/** Reads the document of a directive, and writes it first when its plan was interrupted before that. */
export async function readSpec(
  context: Context,
  store: Store,
  project: Project,
  directive: Case,
): Promise<SpecDocument> {
  const path = specPath(project, directive.id)
  const specFile = `specs/${directive.id}.md`
  const kept = await keptText(store, directive)
  const found = await readText(path)
  if (found === undefined && kept === undefined) {
    throw new Failure('SPEC_NOT_FOUND', `${directive.id} has no spec: there is no ${path}`, {
      hint: 'write the document there, or plan with one: "axiom plan --from FILE --yes"',
    })
  }
  if (found === undefined && kept !== undefined) await writeSpec(context, path, kept)
  const text = found ?? kept ?? ''
  return { specFile, text, anchored: kept ?? anchoredText(directive, text) }
}

/** Without the text that offsets belong to, as in a fresh clone, they may mean other words: then they mean none. */
export function anchoredText({ metadata: { specDigest } }: Case, text: string): string {
  const isSame = createHash('sha256').update(text).digest('hex') === specDigest
  return isSame || typeof specDigest !== 'string' ? text : ''
}

/** The text that the store keeps for a directive, from before anybody could edit it. */
export async function keptText(store: Store, { metadata }: Case): Promise<string | undefined> {
  if (typeof metadata.specDigest !== 'string') return undefined
  const bytes = await store.getBlob(metadata.specDigest)
  return bytes && Buffer.from(bytes).toString()
}
