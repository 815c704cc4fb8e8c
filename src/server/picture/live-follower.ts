import type { Case } from '../../cases/case.ts'
import { isOver, type LiveRow } from '../../events/live-row.ts'
import { systemClock } from '../../platform/clock.ts'
import type { Store } from '../../store/store.ts'
import type { Broadcast } from '../stream/broadcast.ts'

/** Agents whose last row is kept; the one that was silent longest is evicted. */
const ROWS_MAX = 500
/** An agent without a lease that was silent for so long is gone, even without a final row. */
const SILENCE_MS_MAX = 120_000
const AT_WORK: readonly LiveRow['state'][] = ['preparing', 'iteration', 'verification']

interface Heard {
  readonly row: LiveRow
  readonly atMs: number
}

/** The latest live row of each agent. Rows are forwarded as they come; a slow client misses some. */
export class LiveFollower {
  readonly #store: Store
  readonly #broadcast: Broadcast
  readonly #stir: () => void
  readonly #heard = new Map<string, Heard>()

  /** `stir` is called when an agent changes its task, state or iteration, which other rows depend on. */
  constructor(store: Store, broadcast: Broadcast, stir: () => void) {
    this.#store = store
    this.#broadcast = broadcast
    this.#stir = stir
  }

  rows(): LiveRow[] {
    return [...this.#heard.values()].map(({ row }) => row)
  }

  /** The rows of agents that hold a lease or reported recently. Others are dropped. */
  present(open: readonly Case[]): LiveRow[] {
    const holders = new Set(
      open.flatMap(({ leases = {} }) => Object.values(leases).map(({ holder }) => holder)),
    )
    const nowMs = systemClock.now()
    for (const [agent, { atMs }] of this.#heard) {
      if (!holders.has(agent) && nowMs - atMs > SILENCE_MS_MAX) this.#heard.delete(agent)
    }
    return this.rows()
  }

  /** The number of agents that are working now. */
  busy(): number {
    return this.rows().filter(({ state }) => AT_WORK.includes(state)).length
  }

  /** What each waiting agent waits for. */
  waits(): NonNullable<LiveRow['waiting']>[] {
    return this.rows().flatMap(({ state, waiting }) => (state === 'waiting' && waiting ? [waiting] : []))
  }

  async follow(signal: AbortSignal): Promise<void> {
    for await (const rows of this.#store.live(signal)) {
      if (rows.some((row) => this.#isNews(row))) this.#stir()
      for (const row of rows) {
        this.#heard.delete(row.agent)
        this.#heard.set(row.agent, { row, atMs: systemClock.now() })
        if (this.#heard.size > ROWS_MAX) this.#heard.delete(this.#heard.keys().next().value ?? '')
      }
      const gone = rows.filter(isOver).map(({ agent }) => agent)
      if (rows.length > 0) this.#broadcast.publishLive(rows, gone)
    }
  }

  #isNews({ agent, task, state, iteration }: LiveRow): boolean {
    const before = this.#heard.get(agent)?.row
    return before?.state !== state || before.iteration !== iteration || before.task !== task
  }
}
