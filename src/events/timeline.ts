import type { CaseId, HistoryEntry, Instant } from '../cases/case.ts'
import { compareIds } from '../cases/ids.ts'
import type { StateEvent } from './state-event.ts'

/** One thing that happened, in a line. */
export interface TimelineEntry {
  readonly at: Instant
  readonly id: CaseId
  readonly by: string
  readonly what: string
  readonly reason: string
}

/** More is in the histories of the cases. */
export const TIMELINE_MAX = 200

/** Adds entries; beyond the limit, the oldest are dropped. */
export function addToTimeline(
  timeline: readonly TimelineEntry[],
  events: readonly StateEvent[],
): readonly TimelineEntry[] {
  const news = events.map(({ at, id, by, type, reason }) => ({ at, id, by, what: wordOf(type), reason }))
  return news.length === 0 ? timeline : [...timeline, ...news].slice(-TIMELINE_MAX)
}

/** The timeline from histories, for a new reader: every entry of these cases, the newest last. */
export function timelineOf(
  histories: readonly { readonly id: CaseId; readonly entries: readonly HistoryEntry[] }[],
): readonly TimelineEntry[] {
  return histories
    .flatMap(({ id, entries }) => entries.map((entry) => entryOf(id, entry)))
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : compareIds(a.id, b.id)))
    .slice(-TIMELINE_MAX)
}

function entryOf(id: CaseId, { timestamp, actor, type, to, reason }: HistoryEntry): TimelineEntry {
  return { at: timestamp, id, by: actor, what: to?.status ?? to?.type ?? type.replace('_', ' '), reason }
}

function wordOf(type: string): string {
  return type.replace(/^case:/, '').replace('_', ' ')
}
