import type { CaseId } from '../../cases/case.ts'
import type { Applied } from '../../cases/execute.ts'
import type { LineBuffer } from './line-buffer.ts'

/** The changes that are valid only together: the cases of a batch, and documents. */
export interface Commit {
  readonly seq: number
  readonly applied: readonly Applied[]
  readonly documents: readonly { readonly key: string; readonly rev: number; readonly value: unknown }[]
  /** The idempotency key under which it was sent. */
  readonly key: string | undefined
  /** The ids that the names of the batch stand for. */
  readonly names: Readonly<Record<string, CaseId>>
  /** Its lines hold whole histories, because its cases were imported. */
  readonly whole: boolean
}

export function countLines({ applied, documents }: Commit): number {
  return applied.length + documents.length
}

/**
 * The lines of a commit: each case as it is, with its new history entries. Id and revision are the first keys
 * of every case, so that a damaged line can still be identified. The first line of a write says that
 * everything before it was on disk before it was written.
 */
export function writeCommit(lines: LineBuffer, commit: Commit, firstOfWrite: boolean): void {
  const { applied, documents, names } = commit
  const called = commit.key === undefined ? undefined : invert(names)
  let index = 0
  for (const { after, entries } of applied) {
    index += 1
    lines.open(after)
    lines.field('history', entries)
    addMarks(lines, commit, index, firstOfWrite && index === 1, called?.get(after.id))
    lines.seal()
  }
  for (const { key, rev, value } of documents) {
    index += 1
    lines.open({ doc: key, rev, value })
    addMarks(lines, commit, index, firstOfWrite && index === 1)
    lines.seal()
  }
}

/** What a line says about its commit: `"txn":"7"`, or `"txn":"7.1/3"` when the commit has more lines. */
function addMarks(lines: LineBuffer, commit: Commit, index: number, synced: boolean, as?: string): void {
  const { seq, key, whole } = commit
  const count = countLines(commit)
  lines.field('txn', count === 1 ? String(seq) : `${seq}.${index}/${count}`)
  if (key !== undefined) lines.field('key', key)
  if (as !== undefined) lines.field('as', as)
  if (synced) lines.field('sync', true)
  if (whole) lines.field('whole', true)
}

function invert(names: Readonly<Record<string, CaseId>>): Map<CaseId, string> {
  return new Map(Object.entries(names).map(([name, id]) => [id, name]))
}
