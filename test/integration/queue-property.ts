import { expect, it } from 'vitest'
import type { Entry } from '../../src/integration/entry.ts'
import { type Landing, landBatch } from '../../src/integration/land-candidates.ts'
import { orderEntries } from '../../src/integration/plan-batch.ts'
import { below, type Random, seededRandom } from '../crash/random.ts'
import { seedOr } from '../seed.ts'
import { CHECK, type CheckedGround, checkedGround, runCheck } from './checked-ground.ts'
import { entry, type IntegrationScratch, openIntegrationScratch } from './scratch.ts'

const FIRST_SEED = seedOr(1)
const BRANCHES = 12
const FLAKY_SHARE = 0.05
const DEFINITIONS = 6
const LINES = 60

const SHARED = Array.from({ length: LINES }, (_, i) => `line ${i}`)
const FILES = {
  'check.sh': CHECK,
  'shared.txt': `${SHARED.join('\n')}\n`,
  ...Object.fromEntries(Array.from({ length: DEFINITIONS }, (_, i) => [`defs/x${i}`, `x${i}\n`])),
}

interface Branch {
  readonly entry: Entry
  readonly kind: 'plain' | 'text' | 'removes' | 'uses' | 'broken'
  readonly text: string | undefined
}

async function makeBranch(
  scratch: IntegrationScratch,
  random: Random,
  i: number,
  earlier: readonly Branch[],
): Promise<Branch> {
  const task = `task-${i}`
  const files: Record<string, string | undefined> = { [`work/${task}`]: `${task}\n` }
  const die = random()
  let kind: Branch['kind'] = 'plain'
  let text: string | undefined
  if (die < 0.4) {
    kind = 'text'
    text = `written by ${task}`
    files['shared.txt'] = `${SHARED.toSpliced(below(random, LINES), 1, text).join('\n')}\n`
  } else if (die < 0.5) {
    kind = 'removes'
    files[`defs/x${below(random, DEFINITIONS)}`] = undefined
  } else if (die < 0.65) {
    kind = 'uses'
    files[`uses/${task}`] = `x${below(random, DEFINITIONS)}`
  } else if (die < 0.7) {
    kind = 'broken'
    files.broken = 'yes\n'
  }
  const before = random() < 0.3 ? earlier[below(random, earlier.length)] : undefined
  // Half of those that depend on another were begun on top of it, as it was before it landed as one commit.
  const onTop = before !== undefined && random() < 0.5 && before.kind === 'plain' && kind !== 'text'
  const source = await scratch.commit(onTop ? before.entry.source : scratch.first, files)
  return { entry: entry(task, source, { dependsOn: before ? [before.entry.task] : [] }), kind, text }
}

/** Lands the queue to its end, as the director would: what waits for a companion comes again. */
async function emptyQueue(ground: CheckedGround, branches: readonly Branch[], size: () => number) {
  const landings = new Map<string, Landing>()
  let runs = 0
  let flaky = 0
  let queue = branches.map((branch) => branch.entry)
  for (let round = 0; round < 3 * branches.length; round += 1) {
    const landed = new Set([...landings].filter(([, { kind }]) => kind === 'landed').map(([task]) => task))
    const { ready } = orderEntries(queue, landed)
    if (ready.length === 0) return { landings, runs, flaky, waiting: queue }
    const report = await landBatch(ground, ready.slice(0, size()))
    runs += report.runs
    flaky += report.flaky.length
    for (const [task, landing] of report.landings) {
      if (landing.kind !== 'deferred' && landing.kind !== 'withheld') landings.set(task, landing)
    }
    queue = queue.filter(({ task }) => !landings.has(task))
  }
  throw new Error('the queue does not come to an end')
}

/** Every value of the target is green by a fresh check, was the commit that was checked, and keeps what had landed. */
async function expectSound(
  scratch: IntegrationScratch,
  ground: CheckedGround,
  branches: readonly Branch[],
  landings: ReadonlyMap<string, Landing>,
) {
  const { git, repository } = ground
  for (const value of ground.values) {
    expect(ground.seenGreen.has(value), 'landed without having been checked').toBe(true)
    expect((await runCheck(scratch, value)).kind, `${value} is red`).toBe('green')
    const history = new Set((await git.text(repository, ['rev-list', value])).split('\n'))
    const paths = new Set((await git.text(repository, ['ls-tree', '-r', '--name-only', value])).split('\n'))
    const shared = (scratch.show(value, 'shared.txt') ?? '').split('\n')
    for (const { entry: one, text } of branches) {
      const landing = landings.get(one.task)
      if (landing?.kind !== 'landed' || !history.has(landing.commit)) continue
      expect(paths.has(`work/${one.task}`), `${one.task} is gone from ${value}`).toBe(true)
      if (text !== undefined) expect(shared).toContain(text)
    }
  }
}

async function landGraph(count: number, seed: number, size: (random: Random) => number) {
  const random = seededRandom(seed)
  await using scratch = await openIntegrationScratch(FILES)
  const branches: Branch[] = []
  for (let i = 0; i < count; i += 1) branches.push(await makeBranch(scratch, random, i, branches))
  const chance = seededRandom(seed + 1)
  const ground = checkedGround(scratch, { flaky: () => chance() < FLAKY_SHARE })
  const outcome = await emptyQueue(ground, branches, () => size(random))
  await expectSound(scratch, ground, branches, outcome.landings)
  expectJust(branches, outcome.landings, seed)
  return { ...outcome, values: ground.values }
}

/** Nobody fails without a reason, and nobody waits but for one that failed. */
function expectJust(branches: readonly Branch[], landings: ReadonlyMap<string, Landing>, seed: number) {
  const failed = new Set<string>()
  for (const { entry: one, kind } of branches) {
    const landing = landings.get(one.task)
    const name = `${one.task} (${kind}) of seed ${seed}`
    if (landing === undefined)
      expect(
        one.dependsOn.some((task) => failed.has(task)),
        name,
      ).toBe(true)
    else if (landing.kind === 'landed') expect(kind, name).not.toBe('broken')
    else if (landing.kind === 'rejected') expect(['broken', 'removes', 'uses'], name).toContain(kind)
    else expect(`${landing.kind} ${kind}`, name).toMatch(/^conflict (?:text|broken)$/)
    if (landing?.kind !== 'landed') failed.add(one.task)
  }
}

/** A graph of branches, landed in groups of each of these sizes. */
export function landInGroups(sizes: readonly number[]): void {
  it.each(sizes)('keeps the target green and loses nothing, in groups of %i', async (size) => {
    const { values } = await landGraph(BRANCHES, FIRST_SEED * 100 + size, () => size)
    expect(values.length).toBeGreaterThan(0)
  })
}

/** One large graph. */
export function landLargeGraph(branches: number): void {
  it(`does so with ${branches} branches, in groups of one to eight`, async () => {
    const outcome = await landGraph(branches, FIRST_SEED, (random) => 1 + below(random, 8))
    const count = (kind: Landing['kind']) =>
      [...outcome.landings.values()].filter((one) => one.kind === kind).length
    expect(count('landed')).toBeGreaterThan(branches / 3)
    for (const kind of ['conflict', 'rejected'] as const) expect(count(kind), kind).toBeGreaterThan(5)
    expect(outcome.flaky).toBeGreaterThan(0)
    expect(outcome.waiting.length).toBeGreaterThan(0)
  })
}
