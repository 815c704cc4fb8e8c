import type { Case } from '../../src/cases/case.ts'
import { readProject } from '../../src/project/document.ts'
import { isStopped } from '../../src/project/orders.ts'
import type { CaseRecord, Store } from '../../src/store/store.ts'

/** What rests after a refusal rests for a minute, and the next look comes a minute later at the latest. */
const IDLE_MS_MAX = 3 * 60_000
/**
 * Each minute of waiting is a point. What is urgent has 50 more, each retry costs 15, and there are three at most;
 * after that it is only a matter of those who were there before.
 */
const STARVING_MS = 150 * 60_000

/** Watches whether everything that could be begun is begun: at once where there is room, in its turn where there is not. */
export class Hunger {
  readonly #slots: number
  /** Since when a task could be begun, whatever else there was. */
  readonly #readySinceMs = new Map<string, number>()
  /** Since when a task could be begun and an agent was free for it. */
  readonly #idleSinceMs = new Map<string, number>()
  #lookedAtMs = 0

  constructor(slots: number) {
    this.#slots = slots
  }

  async look(store: Store, nowMs: number, slotsTaken: number): Promise<void> {
    const ready = await this.#startable(store)
    // Nobody begins anything while there is no director.
    const pausedMs = Math.max(0, nowMs - this.#lookedAtMs - IDLE_MS_MAX)
    this.#lookedAtMs = nowMs
    follow(this.#readySinceMs, ready, nowMs, pausedMs)
    follow(this.#idleSinceMs, slotsTaken < this.#slots ? ready : [], nowMs, pausedMs)
    for (const [id, sinceMs] of this.#idleSinceMs)
      if (nowMs - sinceMs > IDLE_MS_MAX) throw new Error(`${id} is not begun though an agent is free`)
    for (const [id, sinceMs] of this.#readySinceMs)
      if (nowMs - sinceMs > STARVING_MS) throw new Error(`${id} starves: it waits for ${nowMs - sinceMs} ms`)
  }

  async #startable(store: Store): Promise<readonly CaseRecord[]> {
    const { project } = await readProject(store)
    if (project.pause !== null || project.repairLedBy !== null || project.director === null) return []
    return (await store.query({ ready: true })).filter((task) => !isStopped(task) && !isShort(task))
  }
}

/** Its budget is nearly spent: it waits for a person. */
function isShort({ metadata }: Pick<Case, 'metadata'>): boolean {
  return metadata.pressed !== undefined || metadata.parked !== undefined
}

function follow(
  since: Map<string, number>,
  now: readonly CaseRecord[],
  nowMs: number,
  pausedMs: number,
): void {
  const ids = new Set(now.map(({ id }) => id))
  for (const [id, sinceMs] of since) {
    if (ids.has(id)) since.set(id, sinceMs + pausedMs)
    else since.delete(id)
  }
  for (const id of ids) if (!since.has(id)) since.set(id, nowMs)
}
