import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Case, CaseId } from '../cases/case.ts'
import { readText } from '../platform/files/read-text.ts'
import type { Store } from '../store/store.ts'

export interface SpecDocument {
  readonly specFile: string
  /** The document as it is now, after any edits. */
  readonly text: string
  /** The text to which the offsets of the cases' regions refer. */
  readonly anchored: string
}

/** The path of a directive's document, below the project's folder. */
export function specFileOf(directive: CaseId): string {
  return `specs/${directive}.md`
}

/**
 * The document of a directive; undefined when it has none, or when its plan was interrupted before writing
 * it.
 */
export async function readSpecText(
  store: Pick<Store, 'getBlob'>,
  folder: string,
  directive: Case,
): Promise<(SpecDocument & { readonly isWritten: boolean }) | undefined> {
  const specFile = specFileOf(directive.id)
  const kept = await keptText(store, directive)
  const found = await readText(join(folder, specFile))
  const text = found ?? kept
  if (text === undefined) return undefined
  const isWritten = found !== undefined
  return { specFile, text, anchored: kept ?? anchoredText(directive, text), isWritten }
}

/**
 * Without the text that the offsets belong to, as in a fresh clone, they could point at other words: then
 * they point at none.
 */
export function anchoredText({ metadata: { specDigest } }: Case, text: string): string {
  const isSame = createHash('sha256').update(text).digest('hex') === specDigest
  return isSame || typeof specDigest !== 'string' ? text : ''
}

/** The text that the store keeps for a directive, from before it could be edited. */
export async function keptText(
  store: Pick<Store, 'getBlob'>,
  { metadata }: Case,
): Promise<string | undefined> {
  if (typeof metadata.specDigest !== 'string') return undefined
  const bytes = await store.getBlob(metadata.specDigest)
  return bytes && Buffer.from(bytes).toString()
}
