import type { Case, CaseId, HistoryEntry } from '../../cases/case.ts'

/** The position of a line in its commit: all lines of a commit count, or none. */
export interface TransactionMark {
  readonly seq: number
  readonly index: number
  readonly count: number
}

interface LineMarks {
  readonly mark: TransactionMark | undefined
  readonly key: string | undefined
  /** The name of the case in the batch under this key. */
  readonly as: string | undefined
  readonly synced: boolean
}

interface CaseContent {
  readonly kind: 'case'
  readonly subject: Case
  readonly history: readonly HistoryEntry[]
  /** The children in creation order; only a compacted line has them. */
  readonly childIds: readonly CaseId[] | undefined
  /** The history is complete, not only this revision's entries: a compacted or imported line. */
  readonly whole: boolean
}

interface DocumentContent {
  readonly kind: 'document'
  readonly name: string
  readonly rev: number
  readonly value: unknown
}

/** A line of `cases.jsonl`: a case with what its history gained, or a document. */
export type JournalLine = (CaseContent | DocumentContent) & LineMarks

/** The fields of a line that describe the line and not its case. */
interface Wrapping {
  readonly txn?: unknown
  readonly key?: unknown
  readonly as?: unknown
  readonly sync?: unknown
  readonly whole?: unknown
  readonly history?: unknown
  readonly childIds?: unknown
}

/** Takes a parsed line apart; undefined when it is neither a case nor a document. */
export function readLine(value: unknown): JournalLine | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { txn, key, as, sync, whole, history, childIds } = value as Wrapping
  const mark = txn === undefined ? undefined : readMark(txn)
  const marks = {
    mark,
    key: typeof key === 'string' ? key : undefined,
    as: typeof as === 'string' ? as : undefined,
    synced: sync === true,
  }
  if ('doc' in value && 'rev' in value && typeof value.doc === 'string' && typeof value.rev === 'number') {
    return {
      kind: 'document',
      name: value.doc,
      rev: value.rev,
      value: (value as { value?: unknown }).value,
      ...marks,
    }
  }
  if (!('id' in value && 'rev' in value && typeof value.id === 'string' && typeof value.rev === 'number'))
    return undefined
  return {
    kind: 'case',
    subject: unwrap(value as Case & Wrapping),
    history: Array.isArray(history) ? (history as HistoryEntry[]) : [],
    childIds: Array.isArray(childIds) ? (childIds as CaseId[]) : undefined,
    whole: whole === true || mark === undefined,
    ...marks,
  }
}

const WRAPPING = new Set(['txn', 'key', 'as', 'sync', 'whole', 'sum', 'history', 'childIds'])
const CORE = new Set([
  'id',
  'type',
  'status',
  'content',
  'parentId',
  'createdAt',
  'updatedAt',
  'metadata',
  'rev',
  'uid',
])

/**
 * The case without the line's own fields. Written out for speed, since every loaded case passes here; fields
 * of a later version are kept, so that an earlier one does not lose them.
 */
function unwrap(line: Case & Wrapping): Case {
  const { id, rev, type, status, content, parentId, createdAt, updatedAt, metadata, uid } = line
  const subject = { id, rev, type, status, content, parentId, createdAt, updatedAt, metadata, uid }
  for (const name in line) {
    if (CORE.has(name) || WRAPPING.has(name)) continue
    Object.assign(subject, { [name]: line[name as keyof Case] })
  }
  return subject
}

function readMark(txn: unknown): TransactionMark | undefined {
  if (typeof txn !== 'string') return undefined
  const match = /^(\d+)(?:\.(\d+)\/(\d+))?$/.exec(txn)
  if (!match) return undefined
  return { seq: Number(match[1]), index: Number(match[2] ?? 1), count: Number(match[3] ?? 1) }
}
