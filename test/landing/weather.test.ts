import { afterEach, describe, expect, it } from 'vitest'
import { Director } from '../../src/director/director.ts'
import type { Hands } from '../../src/director/hands.ts'
import { type QueueBoard, readQueueBoard } from '../../src/director/land/queue-board.ts'
import { makeMeans } from '../../src/director/open/make-means.ts'
import { openHands } from '../../src/director/open/open-hands.ts'
import { rulesOf } from '../../src/director/open/rules-of.ts'
import { lastLanding } from '../../src/integration/landing-record.ts'
import { NOTHING_SPENT } from '../../src/runs/task-progress.ts'
import { until } from './remote-scene.ts'
import { type LandingScene, openLandingScene } from './scene.ts'

let scene: LandingScene
afterEach(() => scene.close())

const LINES = ['one', 'two', 'three']
const FILES = Object.fromEntries(LINES.map((name) => [name, `${name}\n`]))

/** One change that is in the way of three others, which have nothing to do with each other. */
async function meet() {
  scene = await openLandingScene({ verification: ['true'] })
  await scene.queue('Lay the ground', FILES)
  const hands = await openHands(scene.world, {
    holder: 'dex-001',
    userEnvironment: {},
    environment: {},
    isWalled: true,
  })
  await direct(hands, async () => (await scene.task('task-003')).status === 'done')
  const base = await scene.target()
  const all = Object.fromEntries(LINES.map((name) => [name, `${name} by all\n`]))
  const tasks = [(await scene.queue('Change all', all, { base })).task]
  for (const name of LINES)
    tasks.push((await scene.queue(`Change ${name}`, { [name]: `${name} changed\n` }, { base })).task)
  return { hands, tasks }
}

/** A director with these hands, for as long as it takes. Conflicts are kept, and nobody resolves them. */
async function direct(given: Hands, holds: () => Promise<boolean>, boards: QueueBoard[] = []) {
  // The next director here works with the same hands, which must not be tied when this one leaves.
  const { stopChecks: _, ...hands } = given
  const watched: Hands = {
    ...hands,
    resolve: async ({ control }) => {
      await until(() => control.stopping.aborted)
      return { kind: 'stopped', spent: NOTHING_SPENT, iterations: 0, durationMs: 0 }
    },
    showQueue: async (board) => {
      boards.push(board)
      await hands.showQueue?.(board)
    },
  }
  const means = makeMeans(scene.world, watched, () => undefined)
  const rules = rulesOf(scene.world.config, { slots: 1, nonInteractive: false })
  const director = new Director({ means, rules, stays: true })
  const ended = director.run()
  try {
    await Promise.race([until(holds), ended])
  } finally {
    director.leave('now')
    await ended
  }
}

const conflicts = async (tasks: readonly string[]) => {
  const records = await Promise.all(tasks.map(async (id) => lastLanding(await scene.task(id))))
  return records.filter((record) => record?.conflict).length
}
const isSettled = (tasks: readonly string[]) => async () => {
  const all = await Promise.all(tasks.map((id) => scene.task(id)))
  return all.every((task) => task.status === 'done' || lastLanding(task)?.conflict)
}

describe('the weather', () => {
  it('brings one that is in the way of many behind them: one conflict where there were three', async () => {
    const { hands, tasks } = await meet()
    const boards: QueueBoard[] = []
    await direct(hands, isSettled(tasks), boards)
    expect(await conflicts(tasks)).toBe(1)
    const [hub = '', ...leaves] = tasks
    expect(lastLanding(await scene.task(hub))?.conflict).toMatchObject({ files: LINES.toSorted() })
    for (const leaf of leaves) expect((await scene.task(leaf)).status).toBe('done')
    // Shown while it was so: what was checked together, and who is in whose way.
    const checked = boards.find(({ isChecking }) => isChecking)
    expect(checked?.batches).toEqual([leaves, [hub]])
    expect(checked?.weather.pairs.map((pair) => pair.tasks)).toEqual(leaves.map((leaf) => [hub, leaf]))
    const folder = `${scene.scratch.user}/.axiom`
    expect(await readQueueBoard(folder, Date.now())).toMatchObject({ isChecking: false })
    expect(await readQueueBoard(folder, Date.now() + 120_000)).toBeUndefined()
    // And which of them his own branch has.
    await direct(hands, async () => {
      const records = await Promise.all(leaves.map(async (id) => lastLanding(await scene.task(id))))
      return records.every((record) => record?.landed?.published)
    })
  })

  it('in the dark, each of the three conflicts', async () => {
    const { hands, tasks } = await meet()
    const { lookAtWeather: _, ...blind } = hands
    await direct(blind, isSettled(tasks))
    expect(await conflicts(tasks)).toBe(3)
  })
})
