import type { Instant } from '../../cases/case.ts'
import type { LiveRow, ProjectRow, RowOf, ScopeName, StreamCursor, TimelineEvent } from './rows.ts'

/**
 * The stream is `GET /api/stream`, read with fetch: the header `Last-Event-ID` names the cursor of the snapshot or
 * of the last delta. Each message is one server-sent event: its `event` is the type, its `data` the message as JSON,
 * and a delta's `id` is its cursor.
 */
export type StreamMessage = Hello | Delta | Live | Reset | Beat

/** First of all: the connection stands. Silence for longer than three beats means that it does no more. */
export interface Hello {
  readonly type: 'hello'
  readonly cursor: StreamCursor
  readonly beatMs: number
}

/** What became different between two cursors. Rows are whole: one that comes replaces the one with its key. */
export interface Delta {
  readonly type: 'delta'
  readonly cursor: StreamCursor
  readonly project?: ProjectRow
  readonly upserts: { readonly [Scope in ScopeName]?: readonly RowOf<Scope>[] }
  /** The keys of rows that are no more. */
  readonly removes: { readonly [Scope in ScopeName]?: readonly string[] }
  readonly events: readonly TimelineEvent[]
}

/** Some may be lost; the last of an agent is the one that counts. An agent in `gone` is at work no more. */
export interface Live {
  readonly type: 'live'
  readonly rows: readonly LiveRow[]
  readonly gone: readonly string[]
}

/** The cursor is unknown or too old: take a new snapshot. The stream goes on after `cursor` with no need to reconnect. */
export interface Reset {
  readonly type: 'reset'
  readonly cursor: StreamCursor
  readonly reason: 'unknown-cursor' | 'too-old' | 'store-restarted'
}

/** Nothing happened, and the connection stands. */
export interface Beat {
  readonly type: 'beat'
  readonly now: Instant
}
