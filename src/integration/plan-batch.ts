/** How many entries are checked together, adapted to the recent rejections. */
export interface BatchWindow {
  readonly size: number
  /** The last settled entries, oldest first: true where one was rejected. */
  readonly rejections: readonly boolean[]
}

const ENTRIES_REMEMBERED_MAX = 100
/** Before there is experience, one in twenty is expected to fail, with the weight of twenty entries. */
const EXPECTED_REJECTIONS = 1
const EXPECTED_ENTRIES = 20

/** The cheapest batch at a rate of failure, by verifier runs for each candidate. */
const SIZE_BY_RATE: readonly (readonly [rateBelow: number, size: number])[] = [
  [0.02, 16],
  [0.07, 8],
  [0.15, 4],
  [0.25, 2],
]

export function firstWindow(): BatchWindow {
  return { size: cheapestSize(failureRate([])), rejections: [] }
}

export function failureRate(rejections: readonly boolean[]): number {
  const rejected = rejections.filter(Boolean).length
  return (rejected + EXPECTED_REJECTIONS) / (rejections.length + EXPECTED_ENTRIES)
}

export function cheapestSize(rate: number): number {
  return SIZE_BY_RATE.find(([rateBelow]) => rate < rateBelow)?.[1] ?? 1
}

/** Half after a batch with a rejection, one more after a clean one, never beyond what the rate makes cheap. */
export function nextWindow(window: BatchWindow, landed: number, rejected: number): BatchWindow {
  if (landed + rejected === 0) return window
  const settled = [...Array<boolean>(landed).fill(false), ...Array<boolean>(rejected).fill(true)]
  const rejections = [...window.rejections, ...settled].slice(-ENTRIES_REMEMBERED_MAX)
  const wished = rejected > 0 ? Math.floor(window.size / 2) : window.size + 1
  return { size: Math.max(1, Math.min(wished, cheapestSize(failureRate(rejections)))), rejections }
}

export interface QueuedTask {
  readonly task: string
  readonly dependsOn: readonly string[]
}

/**
 * The entries that can land now, each after what it depends on, otherwise in the order of the queue.
 * An entry waits when a dependency is neither on the target nor before it; so do the members of a circle.
 */
export function orderEntries<E extends QueuedTask>(
  queue: readonly E[],
  landed: ReadonlySet<string>,
): { readonly ready: readonly E[]; readonly waiting: readonly E[] } {
  const ready: E[] = []
  const waiting: E[] = []
  const there = new Set(landed)
  const isFree = ({ dependsOn }: E) => dependsOn.every((task) => there.has(task))
  for (const entry of queue) {
    waiting.push(entry)
    // An entry that waited for this one comes next.
    for (let at = waiting.findIndex(isFree); at >= 0; at = waiting.findIndex(isFree)) {
      const [next] = waiting.splice(at, 1)
      if (next === undefined) break
      ready.push(next)
      there.add(next.task)
    }
  }
  return { ready, waiting }
}
