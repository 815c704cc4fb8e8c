import { wordsPattern } from '../../canvas/words-pattern.ts'
import { canvasText, type Plan, type PlannedOperation, type PlanRemark } from './plan.ts'

export interface Range {
  readonly start: number
  readonly end: number
}

/** The regions of the canvas that each key of the plan covers. */
export interface Covered {
  readonly ranges: ReadonlyMap<string, readonly Range[]>
  readonly warnings: readonly PlanRemark[]
}

/**
 * An operation that names nothing covers what its tasks cover, and a task that names nothing what its operation names.
 * Without a spec the need is the canvas, and what names nothing covers all of it.
 */
export function findCovered(plan: Plan): Covered {
  const text = canvasText(plan)
  const ranges = new Map<string, readonly Range[]>()
  const warnings: PlanRemark[] = []
  const whole = plan.spec === undefined ? [{ start: 0, end: plan.need.length }] : []
  const look = (key: string, covers: readonly string[], place: string) => {
    const found = covers.flatMap((words, at) => {
      const places = occurrences(text, words)
      const problem = coverProblem(places.length, words)
      if (problem !== undefined) warnings.push({ place: `${place}.covers[${at}]`, message: problem })
      return places.slice(0, 1)
    })
    ranges.set(key, distinct(found))
  }
  for (const [at, operation] of plan.operations.entries()) {
    look(operation.key, operation.covers, `operations[${at}]`)
    for (const [below, task] of operation.tasks.entries())
      look(task.key, task.covers, `operations[${at}].tasks[${below}]`)
    inherit(operation, ranges, whole)
  }
  if (![...ranges.values()].some((list) => list.length > 0))
    warnings.push({ place: 'spec', message: 'nothing in this plan covers any of it' })
  return { ranges, warnings }
}

function inherit(
  { key, tasks }: PlannedOperation,
  ranges: Map<string, readonly Range[]>,
  whole: readonly Range[],
): void {
  const own = ranges.get(key) ?? []
  const ofTasks = distinct(tasks.flatMap((task) => ranges.get(task.key) ?? []))
  if (own.length === 0) ranges.set(key, ofTasks.length > 0 ? ofTasks : whole)
  const below = own.length > 0 ? own : whole
  for (const task of tasks) if (ranges.get(task.key)?.length === 0) ranges.set(task.key, below)
}

function coverProblem(places: number, words: string): string | undefined {
  if (places === 1) return undefined
  const quoted = JSON.stringify(words)
  return places === 0
    ? `${quoted} does not stand in the spec; it colours nothing`
    : `${quoted} stands in the spec ${places} times; the first is meant`
}

function occurrences(text: string, words: string): Range[] {
  const pattern = wordsPattern(words)
  if (pattern === undefined) return []
  return [...text.matchAll(pattern)].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }))
}

function distinct(ranges: readonly Range[]): Range[] {
  const byPlace = new Map(ranges.map((range) => [`${range.start}-${range.end}`, range]))
  return [...byPlace.values()].sort((a, b) => a.start - b.start || a.end - b.end)
}
