import type { Git, Repository } from '../platform/git/git.ts'
import { changedPaths } from '../platform/git/repository-operations.ts'
import { layOutAttributes } from './attribute-tree.ts'
import { mergeTrees } from './merge-trees.ts'

/** How two pieces of work would meet if both landed now. */
export type Sky = 'clear' | 'same-file' | 'same-lines'

/** Work that is under way or waits to land. */
export interface LiveWork {
  readonly task: string
  readonly commit: string
  /** Where it began. */
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
  /** The tasks that were looked at. */
  readonly tasks: readonly string[]
  /** Every pair that is not clear. */
  readonly pairs: readonly PairWeather[]
  /** Pairs that share files and were not merged this time, because there were too many. */
  readonly unseen: number
}

export const CLEAR: Weather = { tasks: [], pairs: [], unseen: 0 }

/** Merges in one look; a merge takes some ten milliseconds, and nobody waits for the weather. */
const MERGES_MAX = 60
const WORKS_MAX = 100
const FILES_SHOWN_MAX = 10
const REMEMBERED_MAX = 5_000

interface Ground {
  readonly git: Git
  readonly repository: Repository
  readonly scratchDir: string
}

/** Looks at live work in pairs and remembers what it saw of commits that have not changed since. */
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

/**
 * Fills a batch in the order of the queue, and lets one that would conflict with an earlier one of the batch wait for
 * the next: there it meets a target that has the other, and its conflict is real. The first in the queue always goes.
 */
export function chooseBatch<E extends { readonly task: string }>(
  ready: readonly E[],
  size: number,
  weather: Weather,
): E[] {
  const batch: E[] = []
  for (const entry of ready) {
    if (batch.length >= size) break
    if (batch.every(({ task }) => skyBetween(weather, task, entry.task) !== 'same-lines')) batch.push(entry)
  }
  return batch
}
