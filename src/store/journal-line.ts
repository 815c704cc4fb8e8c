import { crc32 } from 'node:zlib'
import type { Case, CaseId, HistoryEntry } from '../cases/case.ts'

/** Where a line stands in its commit: all lines of a commit count, or none. */
export interface TransactionMark {
  readonly seq: number
  readonly index: number
  readonly count: number
}

interface LineMarks {
  readonly mark: TransactionMark | undefined
  readonly key: string | undefined
  readonly synced: boolean
}

interface CaseContent {
  readonly kind: 'case'
  readonly subject: Case
  readonly history: readonly HistoryEntry[]
  /** The history is all there is, not only what this revision brought: a compacted or imported line. */
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

/** `,"sum":"01234567"}`: the checksum covers every byte of the line before it. */
const SEAL_LENGTH = 18
const SEAL_START = ',"sum":"'

export interface LineOptions {
  readonly mark?: TransactionMark
  readonly key?: string | undefined
  /** Everything before this line was on disk before this line was written. */
  readonly synced?: boolean
  /** The line holds the whole history, though it is part of a commit. */
  readonly whole?: boolean
}

/** The keys of a case in the order in which they stand in a line; the id first, so that a damaged line can still be named. */
export function encodeCase(
  subject: Case,
  history: readonly HistoryEntry[],
  options: LineOptions & { childIds?: readonly CaseId[] } = {},
): string {
  const { id, type, status, content, parentId, rev, uid, ...rest } = subject
  return seal(
    JSON.stringify({
      id,
      rev,
      type,
      status,
      content,
      parentId,
      ...(options.childIds ? { childIds: options.childIds } : {}),
      ...rest,
      uid,
      history,
      ...marks(options),
    }),
  )
}

export function encodeDocument(name: string, rev: number, value: unknown, options: LineOptions = {}): string {
  return seal(JSON.stringify({ doc: name, rev, value, ...marks(options) }))
}

function marks({ mark, key, synced, whole }: LineOptions): object {
  return {
    ...(mark ? { txn: mark.count === 1 ? `${mark.seq}` : `${mark.seq}.${mark.index}/${mark.count}` } : {}),
    ...(key === undefined ? {} : { key }),
    ...(synced ? { sync: true } : {}),
    ...(whole ? { whole: true } : {}),
  }
}

function seal(json: string): string {
  const body = json.slice(0, -1)
  return `${body}${SEAL_START}${crc32(body).toString(16).padStart(8, '0')}"}\n`
}

/** Whether the bytes of a line are those that were written; false also for a line without a seal. */
export function sealHolds(line: Buffer): boolean {
  const body = line.length - SEAL_LENGTH
  if (body <= 0 || line.toString('latin1', body, body + SEAL_START.length) !== SEAL_START) return false
  const sum = Number.parseInt(line.toString('latin1', body + SEAL_START.length, line.length - 2), 16)
  return crc32(line.subarray(0, body)) === sum
}

/** Takes a parsed line apart; undefined when it is neither a case nor a document. */
export function readLine(value: unknown): JournalLine | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { txn, key, sync, whole, sum: _, history, childIds: __, ...rest } = value as Record<string, unknown>
  const mark = readMark(txn)
  const common = { mark, key: typeof key === 'string' ? key : undefined, synced: sync === true }
  if (typeof rest.doc === 'string' && typeof rest.rev === 'number') {
    return { kind: 'document', name: rest.doc, rev: rest.rev, value: rest.value, ...common }
  }
  if (typeof rest.id !== 'string' || typeof rest.rev !== 'number') return undefined
  const entries = Array.isArray(history) ? (history as HistoryEntry[]) : []
  return {
    kind: 'case',
    subject: rest as unknown as Case,
    history: entries,
    whole: whole === true || mark === undefined,
    ...common,
  }
}

function readMark(txn: unknown): TransactionMark | undefined {
  if (typeof txn !== 'string') return undefined
  const match = /^(\d+)(?:\.(\d+)\/(\d+))?$/.exec(txn)
  if (!match) return undefined
  return { seq: Number(match[1]), index: Number(match[2] ?? 1), count: Number(match[3] ?? 1) }
}
