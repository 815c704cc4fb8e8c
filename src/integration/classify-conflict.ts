import type { Conflict, ConflictFile } from './merge-trees.ts'

/** How hard a conflict looks. A hint, never a proof: git can see a plain rename as a deletion. */
export type ConflictClass = 'SIMPLE' | 'MEDIUM' | 'COMPLEX'

export type ComplexReason = 'structure' | 'mode' | 'not-a-file' | 'binary' | 'large' | 'name'

const HARMLESS = ['Auto-merging', 'CONFLICT (contents)']
const FILES_MAX = 20
const REGULAR_FILE = /^100(?:644|755)$/

/**
 * Why stages and messages alone put a conflict beyond the rules and the resolver; undefined when they do not.
 */
export function complexReason(conflict: Conflict): ComplexReason | undefined {
  if (conflict.messages.some(({ type }) => type === 'CONFLICT (binary)')) return 'binary'
  if (conflict.messages.some(({ type }) => !HARMLESS.includes(type))) return 'structure'
  if (conflict.files.length > FILES_MAX) return 'large'
  for (const file of conflict.files) {
    const reason = fileReason(file)
    if (reason !== undefined) return reason
  }
  return conflict.files.length === 0 ? 'structure' : undefined
}

function fileReason({ path, stages }: ConflictFile): ComplexReason | undefined {
  // A name that is not valid UTF-8 cannot be passed back to git unchanged.
  if (path.includes('\ufffd')) return 'name'
  if (!stages.every(({ mode }) => REGULAR_FILE.test(mode))) return 'not-a-file'
  const both = [2, 3].every((wanted) => stages.some(({ stage }) => stage === wanted))
  if (!both) return 'structure'
  return new Set(stages.map(({ mode }) => mode)).size > 1 ? 'mode' : undefined
}

/** `contents` is the result of reading the files: text of acceptable size, and whether rules settle them. */
export function classifyConflict(
  conflict: Conflict,
  contents: 'settled-by-rules' | 'text' | 'binary' | 'large',
): ConflictClass {
  if (complexReason(conflict) !== undefined || contents === 'binary' || contents === 'large') return 'COMPLEX'
  return contents === 'settled-by-rules' ? 'SIMPLE' : 'MEDIUM'
}
