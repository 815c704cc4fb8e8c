import type { Git, Repository } from '../platform/git/git.ts'
import { changedPaths } from '../platform/git/repository-operations.ts'
import { layOutAttributes } from './attribute-tree.ts'
import { mergeTrees } from './merge-trees.ts'
import type { QueuedTask } from './plan-batch.ts'

/** How two pieces of work would conflict if both landed now. */
export type Sky = 'clear' | 'same-file' | 'same-lines'

/** Work that is in progress or waits to land. */
export interface LiveWork {
  readonly task: string
  readonly commit: string
  /** The commit that it started from. */
  readonly base: string
  /** Files that are changed and not committed yet. */
  readonly uncommitted?: readonly string[]
}

export interface PairWeather {
  readonly tasks: readonly [string, string]
  readonly sky: Exclude<Sky, 'clear'>
  readonly files: readonly string[]
}

export interface Weather {
  /** The tasks that were compared. */
  readonly tasks: readonly string[]
  /** Every pair that is not clear. */
  readonly pairs: readonly PairWeather[]
  /** Pairs that share files but were not merged this time, because of the limit. */
  readonly unseen: number
}

export const CLEAR: Weather = { tasks: [], pairs: [], unseen: 0 }

/** Merges per forecast; a merge takes some ten milliseconds, and the forecast is not urgent. */
const MERGES_MAX = 60
const WORKS_MAX = 100
const FILES_SHOWN_MAX = 10
const REMEMBERED_MAX = 5_000

interface Ground {
  readonly git: Git
  readonly repository: Repository
  readonly scratchDir: string
}

/** Compares live work in pairs and caches the result for commits that have not changed since. */
export class WeatherStation {
  readonly #ground: Ground
  readonly #touched = new Map<string, readonly string[]>()
  readonly #seen = new Map<string, readonly string[]>()

  constructor(ground: Ground) {
    this.#ground = ground
  }

  async look(works: readonly LiveWork[]): Promise<Weather> {
    const looked = works.slice(0, WORKS_MAX)
    const touched = new Map<LiveWork, ReadonlySet<string>>()
    for (const work of looked) touched.set(work, new Set(await this.#paths(work)))
    const pairs: PairWeather[] = []
    let merges = 0
    let unseen = 0
    for (const [i, left] of looked.entries()) {
      for (const right of looked.slice(i + 1)) {
        const shared = [...(touched.get(left) ?? [])].filter((path) => touched.get(right)?.has(path))
        if (shared.length === 0) continue
        const key = [left.commit, right.commit].toSorted().join(' ')
        let clashing = this.#seen.get(key)
        if (clashing === undefined && merges < MERGES_MAX) {
          merges += 1
          clashing = await this.#merge(left, right)
          this.#remember(key, clashing)
        }
        if (clashing === undefined) unseen += 1
        pairs.push(pairOf(left, right, shared, clashing ?? []))
      }
    }
    return { tasks: looked.map(({ task }) => task), pairs, unseen }
  }

  async #paths({ base, commit, uncommitted = [] }: LiveWork): Promise<readonly string[]> {
    const { git, repository } = this.#ground
    const key = `${base} ${commit}`
    const known =
      this.#touched.get(key) ?? (await changedPaths(git, repository, base, commit)).map(({ path }) => path)
    bound(this.#touched)
    this.#touched.set(key, known)
    return [...known, ...uncommitted]
  }

  /** The files in which a merge of the two would conflict. */
  async #merge(left: LiveWork, right: LiveWork): Promise<readonly string[]> {
    const { git, repository, scratchDir } = this.#ground
    const workTree = await layOutAttributes(git, repository, scratchDir, left.commit)
    const merged = await mergeTrees(git, { ...repository, workTree }, left.commit, right.commit)
    return merged.kind === 'conflict' ? merged.conflict.files.map(({ path }) => path) : []
  }

  #remember(key: string, files: readonly string[]): void {
    bound(this.#seen)
    this.#seen.set(key, files)
  }
}

function bound(memory: Map<string, unknown>): void {
  if (memory.size < REMEMBERED_MAX) return
  const [oldest] = memory.keys()
  if (oldest !== undefined) memory.delete(oldest)
}

function pairOf(
  left: LiveWork,
  right: LiveWork,
  shared: readonly string[],
  clashing: readonly string[],
): PairWeather {
  const files = (clashing.length > 0 ? clashing : shared).slice(0, FILES_SHOWN_MAX)
  return { tasks: [left.task, right.task], sky: clashing.length > 0 ? 'same-lines' : 'same-file', files }
}

export function skyBetween({ pairs }: Weather, left: string, right: string): Sky {
  return pairs.find(({ tasks }) => tasks.includes(left) && tasks.includes(right))?.sky ?? 'clear'
}

/** Files that pieces of live work have in common: new work on them would collide with at least two others. */
export function stormyFiles({ pairs }: Weather): ReadonlySet<string> {
  return new Set(pairs.flatMap(({ files }) => files))
}

/**
 * The order that causes the fewest repeated merges: of the entries that would conflict, one that conflicts
 * with many comes after them, because it then conflicts once instead of making all of them conflict. An entry
 * stays behind its dependencies, and one that has waited too long keeps its place.
 */
export function orderByWeather<E extends QueuedTask>(
  ready: readonly E[],
  weather: Weather,
  overdue: ReadonlySet<string>,
): E[] {
  const storms = stormsAmong(ready, weather)
  if (storms.size === 0) return [...ready]
  const ordered: E[] = []
  let waiting = [...ready]
  while (waiting.length > 0) {
    const left = new Set(waiting.map(({ task }) => task))
    const free = waiting.filter(({ dependsOn }) => !dependsOn.some((task) => left.has(task)))
    const weightOf = ({ task }: E): number => {
      const others = [...(storms.get(task) ?? [])]
      if (overdue.has(task)) return -1
      // An entry that conflicts in any case can wait until it blocks no other.
      return others.every((other) => left.has(other)) ? others.length : Number.POSITIVE_INFINITY
    }
    const weights = new Map(free.map((entry) => [entry, weightOf(entry)]))
    const lightest = Math.min(...weights.values())
    const next = free.find((entry) => weights.get(entry) === lightest) ?? waiting[0]
    if (next === undefined) break
    ordered.push(next)
    waiting = waiting.filter((entry) => entry !== next)
  }
  return ordered
}

function stormsAmong(ready: readonly QueuedTask[], { pairs }: Weather): Map<string, Set<string>> {
  const known = new Set(ready.map(({ task }) => task))
  const storms = new Map<string, Set<string>>()
  for (const { tasks, sky } of pairs) {
    if (sky !== 'same-lines' || !tasks.every((task) => known.has(task))) continue
    for (const [one, other] of [tasks, tasks.toReversed()] as [string, string][])
      storms.set(one, (storms.get(one) ?? new Set()).add(other))
  }
  return storms
}

/**
 * Fills a batch in the given order; an entry that would conflict with an earlier one waits for the next
 * batch, where the target has the other and the conflict is real. Dependents of a waiting entry wait, too.
 */
export function chooseBatch<E extends QueuedTask>(ready: readonly E[], size: number, weather: Weather): E[] {
  const batch: E[] = []
  const waiting = new Set<string>()
  for (const entry of ready) {
    if (batch.length >= size) break
    const isClear = batch.every(({ task }) => skyBetween(weather, task, entry.task) !== 'same-lines')
    if (isClear && !entry.dependsOn.some((task) => waiting.has(task))) batch.push(entry)
    else waiting.add(entry.task)
  }
  return batch
}
