import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Case, CaseId, CaseType, HistoryEntry, Instant } from '../../cases/case.ts'
import { CaseIndex } from '../../cases/case-index.ts'
import { CASE_TYPES } from '../../cases/case-types.ts'
import type { Occasion } from '../../cases/change.ts'
import { later, TTL_MS_MAX } from '../../cases/decide/claims.ts'
import { type Executed, execute } from '../../cases/execute.ts'
import { describeHolds, holdsOf } from '../../cases/readiness.ts'
import { type Refusal, refuse } from '../../cases/refusal.ts'
import type { LiveRow } from '../../events/live-row.ts'
import { Failure } from '../../platform/failure.ts'
import { Blobs } from '../blobs.ts'
import { type Damage, heldCase } from '../damage.ts'
import { Feed } from '../feed.ts'
import { LiveBoard } from '../live-board.ts'
import { answerQuery } from '../query-cases.ts'
import type {
  CaseQuery,
  CaseRecord,
  Committed,
  Cursor,
  FeedItem,
  LeaseKey,
  Reset,
  Stale,
  Store,
  StoreReport,
  Transaction,
} from '../store.ts'
import type { Commit } from './commit.ts'
import { compactedLines, writeDraft } from './compact.ts'
import { numbersInNames, readCounters, subfolders, writeCounters } from './counters-file.ts'
import { type Disk, disk } from './disk.ts'
import { checkImport, type ImportedCase } from './import-cases.ts'
import { Journal } from './journal.ts'
import { readKeys, writeKeys } from './keys-file.ts'
import { readRenewals, writeRenewals } from './lease-file.ts'
import { KEYS_MAX, type KeyRecord } from './load-journal.ts'
import { newUid } from './new-uid.ts'
import { StoreFolder } from './store-folder.ts'

export interface FileStoreOptions {
  /** The project's folder, such as `.axiom`. */
  readonly folder: string
  readonly prefixOf?: (type: CaseType) => string
  readonly clock?: () => Instant
  readonly disk?: Disk
}

/** Shorter files are not compacted automatically. */
const COMPACT_LINES_MIN = 2_000
const COMPACT_LIVE_SHARE = 0.5
const RENEWALS_WRITTEN_MS = 1_000
const NONE: readonly never[] = []

/** The store of one project in one process, on an append-only file. Its owner holds the lock (`open-store.ts`). */
export class FileStore implements Store {
  readonly #folder: StoreFolder
  readonly #disk: Disk
  readonly #clock: () => Instant
  readonly #prefixOf: (type: CaseType) => string
  readonly #index = new CaseIndex()
  readonly #documents = new Map<string, { rev: number; value: unknown }>()
  readonly #keys = new Map<string, KeyRecord>()
  readonly #blobs: Blobs
  readonly #journal: Journal
  readonly #feed: Feed
  readonly #live = new LiveBoard()
  #damage: readonly Damage[]
  #seq: number
  #renewalsWritten = 0
  #countersWritten: ReadonlyMap<string, number> | undefined
  #countersDue: Promise<void> | undefined

  constructor(options: FileStoreOptions) {
    this.#folder = new StoreFolder(options.folder)
    this.#disk = options.disk ?? disk
    this.#clock = options.clock ?? instantNow
    this.#prefixOf = options.prefixOf ?? ((type) => CASE_TYPES[type].prefix)
    this.#blobs = new Blobs(this.#folder.blobs)

    const { loaded, damage } = this.#folder.load(this.#disk, this.#clock())
    this.#damage = damage
    this.#seq = loaded.seq
    for (const { subject, history } of loaded.cases.values()) this.#index.put(subject, history)
    for (const [id, { childIds }] of loaded.cases) if (childIds) this.#index.orderChildren(id, childIds)
    for (const [name, document] of loaded.documents) this.#documents.set(name, document)
    for (const [key, record] of readKeys(this.#folder.keys)) {
      // The compacted file may have been replaced by hand.
      if (record.touched.every((id) => this.#index.get(id))) this.#remember(key, record)
    }
    for (const [key, record] of loaded.keys) this.#remember(key, record)
    for (const item of damage) this.#holdFor(item)
    this.#reserveLost(loaded.creationsLost)
    this.#index.findCycles()
    this.#restoreCounters()
    readRenewals(this.#folder.leases, this.#index)
    this.#journal = new Journal(this.#disk, this.#folder.cases, loaded.lines)
    this.#feed = new Feed(newEpoch(), this.#seq)
  }

  #holdFor(damage: Damage): void {
    const id = heldCase(damage)
    if (id !== undefined) this.#index.hold(id, damage.kind.replace('-', ' '))
  }

  /** A damaged line may have created a case whose number is no longer readable. */
  #reserveLost(creations: number): void {
    for (const [prefix, number] of this.#index.counters()) this.#index.reserve(prefix, number + creations)
  }

  /** Numbers are never given twice, even when the file that counts them is lost. */
  #restoreCounters(): void {
    const { numbers, sound } = readCounters(this.#folder.counters)
    for (const [prefix, number] of numbers) this.#index.reserve(prefix, number)
    this.#countersWritten = sound ? numbers : undefined
    if (sound) return
    const project = dirname(this.#folder.path)
    const agents = join(this.#folder.path, 'agents')
    const folders = ['.workspaces', '.worktrees'].map((name) => join(project, name))
    for (const [prefix, number] of numbersInNames([...folders, agents, ...subfolders(agents)])) {
      this.#index.reserve(prefix, number)
    }
  }

  #writeCounters(): void {
    const numbers = this.#index.counters()
    if (isDeepStrictEqual(numbers, this.#countersWritten)) return
    writeCounters(this.#disk, this.#folder.counters, numbers)
    this.#countersWritten = numbers
  }

  /**
   * Not async: the state of an async function, kept per writer until the sync ends, costs as much as a line.
   */
  transact(transaction: Transaction): Promise<Committed | Refusal | Stale> {
    try {
      return this.#transact(transaction)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  #transact(transaction: Transaction): Promise<Committed | Refusal | Stale> {
    const known = transaction.key === undefined ? undefined : this.#keys.get(transaction.key)
    if (known) return this.#afterDisk(this.#repeat(known))
    const stale = this.#staleDocument(transaction) ?? this.#staleCase(transaction)
    if (stale) return this.#afterDisk(stale)
    this.#journal.requireRoom()
    const executed = execute(this.#index, transaction.commands, this.#occasion(transaction.by))
    if (executed.kind === 'refused') return this.#afterDisk(executed)
    const commit = this.#newCommit(executed, transaction)
    return this.#append(commit, executed.created)
  }

  #append(commit: Commit, created: readonly CaseId[]): Promise<Committed> {
    return this.#journal.append(commit).then(() => this.#committed(commit, created))
  }

  /** Updates everything in memory for a commit that is not yet on disk. */
  #newCommit(
    { applied, created, names }: Omit<Executed, 'kind'>,
    { key, documents }: Pick<Transaction, 'key' | 'documents'>,
    whole = false,
  ): Commit {
    this.#seq += 1
    const seq = this.#seq
    const written = documents?.map(({ key: name, value, expect }) => ({ key: name, value, rev: expect + 1 }))
    for (const { key: name, value, rev } of written ?? NONE) this.#documents.set(name, { rev, value })
    if (key !== undefined) {
      const touched = applied.map(({ after }) => after.id)
      this.#remember(key, { seq, created: [...created], touched, names: { ...names } })
    }
    return { seq, applied, documents: written ?? NONE, key, names, whole }
  }

  /** Publishes a commit that is on disk to the feed, and returns the answer for its sender. */
  #committed(commit: Commit, created: readonly CaseId[]): Committed {
    const { seq, applied, names } = commit
    this.#feed.publish(seq, applied)
    const cases = applied.map(({ after }) => after)
    return { kind: 'committed', cursor: this.#feed.cursor, cases, created, names }
  }

  #remember(key: string, record: KeyRecord): void {
    this.#keys.set(key, record)
    if (this.#keys.size > KEYS_MAX) this.#keys.delete(this.#keys.keys().next().value ?? '')
  }

  #repeat({ seq, created, touched, names }: KeyRecord): Committed {
    const cases = touched
      .map((id) => this.#index.get(id))
      .filter((subject): subject is Case => subject !== undefined)
    return { kind: 'committed', cursor: { epoch: this.#feed.cursor.epoch, seq }, cases, created, names }
  }

  #staleDocument({ documents }: Transaction): Stale | undefined {
    for (const { key, expect } of documents ?? NONE) {
      const rev = this.#documents.get(key)?.rev ?? 0
      if (rev !== expect) return { kind: 'stale', key, rev }
    }
    return undefined
  }

  #staleCase({ expect }: Transaction): Stale | undefined {
    if (!expect) return undefined
    for (const [id, expected] of Object.entries(expect)) {
      const rev = this.#index.get(id)?.rev ?? 0
      if (rev !== expected) return { kind: 'stale', key: id, rev }
    }
    return undefined
  }

  #occasion(by: string): Occasion {
    return { now: this.#clock(), by, newUid, prefixOf: this.#prefixOf }
  }

  /** Resolves to the answer once everything it may depend on is on disk. */
  async #afterDisk<Answer>(answer: Answer): Promise<Answer> {
    await this.#journal.settled()
    return answer
  }

  query(query: CaseQuery): Promise<readonly CaseRecord[]> {
    return this.#afterDisk(answerQuery(this.#index, query))
  }

  history(id: CaseId): Promise<readonly HistoryEntry[]> {
    return this.#afterDisk([...this.#index.history(id)])
  }

  explain(id: CaseId): Promise<string> {
    const subject = this.#index.get(id)
    const words = subject
      ? describeHolds(this.#index, subject, holdsOf(this.#index, subject))
      : `there is no case ${id}`
    return this.#afterDisk(words)
  }

  async renew(leases: readonly LeaseKey[], ttlMs: number): Promise<readonly LeaseKey[]> {
    const now = this.#clock()
    const lost = leases.filter(({ id, stage, fence }) => {
      if (this.#index.get(id)?.leases?.[stage]?.fence !== fence) return true
      this.#index.renew(id, stage, fence, later(now, Math.min(ttlMs, TTL_MS_MAX)))
      return false
    })
    if (Date.parse(now) - this.#renewalsWritten >= RENEWALS_WRITTEN_MS) {
      this.#renewalsWritten = Date.parse(now)
      writeRenewals(this.#folder.leases, [...this.#index.renewals()])
    }
    return this.#afterDisk(lost)
  }

  document(key: string): Promise<{ readonly value: unknown; readonly rev: number }> {
    return this.#afterDisk(this.#documents.get(key) ?? { value: undefined, rev: 0 })
  }

  async allocate(prefix: string): Promise<number> {
    const number = this.#index.nextNumber(prefix)
    this.#index.reserve(prefix, number)
    await this.#countersOnDisk()
    return number
  }

  /** Numbers allocated at the same moment share one write. */
  #countersOnDisk(): Promise<void> {
    this.#countersDue ??= nextTurn().then(() => {
      this.#countersDue = undefined
      this.#writeCounters()
    })
    return this.#countersDue
  }

  putBlob(bytes: Uint8Array): Promise<string> {
    return this.#blobs.put(bytes)
  }

  getBlob(digest: string): Promise<Uint8Array | undefined> {
    return this.#blobs.get(digest)
  }

  feed(after: Cursor | undefined, signal: AbortSignal): AsyncIterable<FeedItem | Reset> {
    return this.#feed.read(after, signal)
  }

  publishLive(rows: readonly LiveRow[]): void {
    this.#live.publish(rows)
  }

  live(signal: AbortSignal): AsyncIterable<readonly LiveRow[]> {
    return this.#live.read(signal)
  }

  report(): Promise<StoreReport> {
    let deleted = 0
    for (const subject of this.#index.all()) if (subject.deletedAt !== undefined) deleted += 1
    return this.#afterDisk({
      cases: this.#index.size - deleted,
      deleted,
      lines: this.#journal.lines,
      bytes: this.#journal.bytes,
      cursor: this.#feed.cursor,
      damage: this.#damage,
      cycles: this.#index.cycles(),
    })
  }

  /** Whether more than half of the lines are superseded by newer ones. */
  get wantsCompaction(): boolean {
    const { lines } = this.#journal
    return (
      lines >= COMPACT_LINES_MIN &&
      this.#index.size / lines < COMPACT_LIVE_SHARE &&
      this.#damage.every(isHarmless)
    )
  }

  async compact(options: { acceptDamage?: boolean } = {}): Promise<StoreReport> {
    const harmful = this.#damage.filter((damage) => !isHarmless(damage))
    if (harmful.length > 0) {
      if (!options.acceptDamage) {
        throw new Failure('STORE_DAMAGED', `${harmful.length} faults in cases.jsonl stand in the way`, {
          hint: 'look at them with "axiom store verify"; "axiom store compact --accept-damage" keeps a copy and goes on with what was loaded',
        })
      }
      this.#folder.keepCopy(this.#clock())
    }
    do await this.#journal.settled()
    while (!this.#journal.pause())
    try {
      const compacted = [...compactedLines(this.#index, this.#documents)]
      // Only while everything in memory is on disk: a saved key must not name a commit that can still be
      // lost.
      writeKeys(this.#disk, this.#folder.keys, this.#keys)
      const lines = await writeDraft(this.#disk, this.#folder.draft, compacted)
      this.#journal.replaceBy(this.#folder.draft, lines)
      this.#feed.restart(newEpoch())
      this.#damage = this.#damage.filter(isHarmless)
    } finally {
      this.#journal.resume()
    }
    return this.report()
  }

  async import(cases: readonly ImportedCase[]): Promise<Committed | Refusal> {
    const checked = checkImport(this.#index, cases)
    if (checked.faults.length > 0) {
      const { faults } = checked
      return this.#afterDisk(
        refuse(
          'InvalidValue',
          `${faults.length} faults: ${faults.slice(0, 20).join('; ')}`,
          'nothing was imported; mend the file and try again',
        ),
      )
    }
    const applied = checked.fresh.map(({ subject, history }) => ({
      before: undefined,
      after: subject,
      entries: history,
    }))
    if (applied.length > 0) this.#journal.requireRoom()
    for (const { after, entries } of applied) this.#index.put(after, entries)
    this.#index.findCycles()
    const created = applied.map(({ after }) => after.id)
    if (applied.length === 0) {
      return this.#afterDisk({ kind: 'committed', cursor: this.#feed.cursor, cases: [], created, names: {} })
    }
    const commit = this.#newCommit({ applied, created, names: {} }, {}, true)
    return this.#append(commit, created)
  }

  /** The cases as the lines of an export, in the compacted form. */
  exported(): Promise<readonly string[]> {
    return this.#afterDisk([...compactedLines(this.#index, new Map())])
  }

  now(): Promise<Instant> {
    return Promise.resolve(this.#clock())
  }

  async close(): Promise<void> {
    try {
      await this.#journal.close()
    } finally {
      // Both can be rebuilt from the cases; a full disk must not hide the error of the journal.
      try {
        this.#writeCounters()
        writeRenewals(this.#folder.leases, [...this.#index.renewals()])
      } catch {}
    }
  }
}

/** An unfinished write is harmless: it was never acknowledged. */
function isHarmless(damage: Damage): boolean {
  return damage.kind === 'torn-tail'
}

let instantMs = 0
let instant: Instant = ''

/** Cached for the rest of its millisecond: under load the same instant is requested many times. */
function instantNow(): Instant {
  const now = Date.now()
  if (now !== instantMs) {
    instantMs = now
    instant = new Date(now).toISOString()
  }
  return instant
}

function newEpoch(): string {
  return randomBytes(8).toString('hex')
}
