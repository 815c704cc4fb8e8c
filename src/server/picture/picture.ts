import { randomBytes } from 'node:crypto'
import type { CaseId } from '../../cases/case.ts'
import type { StateEvent } from '../../events/state-event.ts'
import { systemClock } from '../../platform/clock.ts'
import type { CaseRecord, Cursor, Store } from '../../store/store.ts'
import type { AlertRow, HealthRow, ProjectWords, TimelineEvent, WeatherRow } from '../contract.ts'
import { Broadcast } from '../stream/broadcast.ts'
import { CaseShelf } from './case-shelf.ts'
import { agentRows, inboxRows } from './fold-rows.ts'
import { LiveFollower } from './live-follower.ts'
import { type ProjectFacts, projectRow, type WhoDirects } from './project-row.ts'
import { landedRows, type PlannedBatches, queueRows } from './queue-rows.ts'
import { RowBook } from './row-book.ts'
import { showSpend } from './summarise-case.ts'

/** Changes within this time are sent together: about ten updates a second. */
const GATHER_MS = 100
/** Events that a snapshot contains. */
const RECENT_MAX = 50
/** Updates may take this share of one core, so that a large project does not slow its director down. */
const DRAWING_SHARE = 0.1
/** The longest time between two updates: some changes, such as a director's death, cause no event. */
const LOOK_AGAIN_MS = 5_000

/** Facts that the cases do not hold. */
export interface Surroundings {
  readonly weather: readonly WeatherRow[]
  readonly alerts: readonly AlertRow[]
  readonly health: readonly HealthRow[]
  /** The current and the next batches, as the director reports them. */
  readonly batches: PlannedBatches | null
}

export interface PictureWorld {
  readonly store: Store
  readonly facts: ProjectFacts
  readonly words: ProjectWords
  readonly whoDirects: WhoDirects
  lookAround(): Promise<Surroundings>
  /** Logs that the store or a document could not be read; it is retried. */
  logTrouble(error: unknown): void
}

/**
 * The project as rows with keys, kept up to date from the store's feed, whichever process owns the store.
 * Each change goes to all clients as one delta.
 */
export class Picture implements AsyncDisposable {
  readonly #world: PictureWorld
  readonly stream = new Broadcast(randomBytes(6).toString('hex'), systemClock.now)
  readonly shelf = new CaseShelf()
  readonly #book = new RowBook()
  readonly #live: LiveFollower
  readonly #stopping = new AbortController()
  readonly #dirty = new Set<CaseId>()
  #events: TimelineEvent[] = []
  #recent: readonly TimelineEvent[] = []
  #at: Cursor | undefined
  #project = ''
  #isNew = false
  #wake: (() => void) | undefined
  #ended: Promise<unknown> = Promise.resolve()
  #snapshot: { readonly cursor: string; readonly bytes: Uint8Array<ArrayBuffer> } | undefined

  private constructor(world: PictureWorld) {
    this.#world = world
    this.#live = new LiveFollower(world.store, this.stream, () => this.#stir())
  }

  /** Returns when the first update is complete. */
  static async open(world: PictureWorld): Promise<Picture> {
    const picture = new Picture(world)
    // The feed position is taken before the cases are read, so no change is missed in between.
    picture.#at = (await world.store.report()).cursor
    await picture.#draw(await world.store.query({}))
    picture.#ended = Promise.all([
      picture.#keepOn((signal) => picture.#followFeed(signal)),
      picture.#keepOn((signal) => picture.#live.follow(signal)),
      picture.#keepOn((signal) => picture.#drawOnChange(signal)),
    ])
    return picture
  }

  /** Encoded once for all requests between two changes. */
  snapshot(): Uint8Array<ArrayBuffer> {
    const { cursor } = this.stream
    if (this.#snapshot?.cursor === cursor) return this.#snapshot.bytes
    const live = JSON.stringify(this.#live.rows())
    const words = JSON.stringify(this.#world.words)
    const head = `"cursor":"${cursor}","words":${words},"project":${this.#project},"live":${live},"events":${JSON.stringify(this.#recent)}`
    const text = `{${head},${this.#book.all()}}`
    const bytes = new Uint8Array(Buffer.from(text))
    this.#snapshot = { cursor, bytes }
    return bytes
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    this.#wake?.()
    this.stream.close()
    await this.#ended
  }

  /** Retries after an error of the store, so that the pages do not freeze. */
  async #keepOn(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        await work(signal)
      } catch (error) {
        if (!signal.aborted) this.#world.logTrouble(error)
      }
      await systemClock.sleepUntil(systemClock.now() + LOOK_AGAIN_MS, signal)
    }
  }

  async #followFeed(signal: AbortSignal): Promise<void> {
    for await (const item of this.#world.store.feed(this.#at, signal)) {
      if ('reset' in item) {
        for (const { id } of this.shelf.all()) this.#dirty.add(id)
        for (const { id } of await this.#world.store.query({})) this.#dirty.add(id)
      } else {
        for (const { id } of item.events) this.#dirty.add(id)
        this.#events.push(...item.events.map(timelineEvent))
      }
      this.#at = 'reset' in item ? item.reset : item.cursor
      this.#stir()
    }
  }

  #stir(): void {
    this.#isNew = true
    this.#wake?.()
  }

  async #drawOnChange(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#changed(signal)
      const begunMs = systemClock.now()
      const changed = [...this.#dirty]
      this.#dirty.clear()
      try {
        await this.#draw(changed.length === 0 ? [] : await this.#world.store.query({ ids: changed }))
      } catch (error) {
        for (const id of changed) this.#dirty.add(id)
        throw error
      }
      const restMs = Math.max(GATHER_MS, (systemClock.now() - begunMs) / DRAWING_SHARE)
      await systemClock.sleepUntil(systemClock.now() + restMs, signal)
    }
  }

  async #changed(signal: AbortSignal): Promise<void> {
    if (!this.#isNew && !signal.aborted) {
      const waiting = new AbortController()
      const woken = new Promise<void>((resolve) => (this.#wake = resolve))
      const until = AbortSignal.any([signal, waiting.signal])
      await Promise.race([woken, systemClock.sleepUntil(systemClock.now() + LOOK_AGAIN_MS, until)])
      waiting.abort()
      this.#wake = undefined
    }
    this.#isNew = false
  }

  /** Takes the changed cases, folds the open ones, and sends the difference. */
  async #draw(records: readonly CaseRecord[]): Promise<void> {
    const { store } = this.#world
    const { shelf } = this
    const entangled = [...shelf.inCycles()]
    for (const record of records) shelf.take(record)
    const again = entangled.length === 0 ? [] : await store.query({ ids: entangled })
    for (const record of again) shelf.take(record)
    const turned = shelf.takeReady(new Set((await store.query({ ready: true })).map(({ id }) => id)))
    for (const id of new Set([...[...records, ...again].map((record) => record.id), ...turned])) {
      this.#putCase(id)
    }
    await this.#foldOpen()
    const project = await this.#drawProject()
    this.#publish(project)
  }

  #putCase(id: CaseId): void {
    const summary = this.shelf.summaryOf(id)
    if (summary) this.#book.put('cases', id, summary)
    else this.#book.remove('cases', id)
  }

  async #foldOpen(): Promise<void> {
    const open = this.shelf.open()
    this.#book.settle('agents', agentRows(open, this.#live.present(open)), ({ agent }) => agent)
    this.#book.settle('inbox', inboxRows(open), ({ id }) => id)
    const { weather, alerts, health, batches } = await this.#world.lookAround()
    const queue = [...queueRows(open, batches), ...landedRows(this.shelf.landed())]
    this.#book.settle('queue', queue, ({ id }) => id)
    this.#book.settle('weather', weather, ({ pair }) => pair)
    this.#book.settle('alerts', alerts, ({ id }) => id)
    this.#book.settle('health', health, ({ id }) => id)
  }

  /** The project's row, if it changed. */
  async #drawProject(): Promise<string | undefined> {
    const { store, facts, whoDirects } = this.#world
    const counts = {
      tasks: this.shelf.countTasks(),
      slotsUsed: this.#live.busy(),
      spend: showSpend(this.shelf.totalSpend()),
      forecast: this.shelf.forecast(),
      waits: this.#live.waits(),
    }
    const text = JSON.stringify(await projectRow(store, facts, counts, whoDirects, systemClock.now()))
    if (text === this.#project) return undefined
    this.#project = text
    return text
  }

  #publish(project: string | undefined): void {
    const rows = this.#book.takeChanges()
    const events = this.#events
    if (rows === undefined && project === undefined && events.length === 0) return
    this.#events = []
    this.#recent = [...this.#recent, ...events].slice(-RECENT_MAX)
    const parts = [
      ...(project === undefined ? [] : [`"project":${project}`]),
      rows ?? '"upserts":{},"removes":{}',
      `"events":${JSON.stringify(events)}`,
    ]
    this.stream.publish(parts.join(','))
  }
}

function timelineEvent({ at, id, by, type, reason }: StateEvent): TimelineEvent {
  return { at, id, by, what: type.replace(/^case:/, '').replace('_', ' '), reason }
}
