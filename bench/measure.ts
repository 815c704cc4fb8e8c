/** One line of a benchmark: AXIOM's figure beside the limit or peer that was measured in the same run. */
export interface Measure {
  readonly name: string
  readonly metric: string
  readonly value: number
  readonly unit: string
  /** The physical limit, the peer, or the allowed figure, in the same unit. */
  readonly limit: number
  readonly ratio: number
  /** What the ratio (or, where the limit is a bound, the value) must reach. */
  readonly target: string
  readonly met: boolean
}

export type Report = (measure: Measure) => void

export function atLeast(floor: number): (ratio: number) => Pick<Measure, 'target' | 'met'> {
  return (ratio) => ({ target: `≥ ${floor}`, met: ratio >= floor })
}

export function atMost(ceiling: number): (ratio: number) => Pick<Measure, 'target' | 'met'> {
  return (ratio) => ({ target: `≤ ${ceiling}`, met: ratio <= ceiling })
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
