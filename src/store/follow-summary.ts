import type { Case, CaseId } from '../cases/case.ts'
import { isOver, type LiveRow } from '../events/live-row.ts'
import { type Summary, summarise } from '../events/summary.ts'
import { addToTimeline, type TimelineEntry, timelineOf } from '../events/timeline.ts'
import { systemClock } from '../platform/clock.ts'
import type { Store } from './store.ts'

/** The document in which the director keeps mode, pause and sprint. */
const PROJECT_DOCUMENT = 'project'
/** Cases whose histories fill the timeline of a reader that has just connected. */
const RECENT_CASES = 12
/** Summaries closer together than this would be replaced before they can be read. */
const PICTURE_MS = 100
/** Beyond this number, rows of ended agents are dropped. */
const ROWS_MAX = 1_000

/** A single summary of the project as it is now. */
export async function readSummary(store: Store): Promise<Summary> {
  const cases = await store.query({})
  const [timeline, live] = await Promise.all([recentTimeline(store, cases), liveNow(store)])
  return picture(store, cases, live, timeline)
}

/** Yields a summary now, and another after each change. */
export async function* followSummary(store: Store, signal: AbortSignal): AsyncGenerator<Summary> {
  const board = new Scene(store)
  const following = new AbortController()
  const until = AbortSignal.any([signal, following.signal])
  const ended = Promise.all([board.followCases(until), board.followLive(until)])
  // The failure is thrown at the next summary; until then it must not be an unhandled rejection.
  ended.catch(() => board.stir())
  const leave = (): void => board.stir()
  signal.addEventListener('abort', leave, { once: true })
  try {
    for (;;) {
      await board.changed()
      if (signal.aborted) return
      yield await board.draw()
      await Promise.race([systemClock.sleepUntil(systemClock.now() + PICTURE_MS, signal), ended])
    }
  } finally {
    signal.removeEventListener('abort', leave)
    following.abort()
    await ended.catch(() => undefined)
  }
}

class Scene {
  readonly #store: Store
  readonly #cases = new Map<CaseId, Case>()
  readonly #rows = new Map<string, LiveRow>()
  #timeline: readonly TimelineEntry[] = []
  #isNew = false
  #wake: (() => void) | undefined

  constructor(store: Store) {
    this.#store = store
  }

  async followCases(signal: AbortSignal): Promise<void> {
    for await (const item of this.#store.feed(undefined, signal)) {
      if ('reset' in item) await this.#readAll()
      else {
        for (const event of item.events) this.#cases.set(event.id, event.case)
        this.#timeline = addToTimeline(this.#timeline, item.events)
      }
      this.stir()
    }
  }

  async followLive(signal: AbortSignal): Promise<void> {
    for await (const rows of this.#store.live(signal)) {
      for (const row of rows) {
        this.#rows.delete(row.agent)
        this.#rows.set(row.agent, row)
      }
      for (const [agent, row] of this.#rows) {
        if (this.#rows.size <= ROWS_MAX) break
        if (isOver(row)) this.#rows.delete(agent)
      }
      if (rows.length > 0) this.stir()
    }
  }

  stir(): void {
    this.#isNew = true
    this.#wake?.()
  }

  async changed(): Promise<void> {
    if (!this.#isNew) await new Promise<void>((resolve) => (this.#wake = resolve))
    this.#isNew = false
  }

  draw(): Promise<Summary> {
    return picture(this.#store, [...this.#cases.values()], [...this.#rows.values()], this.#timeline)
  }

  async #readAll(): Promise<void> {
    const cases = await this.#store.query({})
    this.#cases.clear()
    for (const subject of cases) this.#cases.set(subject.id, subject)
    this.#timeline = await recentTimeline(this.#store, cases)
  }
}

async function picture(
  store: Store,
  cases: readonly Case[],
  live: readonly LiveRow[],
  timeline: readonly TimelineEntry[],
): Promise<Summary> {
  const [ready, project, now] = await Promise.all([
    store.query({ ready: true }),
    store.document(PROJECT_DOCUMENT),
    store.now(),
  ])
  return summarise({
    now,
    cases,
    readyIds: ready.map(({ id }) => id),
    live,
    project: project.value,
    timeline,
  })
}

async function recentTimeline(store: Store, cases: readonly Case[]): Promise<readonly TimelineEntry[]> {
  const recent = cases.toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1)).slice(0, RECENT_CASES)
  const histories = recent.map(async ({ id }) => ({ id, entries: await store.history(id) }))
  return timelineOf(await Promise.all(histories))
}

async function liveNow(store: Store): Promise<readonly LiveRow[]> {
  const once = new AbortController()
  for await (const rows of store.live(once.signal)) {
    once.abort()
    return rows
  }
  return []
}
