import type { Case, CaseId } from '../../cases/case.ts'
import { fields } from '../../events/task-standing.ts'
import type { Forecast } from '../../health/budgets/forecast.ts'
import { forecastTasks } from '../../health/budgets/forecast-tasks.ts'
import { addSpend, NO_SPEND, type Spend } from '../../health/budgets/spend.ts'
import { SpendIndex } from '../../health/budgets/spend-index.ts'
import type { CaseRecord } from '../../store/store.ts'
import type { CaseSummary, ProjectRow } from '../contract.ts'
import { isFailed, isOpen } from './fold-rows.ts'
import { summariseCase } from './summarise-case.ts'

/** Landed tasks that are still shown in the queue. */
const LANDED_KEPT_MAX = 20

/** The cases as last read, with the indexes that every update needs. */
export class CaseShelf {
  readonly #cases = new Map<CaseId, CaseRecord>()
  readonly #open = new Map<CaseId, Case>()
  readonly #inCycles = new Set<CaseId>()
  /** The most recently landed tasks, at most `LANDED_KEPT_MAX`. */
  readonly #landed = new Map<CaseId, { readonly at: string; readonly subject: Case }>()
  readonly spend = new SpendIndex()
  #ready: ReadonlySet<CaseId> = new Set()

  take(record: CaseRecord): void {
    const { id, deletedAt, cycle } = record
    // Deleted cases still count: the money is spent.
    this.spend.put(record)
    if (deletedAt === undefined) this.#cases.set(id, record)
    else this.#cases.delete(id)
    if (isOpen(record)) this.#open.set(id, record)
    else this.#open.delete(id)
    this.#takeLanded(record)
    if (cycle) this.#inCycles.add(id)
    else this.#inCycles.delete(id)
  }

  #takeLanded(record: CaseRecord): void {
    const { at } = fields(fields(record.metadata.landing).landed)
    const isLanded = record.type === 'task' && record.status === 'done' && record.deletedAt === undefined
    this.#landed.delete(record.id)
    if (isLanded && typeof at === 'string') this.#landed.set(record.id, { at, subject: record })
    if (this.#landed.size <= LANDED_KEPT_MAX) return
    const [oldest] = [...this.#landed].toSorted(([, a], [, b]) => a.at.localeCompare(b.at))
    if (oldest) this.#landed.delete(oldest[0])
  }

  /** The tasks that landed lately, the newest first. */
  landed(): Case[] {
    return [...this.#landed.values()]
      .toSorted((a, b) => b.at.localeCompare(a.at))
      .map(({ subject }) => subject)
  }

  /** Replaces the set of ready tasks, and returns those that joined or left it. */
  takeReady(ready: ReadonlySet<CaseId>): CaseId[] {
    const before = this.#ready
    this.#ready = ready
    return [...[...ready].filter((id) => !before.has(id)), ...[...before].filter((id) => !ready.has(id))]
  }

  get(id: CaseId): CaseRecord | undefined {
    return this.#cases.get(id)
  }

  all(): Iterable<CaseRecord> {
    return this.#cases.values()
  }

  open(): Case[] {
    return [...this.#open.values()]
  }

  /** Members of circular dependencies: a change of one of them changes the state of all. */
  inCycles(): ReadonlySet<CaseId> {
    return this.#inCycles
  }

  summaryOf(id: CaseId): CaseSummary | undefined {
    const record = this.#cases.get(id)
    return record && summariseCase(record, this.#ready, this.spend.ownOf(id))
  }

  totalSpend(): Spend {
    let total = NO_SPEND
    for (const { id, parentId } of this.#cases.values()) {
      if (parentId === null) total = addSpend(total, this.spend.totalOf(id))
    }
    return total
  }

  /** The expected total cost of all work. */
  forecast(): Forecast {
    const tasks = [...this.#cases.values()].filter(({ type }) => type === 'task')
    return forecastTasks(tasks, this.spend, this.totalSpend())
  }

  countTasks(): ProjectRow['tasks'] {
    const tasks = { total: 0, ready: this.#ready.size, done: 0, failed: 0 }
    for (const subject of this.#cases.values()) {
      if (subject.type !== 'task') continue
      tasks.total += 1
      if (subject.status === 'done') tasks.done += 1
      else if (isFailed(subject)) tasks.failed += 1
    }
    return tasks
  }
}
