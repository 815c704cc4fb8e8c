import type { Instant } from '../../cases/case.ts'
import type { LiveRow, ProjectRow, RowOf, ScopeName, StreamCursor, TimelineEvent } from './rows.ts'

/**
 * The stream is `GET /api/stream`, read with fetch: the header `Last-Event-ID` names the cursor of the snapshot or
 * of the last delta. Each message is one server-sent event: its `event` is the type, its `data` the message as JSON,
 * and a delta's `id` is its cursor.
 */
export type StreamMessage = Hello | Delta | Live | Reset | Beat

/**
 * The first message of a connection. Silence for longer than three beats means that the connection is lost.
 */
export interface Hello {
  readonly type: 'hello'
  readonly cursor: StreamCursor
  readonly beatMs: number
}

/** The changes between two cursors. Rows are complete: each replaces the row with its key. */
export interface Delta {
  readonly type: 'delta'
  readonly cursor: StreamCursor
  readonly project?: ProjectRow
  readonly upserts: { readonly [Scope in ScopeName]?: readonly RowOf<Scope>[] }
  /** The keys of removed rows. */
  readonly removes: { readonly [Scope in ScopeName]?: readonly string[] }
  readonly events: readonly TimelineEvent[]
}

/** Lossy; only the latest row of an agent counts. An agent in `gone` has stopped working. */
export interface Live {
  readonly type: 'live'
  readonly rows: readonly LiveRow[]
  readonly gone: readonly string[]
}

/**
 * The cursor is unknown or too old: take a new snapshot. The stream continues after `cursor`; no reconnect is
 * needed.
 */
export interface Reset {
  readonly type: 'reset'
  readonly cursor: StreamCursor
  readonly reason: 'unknown-cursor' | 'too-old' | 'store-restarted'
}

/** A heartbeat: no change, and the connection is alive. */
export interface Beat {
  readonly type: 'beat'
  readonly now: Instant
}
