import type { CaseId } from '../cases/case.ts'
import { caseFault } from './case-form.ts'
import type { Damage } from './damage.ts'
import { CaseFold, type CaseLine, type LoadedCase } from './fold-lines.ts'
import { type JournalLine, nameInDamagedLine, readLine, sealHolds } from './journal-line.ts'
import { type RawLine, scanLines } from './scan-lines.ts'

/** What was done under an idempotency key. */
export interface KeyRecord {
  readonly seq: number
  readonly created: CaseId[]
  readonly touched: CaseId[]
}

export interface LoadedJournal {
  readonly cases: ReadonlyMap<CaseId, LoadedCase>
  readonly documents: ReadonlyMap<string, { readonly rev: number; readonly value: unknown }>
  readonly keys: ReadonlyMap<string, KeyRecord>
  readonly seq: number
  readonly lines: number
  readonly damage: readonly Damage[]
  readonly corrupt: readonly { readonly line: number; readonly bytes: Buffer }[]
  /** An unfinished write at the end: where it begins. */
  readonly torn: { readonly at: number; readonly line: number } | undefined
}

/** Keys that are remembered; a client asks again within seconds. */
export const KEYS_MAX = 10_000
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
    const torn = this.#cutTornTail()
    this.#acceptRecent()
    if (this.#fold.irregular.size > 0) this.#reconcile(path, torn?.at)
    return {
      cases: this.#fold.cases,
      documents: this.#documents,
      keys: this.#keys,
      seq: this.#seq,
      lines: this.#lines,
      damage: this.#damage,
      corrupt: this.#corrupt,
      torn,
    }
  }

  /**
   * A write that did not end shows itself by a line without an end, by blocks that were never written
   * (zero bytes), or by a commit that lacks its last lines. Then the first commit that is not whole, and all
   * behind it, is no part of the store: nobody was told of it.
   */
  #cutTornTail(): LoadedJournal['torn'] {
    const whole = this.#wholeCommits()
    const zeroed = this.#recent.some(({ bytes }) => bytes?.includes(0))
    const halfCommit = whole < this.#recent.length && this.#recent.slice(whole).every(({ line }) => line)
    if (!this.#unended && !zeroed && !halfCommit) return undefined
    const first = this.#recent[whole]?.raw ?? this.#unended
    this.#recent.length = whole
    return first && { at: first.start, line: first.number }
  }

  /** How many of the recent lines belong to whole commits before the first that is not. */
  #wholeCommits(): number {
    let whole = 0
    while (whole < this.#recent.length) {
      const mark = this.#recent[whole]?.line?.mark
      if (!mark) break
      const commit = this.#recent.slice(whole, whole + mark.count)
      const isWhole = commit.length === mark.count && commit.every(({ line }) => line?.mark?.seq === mark.seq)
      if (!isWhole) break
      whole += mark.count
    }
    return whole
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
    if (line.kind === 'document') {
      const known = this.#documents.get(line.name)
      if (!known || line.rev > known.rev) this.#documents.set(line.name, { rev: line.rev, value: line.value })
      return
    }
    this.#fold.take(line)
    if (line.key !== undefined) this.#remember(line.key, line)
  }

  #remember(key: string, { mark, subject }: CaseLine): void {
    const record = this.#keys.get(key) ?? { seq: mark?.seq ?? 0, created: [], touched: [] }
    record.touched.push(subject.id)
    if (subject.rev === 1) record.created.push(subject.id)
    this.#keys.set(key, record)
    if (this.#keys.size > KEYS_MAX) this.#keys.delete(this.#keys.keys().next().value ?? '')
  }

  #reject(line: number, bytes: Buffer): void {
    if (MERGE_MARKER.test(bytes.toString('latin1', 0, 16))) {
      this.#damage.push({ kind: 'merge-marker', line })
      return
    }
    const id = nameInDamagedLine(bytes)
    this.#corrupt.push({ line, bytes })
    this.#damage.push({ kind: 'corrupt-line', line, ...(id === undefined ? {} : { id }) })
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
  if (!sealed && /"(?:sum|txn)":"/.test(text)) return undefined
  const line = readLine(tryParse(text))
  if (!sealed && line?.kind === 'case' && caseFault(line.subject) !== undefined) return undefined
  return line
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
