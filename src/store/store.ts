import type { Actor, Case, CaseId, HistoryEntry, Instant, Stage } from '../cases/case.ts'
import type { CaseCommand } from '../cases/command.ts'
import type { Refusal } from '../cases/refusal.ts'
import type { LiveRow } from '../events/live-row.ts'
import type { StateEvent } from '../events/state-event.ts'
import type { Damage } from './damage.ts'
import type { ImportedCase } from './jsonl/import-cases.ts'

/** Counts the commits of one epoch. */
export type Seq = number
/** A place in the feed. The epoch changes whenever earlier numbers stop meaning the same commits. */
export interface Cursor {
  readonly epoch: string
  readonly seq: Seq
}

export interface Transaction {
  readonly commands: readonly CaseCommand[]
  readonly by: Actor
  /** A transaction is applied once per key, so that a client can send it again after a lost answer. */
  readonly key?: string
  /** Documents written together with the cases, each over the revision that was read. */
  readonly documents?: readonly { readonly key: string; readonly value: unknown; readonly expect: number }[]
  /** The case revisions that the commands are based on; any other revision makes the transaction stale. */
  readonly expect?: Readonly<Record<CaseId, number>>
}

export interface Committed {
  readonly kind: 'committed'
  readonly cursor: Cursor
  readonly cases: readonly Case[]
  readonly created: readonly CaseId[]
  readonly names: Readonly<Record<string, CaseId>>
}

/** A document or a case was changed since it was read. */
export interface Stale {
  readonly kind: 'stale'
  /** The key of the document, or the id of the case. */
  readonly key: string
  readonly rev: number
}

export interface FeedItem {
  readonly cursor: Cursor
  readonly events: readonly StateEvent[]
}

/** The reader's cursor is of another epoch, or too old: read everything again from here. */
export interface Reset {
  readonly reset: Cursor
}

export interface CaseQuery {
  readonly ids?: readonly CaseId[]
  readonly type?: Case['type']
  readonly status?: Case['status']
  readonly parentId?: CaseId | null
  readonly deleted?: boolean
  /** Only tasks that can start now, in the order of their operations. */
  readonly ready?: boolean
  /** The page after this id, in the order of ids. */
  readonly after?: CaseId
  readonly limit?: number
}

/** A case as readers see it: with its children, and with the store's findings about it. */
export interface CaseRecord extends Case {
  readonly childIds: readonly CaseId[]
  /** The circular dependency this case is part of; it counts as blocked while it is. */
  readonly cycle?: readonly CaseId[]
  readonly held?: string
}

export interface LeaseKey {
  readonly id: CaseId
  readonly stage: Stage
  readonly fence: number
}

export interface StoreReport {
  readonly cases: number
  readonly deleted: number
  readonly lines: number
  readonly bytes: number
  readonly cursor: Cursor
  readonly damage: readonly Damage[]
  readonly cycles: readonly (readonly CaseId[])[]
}

/**
 * The source of truth about work. Every answer, even a refusal, is given only after all it depends on is on
 * disk.
 * All arguments and answers are plain data, so that the store can be in another process.
 */
export interface Store {
  transact(transaction: Transaction): Promise<Committed | Refusal | Stale>
  query(query: CaseQuery): Promise<readonly CaseRecord[]>
  history(id: CaseId): Promise<readonly HistoryEntry[]>
  /** Why a case is not ready, in words; empty when it is. */
  explain(id: CaseId): Promise<string>
  /** Extends leases; returns those that are lost. Writes no history. */
  renew(leases: readonly LeaseKey[], ttlMs: number): Promise<readonly LeaseKey[]>
  document(key: string): Promise<{ readonly value: unknown; readonly rev: number }>
  /** A new number for an id prefix that has no cases: agents of a persona. */
  allocate(prefix: string): Promise<number>
  putBlob(bytes: Uint8Array): Promise<string>
  getBlob(digest: string): Promise<Uint8Array | undefined>
  feed(after: Cursor | undefined, signal: AbortSignal): AsyncIterable<FeedItem | Reset>
  /**
   * Publishes what agents do now. Lossy: only the last row of an agent counts, and none is written to disk.
   */
  publishLive(rows: readonly LiveRow[]): void
  /** First the current rows, then those that changed; a slow reader misses overwritten rows. */
  live(signal: AbortSignal): AsyncIterable<readonly LiveRow[]>
  report(): Promise<StoreReport>
  compact(options?: { readonly acceptDamage?: boolean }): Promise<StoreReport>
  /** Imports cases as they are, with their ids and histories: all of them, or none. */
  import(cases: readonly ImportedCase[]): Promise<Committed | Refusal>
  /** Every case as a line in the compacted form. */
  exported(): Promise<readonly string[]>
  now(): Promise<Instant>
  close(): Promise<void>
}
