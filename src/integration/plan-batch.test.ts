import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leaveOut, nextGroup, startBisection, takeVerdict } from './bisect-batch.ts'
import { cheapestSize, failureRate, firstWindow, nextWindow, orderEntries } from './plan-batch.ts'

describe('the size of a batch', () => {
  it.each([
    [0.01, 16],
    [0.05, 8],
    [0.1, 4],
    [0.2, 2],
    [0.3, 1],
  ])('at a failure rate of %f is %i', (rate, size) => expect(cheapestSize(rate)).toBe(size))

  it('is halved by a rejection, grows by one when all land, and never exceeds what the rate makes cheap', () => {
    const first = firstWindow()
    expect(first.size).toBe(8)
    const halved = nextWindow(first, 7, 1)
    expect(halved.size).toBe(4)
    expect(nextWindow(halved, 4, 0).size).toBe(5)
    expect(nextWindow(first, 8, 0).size).toBe(8)
    const calm = Array.from({ length: 20 }).reduce<typeof first>((window) => nextWindow(window, 8, 0), first)
    expect(calm.size).toBe(16)
    expect(nextWindow({ size: 1, rejections: [] }, 0, 1).size).toBe(1)
    expect(failureRate(nextWindow(calm, 0, 40).rejections)).toBeGreaterThan(0.3)
    expect(nextWindow(first, 0, 0)).toBe(first)
  })
})

describe('the order of the queue', () => {
  const queued = (task: string, ...dependsOn: string[]) => ({ task, dependsOn })
  it('puts dependencies first, keeps the rest, and lets circles and strangers wait', () => {
    const queue = [
      queued('c', 'b'),
      queued('a'),
      queued('b', 'z'),
      queued('x', 'y'),
      queued('y', 'x'),
      queued('s', '?'),
    ]
    const { ready, waiting } = orderEntries(queue, new Set(['z']))
    expect(ready.map(({ task }) => task)).toEqual(['a', 'b', 'c'])
    expect(waiting.map(({ task }) => task)).toEqual(['x', 'y', 's'])
  })
})

interface Sample {
  readonly size: number
  readonly guilty: ReadonlySet<string>
  /** Pairs that are red only when both are there. */
  readonly clashes: readonly (readonly [string, string])[]
  readonly dependsOn: ReadonlyMap<string, readonly string[]>
}

const name = (i: number) => `task-${i}`

const samples = fc.integer({ min: 1, max: 16 }).chain((size) => {
  const index = fc.integer({ min: 0, max: size - 1 })
  const pairs = (maxLength: number) =>
    fc
      .array(fc.tuple(index, index), { maxLength })
      .map((all) =>
        all.filter(([a, b]) => a !== b).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const),
      )
  return fc.record({ guilty: fc.array(index, { maxLength: 4 }), clashes: pairs(3), edges: pairs(6) }).map(
    ({ guilty, clashes, edges }): Sample => ({
      size,
      guilty: new Set(guilty.map(name)),
      clashes: clashes.map(([a, b]) => [name(a), name(b)]),
      dependsOn: new Map(
        Array.from({ length: size }, (_, i) => [
          name(i),
          edges.filter(([, b]) => b === i).map(([a]) => name(a)),
        ]),
      ),
    }),
  )
})

function isRed({ guilty, clashes }: Sample, tree: readonly string[]): boolean {
  return (
    tree.some((task) => guilty.has(task)) || clashes.some((pair) => pair.every((task) => tree.includes(task)))
  )
}

function judge(sample: Sample) {
  const batch = Array.from({ length: sample.size }, (_, i) => ({
    task: name(i),
    dependsOn: sample.dependsOn.get(name(i)) ?? [],
  }))
  let state = startBisection(batch)
  let runs = 0
  for (let group = nextGroup(state); group !== undefined; group = nextGroup(state)) {
    const tree = [...state.accepted, ...group.entries].map(({ task }) => task)
    expect(new Set(tree).size).toBe(tree.length)
    const before = state
    state = takeVerdict(state, isRed(sample, tree) ? 'red' : 'green')
    for (const { task } of state.rejected.slice(before.rejected.length)) {
      const there = state.accepted.map((entry) => entry.task)
      expect(isRed(sample, [...there, task]), `${task} was rejected though it is green here`).toBe(true)
    }
    expect(
      isRed(
        sample,
        state.accepted.map((entry) => entry.task),
      ),
    ).toBe(false)
    // The second look at one that was red is the price of flaky checks, not of the search.
    if (!group.isLastChance) runs += 1
    expect(runs).toBeLessThanOrEqual(2 * sample.size)
  }
  return { state, runs }
}

describe('the search for culprits', () => {
  it('lands nobody guilty, rejects only what is red on the accepted, and judges everybody once', () => {
    fc.assert(
      fc.property(samples, (sample) => {
        const { state } = judge(sample)
        const all = [...state.accepted, ...state.rejected, ...state.withheld].map(({ task }) => task)
        expect(all.toSorted()).toEqual(Array.from({ length: sample.size }, (_, i) => name(i)).toSorted())
        for (const { task, dependsOn } of state.accepted) {
          expect(sample.guilty.has(task)).toBe(false)
          const there = state.accepted.map((entry) => entry.task)
          expect(dependsOn.every((other) => there.includes(other))).toBe(true)
        }
        for (const { task } of state.rejected) {
          const clashing = sample.clashes.some((pair) => pair.includes(task))
          expect(sample.guilty.has(task) || clashing).toBe(true)
        }
        for (const { dependsOn } of state.withheld) {
          const gone = [...state.rejected, ...state.withheld].map((entry) => entry.task)
          expect(dependsOn.some((task) => gone.includes(task))).toBe(true)
        }
      }),
      { numRuns: 300, seed: 1 },
    )
  })

  it('rejects nobody for one red that was chance, not even one that was never checked alone', () => {
    let state = startBisection(['a', 'b', 'c', 'd'].map((task) => ({ task, dependsOn: [] })))
    state = takeVerdict(state, 'red')
    const seen: string[] = []
    for (let group = nextGroup(state); group !== undefined; group = nextGroup(state)) {
      seen.push(`${group.entries.map(({ task }) => task).join('')}${group.isLastChance ? ' again' : ''}`)
      state = takeVerdict(state, 'green')
    }
    expect(seen).toEqual(['ab', 'c', 'd again'])
    expect(state.accepted.map(({ task }) => task)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('leaves out what could not be stacked, with all that depend on it', () => {
    const batch = [
      { task: 'a', dependsOn: [] },
      { task: 'b', dependsOn: ['a'] },
      { task: 'c', dependsOn: ['b'] },
      { task: 'd', dependsOn: [] },
    ]
    const state = leaveOut(startBisection(batch), ['a'])
    expect(nextGroup(state)?.entries.map(({ task }) => task)).toEqual(['d'])
    expect(state.withheld.map(({ task }) => task)).toEqual(['b', 'c'])
    const landed = leaveOut(startBisection(batch), ['a'], [])
    expect(nextGroup(landed)?.entries.map(({ task }) => task)).toEqual(['b', 'c', 'd'])
  })

  it.each([
    [0.01, 16, 0.14],
    [0.05, 8, 0.4],
    [0.1, 4, 0.61],
    [0.2, 2, 0.87],
  ])('needs at a failure rate of %f, %i at a time, no more runs than the model', (rate, size, modelled) => {
    const trials = 1_000
    let state = 1
    const random = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state / 2 ** 32
    }
    let runs = 0
    for (let trial = 0; trial < trials; trial += 1) {
      const guilty = new Set(Array.from({ length: size }, (_, i) => name(i)).filter(() => random() < rate))
      runs += judge({ size, guilty, clashes: [], dependsOn: new Map() }).runs
    }
    const each = runs / trials / size
    expect(each).toBeLessThanOrEqual(modelled + 0.02)
    expect(each).toBeGreaterThan(modelled / 2)
  })
})
