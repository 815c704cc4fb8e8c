import { isDeepStrictEqual } from 'node:util'
import type { CaseId } from '../../cases/case.ts'
import { casesInDamagedLine, type Damage } from '../damage.ts'
import { caseFault } from './case-form.ts'
import { CaseFold, type CaseLine, type LoadedCase } from './fold-lines.ts'
import { type JournalLine, readLine } from './journal-line.ts'
import { sealHolds } from './line-seal.ts'
import { type RawLine, scanLines } from './scan-lines.ts'

/** What was done under an idempotency key. */
export interface KeyRecord {
  readonly seq: number
  readonly created: CaseId[]
  readonly touched: CaseId[]
  readonly names: Record<string, CaseId>
}

export interface LoadedJournal {
  readonly cases: ReadonlyMap<CaseId, LoadedCase>
  readonly documents: ReadonlyMap<string, { readonly rev: number; readonly value: unknown }>
  readonly keys: ReadonlyMap<string, KeyRecord>
  readonly seq: number
  readonly lines: number
  readonly damage: readonly Damage[]
  readonly corrupt: readonly { readonly line: number; readonly bytes: Buffer }[]
  /** How many cases may have been created by lines that cannot be read. */
  readonly creationsLost: number
  /** An unfinished write at the end: where it begins. */
  readonly torn: { readonly at: number; readonly line: number } | undefined
}

/** Remembered keys; a client repeats a request within seconds. */
export const KEYS_MAX = 10_000
/** Also a seal whose own name was damaged. */
const SEAL_OR_ITS_REMAINS = /"(?:sum|txn)":"|,"[^"]{3}":"[0-9a-fA-F]{8}"\}$/
/** The smallest piece that a disk writes or loses as a whole. */
const BLOCK_BYTES = 512
const MERGE_MARKER = /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/

/** Reads the whole file. What is damaged is reported, never thrown: the rest loads. */
export function loadJournal(path: string): LoadedJournal {
  const loading = new Loading()
  for (const raw of scanLines(path)) loading.take(raw)
  return loading.finish(path)
}

/** A line of the last write: not yet known whether that write ended. */
interface Recent {
  readonly line: JournalLine | undefined
  readonly raw: Pick<RawLine, 'number' | 'start'>
  readonly bytes: Buffer | undefined
}

class Loading {
  readonly #fold = new CaseFold()
  readonly #documents = new Map<string, { rev: number; value: unknown }>()
  readonly #keys = new Map<string, KeyRecord>()
  readonly #damage: Damage[] = []
  readonly #corrupt: { line: number; bytes: Buffer }[] = []
  /** The lines since the last mark that says "everything before me is on disk". */
  #recent: Recent[] = []
  #unended: Pick<RawLine, 'number' | 'start'> | undefined
  #seq = 0
  #lines = 0
  #creationsLost = 0

  take(raw: RawLine): void {
    const { number, start } = raw
    if (raw.end < 0) {
      this.#unended = { number, start }
      return
    }
    this.#lines += 1
    const line = parse(raw.bytes)
    if (!line) {
      if (raw.bytes.length > 0)
        this.#recent.push({ line, raw: { number, start }, bytes: Buffer.from(raw.bytes) })
      return
    }
    if (line.synced || !line.mark) this.#acceptRecent()
    if (!line.mark) this.#accept(line)
    else this.#recent.push({ line, raw: { number, start }, bytes: undefined })
  }

  finish(path: string): LoadedJournal {
    const torn = this.#cutTornTail(path)
    this.#acceptRecent()
    if (this.#fold.irregular.size > 0) this.#reconcile(path, torn?.at)
    for (const { line, bytes } of this.#corrupt) this.#nameDamage(line, bytes)
    return {
      cases: this.#fold.cases,
      documents: this.#documents,
      keys: this.#keys,
      seq: this.#seq,
      lines: this.#lines,
      damage: this.#damage,
      corrupt: this.#corrupt,
      creationsLost: this.#creationsLost,
      torn,
    }
  }

  /**
   * A write that did not end leaves a line without an end, blocks that never reached the disk, or a last
   * commit without its last lines. That commit, and all after it, is not part of the store: it was never
   * acknowledged. Any other damage may concern acknowledged commits, and is no reason to cut.
   */
  #cutTornTail(path: string): LoadedJournal['torn'] {
    const lost = this.#recent.findIndex(({ raw, bytes }) => bytes && hasLostBlock(bytes, raw.start))
    const end = lost < 0 ? this.#recent.length : lost
    const start = this.#startOfHalfCommit(end)
    const first = this.#recent[start]?.raw ?? this.#unended
    if (!first || (lost < 0 && !this.#unended && this.#endsElsewhere(path, start))) return undefined
    this.#recent.length = start
    this.#lines = first.number - 1
    return { at: first.start, line: first.number }
  }

  /** The start of a commit whose last lines are missing before `end`; `end` itself when there is none. */
  #startOfHalfCommit(end: number): number {
    const last = this.#recent[end - 1]?.line?.mark
    if (!last || last.index === last.count) return end
    let start = end
    while (start > end - last.index && this.#recent[start - 1]?.line?.mark?.seq === last.seq) start -= 1
    return start
  }

  /** A file whose lines were reordered may end with any line of a commit. */
  #endsElsewhere(path: string, start: number): boolean {
    const seq = this.#recent[start]?.line?.mark?.seq
    for (const { bytes, end } of scanLines(path)) {
      const mark = end < 0 ? undefined : parse(bytes)?.mark
      if (mark?.seq === seq && mark?.index === mark?.count) return true
    }
    return false
  }

  #acceptRecent(): void {
    for (const { line, raw, bytes } of this.#recent) {
      if (line) this.#accept(line)
      else if (bytes) this.#reject(raw.number, bytes)
    }
    this.#recent = []
  }

  #accept(line: JournalLine): void {
    if (line.mark) this.#seq = Math.max(this.#seq, line.mark.seq)
    if (line.kind === 'document') this.#acceptDocument(line)
    else this.#fold.take(line)
    if (line.key !== undefined) this.#remember(line.key, line)
  }

  #acceptDocument({ name, rev, value }: Extract<JournalLine, { kind: 'document' }>): void {
    const known = this.#documents.get(name)
    if (!known || rev > known.rev) this.#documents.set(name, { rev, value })
    else if (rev === known.rev && !isDeepStrictEqual(value, known.value))
      this.#damage.push({ kind: 'two-documents', name, rev })
  }

  #remember(key: string, line: JournalLine): void {
    const record = this.#keys.get(key) ?? { seq: line.mark?.seq ?? 0, created: [], touched: [], names: {} }
    if (line.kind === 'case') {
      record.touched.push(line.subject.id)
      if (line.subject.rev === 1) record.created.push(line.subject.id)
      if (line.as !== undefined) record.names[line.as] = line.subject.id
    }
    this.#keys.set(key, record)
    if (this.#keys.size > KEYS_MAX) this.#keys.delete(this.#keys.keys().next().value ?? '')
  }

  #reject(line: number, bytes: Buffer): void {
    if (MERGE_MARKER.test(bytes.toString('latin1', 0, 16))) {
      this.#damage.push({ kind: 'merge-marker', line })
      return
    }
    this.#corrupt.push({ line, bytes })
  }

  #nameDamage(line: number, bytes: Buffer): void {
    const ids = casesInDamagedLine(bytes, this.#fold.cases)
    for (const id of ids) this.#damage.push({ kind: 'corrupt-line', line, id })
    if (ids.length === 0) this.#damage.push({ kind: 'corrupt-line', line })
    if (!ids.some((id) => this.#fold.cases.has(id))) this.#creationsLost += 1
  }

  /** Reads the file once more for the cases whose lines do not simply follow each other. */
  #reconcile(path: string, end: number | undefined): void {
    const lines = new Map<CaseId, CaseLine[]>()
    for (const raw of scanLines(path)) {
      if (raw.end < 0 || (end !== undefined && raw.start >= end)) break
      const line = parse(raw.bytes)
      if (line?.kind !== 'case' || !this.#fold.irregular.has(line.subject.id)) continue
      const known = lines.get(line.subject.id)
      if (known) known.push(line)
      else lines.set(line.subject.id, [line])
    }
    for (const [id, own] of lines) this.#damage.push(...this.#fold.reconcile(id, own))
  }
}

function parse(bytes: Buffer): JournalLine | undefined {
  const sealed = sealHolds(bytes)
  const text = bytes.toString()
  // A seal that does not hold is damage; a line that never had one was written by a person or another tool.
  if (!sealed && SEAL_OR_ITS_REMAINS.test(text)) return undefined
  const line = readLine(tryParse(text))
  if (!sealed && line?.kind === 'case' && caseFault(line.subject) !== undefined) return undefined
  return line
}

/** A block that was never written reads as zeros, from its beginning or the line's, up to its end. */
function hasLostBlock(bytes: Buffer, offset: number): boolean {
  for (let from = bytes.indexOf(0); from >= 0; ) {
    let to = from
    while (bytes[to] === 0) to += 1
    if ((from === 0 || (offset + from) % BLOCK_BYTES === 0) && (offset + to) % BLOCK_BYTES === 0) return true
    from = bytes.indexOf(0, to)
  }
  return false
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
