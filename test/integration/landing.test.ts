import { describe, expect, it } from 'vitest'
import { landBatch } from '../../src/integration/land-candidates.ts'
import type { LandingGround } from '../../src/integration/landing-ground.ts'
import { CHECK, checkedGround, tasksOn } from './checked-ground.ts'
import { entry, type IntegrationScratch, openIntegrationScratch, sh } from './scratch.ts'

const FILES = { 'check.sh': CHECK, 'defs/x': 'x\n', 'list.txt': 'one\ntwo\nthree\n' }

const kinds = (report: Awaited<ReturnType<typeof landBatch>>) =>
  Object.fromEntries([...report.landings].map(([task, { kind }]) => [task, kind]))

/** Three that are fine, one that is broken, in one batch. */
async function fourEntries(scratch: IntegrationScratch) {
  const { first } = scratch
  return [
    entry('task-001', await scratch.commit(first, { a: 'a\n' })),
    entry('task-002', await scratch.commit(first, { broken: 'b\n' })),
    entry('task-003', await scratch.commit(first, { c: 'c\n' })),
    entry('task-004', await scratch.commit(first, { d: 'd\n' }), { dependsOn: ['task-002'] }),
  ]
}

describe('a batch', () => {
  it('lands what is green, rejects the culprit with its evidence and withholds what depends on it', async () => {
    await using scratch = await openIntegrationScratch(FILES)
    const ground = checkedGround(scratch, {})
    const report = await landBatch(ground, await fourEntries(scratch))
    expect(kinds(report)).toEqual({
      'task-001': 'landed',
      'task-002': 'rejected',
      'task-003': 'landed',
      'task-004': 'withheld',
    })
    const rejected = report.landings.get('task-002')
    if (rejected?.kind !== 'rejected') throw new Error('not rejected')
    expect(rejected.evidence).toBe(`check of ${rejected.commit}`)
    expect(tasksOn(scratch, 'main')).toEqual(['task-001', 'task-003'])
    expect(ground.values.every((value) => ground.seenGreen.has(value))).toBe(true)
  })

  it('keeps two apart that are green alone and red together', async () => {
    await using scratch = await openIntegrationScratch(FILES)
    const removes = await scratch.commit(scratch.first, { 'defs/x': undefined })
    const uses = await scratch.commit(scratch.first, { 'uses/1': 'x' })
    const report = await landBatch(checkedGround(scratch, {}), [
      entry('task-001', removes),
      entry('task-002', uses),
    ])
    expect(kinds(report)).toEqual({ 'task-001': 'landed', 'task-002': 'rejected' })
  })

  it('lets one that conflicts with a companion wait, and gives it its conflict once that has landed', async () => {
    await using scratch = await openIntegrationScratch(FILES)
    const ground = checkedGround(scratch, {})
    const entries = [
      entry('task-001', await scratch.commit(scratch.first, { 'list.txt': 'ONE\ntwo\nthree\n' })),
      entry('task-002', await scratch.commit(scratch.first, { 'list.txt': 'EINS\ntwo\nthree\n' })),
    ]
    expect(kinds(await landBatch(ground, entries))).toEqual({ 'task-001': 'landed', 'task-002': 'deferred' })
    const again = await landBatch(ground, entries.slice(1))
    expect(again.landings.get('task-002')).toMatchObject({ conflict: { files: [{ path: 'list.txt' }] } })
  })

  it('checks a red commit once more, and records it as flaky when it is green then', async () => {
    await using scratch = await openIntegrationScratch(FILES)
    const ground = checkedGround(scratch, { flaky: () => true })
    const report = await landBatch(ground, [
      entry('task-001', await scratch.commit(scratch.first, { a: 'a\n' })),
    ])
    expect(kinds(report)).toEqual({ 'task-001': 'landed' })
    expect(report.flaky.map(({ commit }) => commit)).toEqual(ground.values)
    expect(report.runs).toBe(2)
  })

  it('is built anew when somebody moves the target during the checks', async () => {
    await using scratch = await openIntegrationScratch(FILES)
    const person = await scratch.commit(scratch.first, { mine: 'mine\n' })
    const inner = checkedGround(scratch, {})
    let runs = 0
    const ground: LandingGround = {
      ...inner,
      async verify(commit) {
        runs += 1
        if (runs === 1) sh(scratch.integration.gitDir, `git update-ref refs/heads/main ${person}`)
        return inner.verify(commit, [])
      },
    }
    const source = await scratch.commit(scratch.first, { a: 'a\n' })
    expect(kinds(await landBatch(ground, [entry('task-001', source)]))).toEqual({ 'task-001': 'landed' })
    expect(sh(scratch.integration.gitDir, 'git rev-parse main^')).toBe(person)
    expect(scratch.show('main', 'mine')).toBe('mine\n')
    expect(inner.values).toEqual([sh(scratch.integration.gitDir, 'git rev-parse main')])
    expect(runs).toBe(2)
  })

  it('lands nothing of a claim that was lost during the checks', async () => {
    await using scratch = await openIntegrationScratch(FILES)
    let asked = 0
    const ground = checkedGround(scratch, {
      holdsFence: async ({ task }) => task !== 'task-001' || ++asked === 1,
    })
    const entries = [
      entry('task-001', await scratch.commit(scratch.first, { a: 'a\n' })),
      entry('task-002', await scratch.commit(scratch.first, { b: 'b\n' })),
    ]
    expect(kinds(await landBatch(ground, entries))).toEqual({ 'task-001': 'refused', 'task-002': 'landed' })
    expect(tasksOn(scratch, 'main')).toEqual(['task-002'])
  })
})

describe('two integrators at once', () => {
  it('land everything once, whatever the order', async () => {
    await using scratch = await openIntegrationScratch(FILES)
    const entries = await Promise.all(
      Array.from({ length: 6 }, async (_, i) =>
        entry(`task-00${i}`, await scratch.commit(scratch.first, { [`file-${i}`]: `${i}\n` })),
      ),
    )
    const grounds = [checkedGround(scratch, {}), checkedGround(scratch, {})] as const
    const reports = await Promise.all([
      landBatch(grounds[0], entries),
      landBatch(grounds[1], entries.toReversed()),
    ])
    expect(tasksOn(scratch, 'main').toSorted()).toEqual(entries.map(({ task }) => task))
    for (const report of reports) expect(new Set(Object.values(kinds(report)))).toEqual(new Set(['landed']))
    const winners = reports.map(({ landings }) =>
      [...landings.values()].some((one) => one.kind === 'landed' && !one.alreadyThere),
    )
    expect(winners.filter(Boolean)).toHaveLength(1)
  })
})

describe('a stop between any two steps', () => {
  it('is followed by the same end, and nothing lands twice', async () => {
    await using scratch = await openIntegrationScratch(FILES)
    const entries = await fourEntries(scratch)
    const { gitDir } = scratch.integration
    const open = (target: string): LandingGround => {
      sh(gitDir, `git update-ref refs/heads/${target} ${scratch.first}`)
      return checkedGround(scratch, { target })
    }
    const whole = stopping(open('whole'), Number.POSITIVE_INFINITY)
    await landBatch(whole.ground, entries)
    const wanted = sh(gitDir, 'git rev-parse whole^{tree}')
    let stops = 0
    for (let step = 1; step <= whole.steps(); step += 1) {
      const target = `stopped-${step}`
      const ground = open(target)
      await landBatch(stopping(ground, step).ground, entries).catch((error: Error) => {
        expect(error.message).toBe('stopped')
        stops += 1
      })
      const report = await landBatch(ground, entries)
      expect(sh(gitDir, `git rev-parse ${target}^{tree}`), `after step ${step}`).toBe(wanted)
      expect(tasksOn(scratch, target)).toEqual(['task-001', 'task-003'])
      expect(kinds(report)['task-002']).toBe('rejected')
    }
    expect(stops).toBe(whole.steps())
    expect(stops).toBeGreaterThan(20)
  })
})

/** Every call of git and of the checks is a step; after the given one, the integrator is gone. */
function stopping(ground: LandingGround, last: number): { ground: LandingGround; steps: () => number } {
  let steps = 0
  const step = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work
    steps += 1
    if (steps >= last) throw new Error('stopped')
    return result
  }
  return {
    steps: () => steps,
    ground: {
      ...ground,
      git: {
        run: (...call) => step(ground.git.run(...call)),
        text: (...call) => step(ground.git.text(...call)),
        read: (...call) => step(ground.git.read(...call)),
      },
      verify: (...call) => step(ground.verify(...call)),
    },
  }
}
