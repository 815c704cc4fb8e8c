import type {
  Delta,
  Live,
  LiveRow,
  ProjectRow,
  ProjectWords,
  RowOf,
  ScopeName,
  Snapshot,
  TimelineEvent,
} from '../../../src/server/contract.ts'

export const SCOPES = ['agents', 'cases', 'queue', 'weather', 'inbox', 'alerts', 'health'] as const

const KEY_OF: { readonly [Scope in ScopeName]: (row: RowOf<Scope>) => string } = {
  agents: ({ agent }) => agent,
  cases: ({ id }) => id,
  queue: ({ id }) => id,
  weather: ({ pair }) => pair,
  inbox: ({ id }) => id,
  alerts: ({ id }) => id,
  health: ({ id }) => id,
}

/** The most events kept for display; the newest are last. */
const TIMELINE_MAX = 300
/** React is notified at most this often: a stream of a thousand rows a second causes ten renders. */
export const FLUSH_MS = 100

type Rows = { readonly [Scope in ScopeName]: Map<string, RowOf<Scope>> }
type Listener = () => void

/** Rows by key, as the server last sent them. Components subscribe to the rows that they show. */
export class RowStore {
  readonly #rows: Rows = {
    agents: new Map(),
    cases: new Map(),
    queue: new Map(),
    weather: new Map(),
    inbox: new Map(),
    alerts: new Map(),
    health: new Map(),
  }
  readonly #live = new Map<string, LiveRow>()
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #changed = new Set<string>()
  readonly #lists = new Map<ScopeName, readonly unknown[]>()
  #project: ProjectRow | undefined
  #words: ProjectWords | undefined
  #timeline: readonly TimelineEvent[] = []
  #flush: ReturnType<typeof setTimeout> | undefined

  get project(): ProjectRow | undefined {
    return this.#project
  }

  get words(): ProjectWords | undefined {
    return this.#words
  }

  get timeline(): readonly TimelineEvent[] {
    return this.#timeline
  }

  list<Scope extends ScopeName>(scope: Scope): readonly RowOf<Scope>[] {
    const kept = this.#lists.get(scope)
    if (kept) return kept as readonly RowOf<Scope>[]
    const list = [...this.#rows[scope].values()] as RowOf<Scope>[]
    this.#lists.set(scope, list)
    return list
  }

  row<Scope extends ScopeName>(scope: Scope, key: string): RowOf<Scope> | undefined {
    return this.#rows[scope].get(key) as RowOf<Scope> | undefined
  }

  live(agent: string): LiveRow | undefined {
    return this.#live.get(agent)
  }

  /** A topic is a scope (`cases`), a row (`cases/task-001`), `live/echo-001`, `project` or `timeline`. */
  subscribe(topic: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set()
    listeners.add(listener)
    this.#listeners.set(topic, listeners)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(topic)
    }
  }

  takeSnapshot(snapshot: Snapshot): void {
    for (const scope of SCOPES) {
      for (const key of this.#rows[scope].keys()) this.#touch(scope, key)
      this.#rows[scope].clear()
      this.#put(scope, snapshot[scope])
    }
    this.#live.clear()
    this.#project = snapshot.project
    this.#words = snapshot.words
    this.#timeline = snapshot.events
    this.#touch('project')
    this.#touch('timeline')
    this.takeLive({ type: 'live', rows: snapshot.live, gone: [] })
  }

  takeDelta({ project, upserts, removes, events }: Delta): void {
    if (project) {
      this.#project = project
      this.#touch('project')
    }
    for (const scope of SCOPES) {
      this.#put(scope, upserts[scope] ?? [])
      for (const key of removes[scope] ?? []) {
        if (this.#rows[scope].delete(key)) this.#touch(scope, key)
      }
    }
    if (events.length === 0) return
    this.#timeline = [...this.#timeline, ...events].slice(-TIMELINE_MAX)
    this.#touch('timeline')
  }

  takeLive({ rows, gone }: Live): void {
    for (const row of rows) {
      this.#live.set(row.agent, row)
      this.#touch('live', row.agent)
    }
    for (const agent of gone) {
      if (this.#live.delete(agent)) this.#touch('live', agent)
    }
  }

  #put<Scope extends ScopeName>(scope: Scope, rows: readonly RowOf<Scope>[]): void {
    const kept = this.#rows[scope] as Map<string, RowOf<Scope>>
    const keyOf = KEY_OF[scope] as (row: RowOf<Scope>) => string
    for (const row of rows) {
      const key = keyOf(row)
      kept.set(key, row)
      this.#touch(scope, key)
    }
  }

  #touch(scope: string, key?: string): void {
    this.#changed.add(scope)
    if (key !== undefined) this.#changed.add(`${scope}/${key}`)
    this.#flush ??= setTimeout(() => this.#tell(), FLUSH_MS)
  }

  #tell(): void {
    this.#flush = undefined
    const topics = [...this.#changed]
    this.#changed.clear()
    for (const topic of topics) this.#lists.delete(topic as ScopeName)
    for (const topic of topics) for (const listener of this.#listeners.get(topic) ?? []) listener()
  }
}
