import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { runTask } from '../../src/director/run-task.ts'
import { RunControl } from '../../src/runs/run-control.ts'
import { sh } from '../git/scratch.ts'
import { ManualClock } from './manual-clock.ts'
import { complete, openScene, type Scene, type SceneOptions, say, work } from './scene.ts'

const HOUR_MS = 3_600_000
const WAIT_MAX_MS = 120_000

let scene: Scene
const open = async (options: SceneOptions): Promise<Scene> => {
  scene = await openScene(options)
  return scene
}
afterEach(() => scene.close())

async function until(holds: () => boolean): Promise<void> {
  const begun = Date.now()
  while (!holds()) {
    if (Date.now() - begun > WAIT_MAX_MS) throw new Error('it did not come to pass')
    await sleep(20)
  }
}

describe('a run that the model’s service keeps waiting', () => {
  it('sleeps an hour, keeps its claim and place, is shown, and counts nothing', async () => {
    const clock = new ManualClock(Date.now())
    await open({ entries: [{ steps: [{ do: 'rate-limit', resetInS: 3_600 }] }], clock })
    const running = scene.run()
    const waits = () => scene.rows.findLast(({ waiting, state }) => waiting && state === 'waiting')
    await until(() => waits() !== undefined)
    const untilMs = waits()?.waiting?.untilMs ?? 0
    expect(untilMs - clock.now()).toBeGreaterThan(HOUR_MS - 60_000)
    expect(waits()?.waiting?.reason).toContain('quota is spent')
    scene.play([{ iteration: 1, steps: [...work('greeting.txt', 'hello\n'), complete] }])
    // Steps shorter than the lease, each with time for its renewal to reach the disk.
    await clock.advance(HOUR_MS - 120_000, 15_000, () => sleep(5))
    expect(scene.rows.at(-1)?.state).toBe('waiting')
    expect((await scene.task()).status).toBe('active')
    const rival = await scene.store.transact({
      commands: [{ kind: 'claim', id: 'task-001', stage: 'develop', holder: 'echo-009', ttlMs: 60_000 }],
      by: 'echo-009',
    })
    expect(rival).toMatchObject({ kind: 'refused', code: 'AlreadyClaimed' })
    await clock.advance(untilMs - clock.now() + 1, 15_000, () => sleep(5))
    const { end, fence } = await running
    expect(end.kind).toBe('complete')
    expect(fence).toBe(1)
    const { execution } = (await scene.task()).metadata
    expect(execution).toMatchObject({ iterations: 1 })
    expect(execution).not.toHaveProperty('retryCount')
    expect(scene.log().map(({ event }) => event)).toEqual([
      'start',
      'wait',
      'iteration',
      'signal',
      'commit',
      'verification',
      'warning',
      'complete',
    ])
  })

  it('is stopped in its sleep at once', async () => {
    const clock = new ManualClock(Date.now())
    await open({ entries: [{ steps: [{ do: 'overload', attempts: 1, recovers: false }] }], clock })
    const control = new RunControl()
    const running = scene.run({ control })
    await until(() => scene.rows.some(({ state }) => state === 'waiting'))
    control.stop()
    expect((await running).end.kind).toBe('stopped')
    expect((await scene.task()).status).toBe('pending')
  })
})

describe('a run whose time is up', () => {
  it('is ended in the middle of its work and is a timeout, not a failure', async () => {
    const clock = new ManualClock(Date.now())
    await open({ entries: [{ steps: [say('I wait.'), { do: 'hang' }] }], clock })
    const running = scene.run()
    await until(() => scene.rows.some(({ state }) => state === 'iteration'))
    await sleep(1_000)
    await clock.advance(30 * 60_000, 15_000, () => sleep(2))
    expect((await running).end.kind).toBe('timeout')
    expect(await scene.task()).toMatchObject({ status: 'timeout' })
  })
})

describe('a person', () => {
  it('stops an agent: the task is pending, and what it did lies in a commit', async () => {
    await open({
      entries: [
        {
          iteration: 1,
          steps: [{ do: 'edit', file: 'loose.txt', write: 'half done' }, say('I wait.'), { do: 'hang' }],
        },
      ],
    })
    const control = new RunControl()
    const running = scene.run({ control })
    await until(() => scene.rows.some(({ activity }) => activity?.includes('loose.txt')))
    await sleep(500)
    control.stop()
    expect((await running).end.kind).toBe('stopped')
    const task = await scene.task()
    expect(task.status).toBe('pending')
    expect(task.leases).toBeUndefined()
    const [ref] = (task.metadata.run as { saved: string[] }).saved
    const { gitDir } = scene.scratch.ground.integration
    expect(sh(gitDir, `git show ${ref}:loose.txt`)).toBe('half done')
    expect(sh(gitDir, `git log -1 --format=%B ${ref}`)).toContain('wip: stopped')
  })

  it('who asks an agent how far it is hears the answer while it works', async () => {
    const answers = { do: 'listen', answer: 'CHECKPOINT: task-001\n\nProgress: 50%\n' } as const
    await open({ entries: [{ steps: [...work('a.txt', 'a\n'), answers, complete] }] })
    const control = new RunControl()
    const heard: string[] = []
    control.listen(({ name }) => heard.push(name))
    const running = scene.run({ control })
    await until(() => scene.rows.some(({ activity }) => activity !== undefined))
    control.tell({ by: 'max', text: 'Say how far you are.' })
    expect((await running).end.kind).toBe('complete')
    expect(heard).toEqual(['CHECKPOINT', 'COMPLETE'])
  })

  it('is heard at once by an agent that can listen', async () => {
    await open({
      entries: [{ steps: [...work('a.txt', 'a\n'), { do: 'listen', answer: 'heard: {message}' }, complete] }],
    })
    const control = new RunControl()
    const running = scene.run({ control })
    await until(() => scene.rows.some(({ activity }) => activity !== undefined))
    control.tell({ by: 'the person', text: 'use British spelling' })
    expect((await running).end.kind).toBe('complete')
    const said = scene.log().find(({ event }) => event === 'iteration')?.output
    expect(said).toContain('heard: A message from the person:')
    expect(said).toContain('use British spelling')
  })

  it('is read at the next boundary where the agent cannot listen, and after the run at the next one', async () => {
    await open({
      entries: [
        { iteration: 1, steps: [say('First.')] },
        { iteration: 2, steps: [{ do: 'signal', tag: 'BLOCKED', payload: 'no colour' }] },
        { iteration: 3, steps: [...work('a.txt', 'a\n'), complete] },
      ],
    })
    const { driver } = scene.world
    const control = new RunControl()
    let calls = 0
    const deaf = {
      ...driver,
      start: async (request: Parameters<typeof driver.start>[0]) => {
        const agent = await driver.start(request)
        calls += 1
        control.tell({ by: 'the person', text: `words ${calls}` })
        return new Proxy(agent, {
          get: (target, key) =>
            key === 'send' ? () => Promise.resolve(false) : Reflect.get(target, key, target),
        })
      },
    }
    await runTask({ ...scene.world, driver: deaf }, { task: 'task-001', slot: 0, control })
    expect(scene.promptOf(2)).toContain('words 1')
    await scene.commit({ kind: 'move', id: 'task-001', status: 'pending', reason: 'again' })
    await scene.run()
    expect(scene.promptOf(3)).toContain('words 2')
  })

  it('pauses a run at the end of its iteration and lets it go on', async () => {
    await open({
      entries: [
        { iteration: 1, steps: [{ do: 'run', command: 'true' }, { do: 'wait', ms: 500 }, say('First.')] },
        { iteration: 2, steps: [...work('a.txt', 'a\n'), complete] },
      ],
    })
    const control = new RunControl()
    const running = scene.run({ control })
    await until(() => scene.rows.some(({ activity }) => activity !== undefined))
    control.pause()
    await until(() => scene.rows.at(-1)?.state === 'paused')
    expect(scene.log().filter(({ event }) => event === 'iteration')).toMatchObject([{ output: 'First.' }])
    expect((await scene.task()).status).toBe('active')
    control.resume()
    expect((await running).end.kind).toBe('complete')
  })
})

describe('a claim that was lost', () => {
  it('makes everything that the revived run brings void', async () => {
    await open({ entries: [{ steps: [...work('a.txt', 'a\n'), complete] }] })
    const { driver } = scene.world
    const slow = {
      ...driver,
      start: async (request: Parameters<typeof driver.start>[0]) => {
        await scene.commit(
          { kind: 'recover', id: 'task-001', reason: 'its worker is gone', holderDead: true },
          { kind: 'claim', id: 'task-001', stage: 'develop', holder: 'echo-009', ttlMs: 60_000 },
        )
        return driver.start(request)
      },
    }
    const outcome = await runTask({ ...scene.world, driver: slow }, { task: 'task-001', slot: 0 })
    expect(outcome).toMatchObject({ kind: 'ended', end: { kind: 'fence-lost' } })
    const task = await scene.task()
    expect(task).toMatchObject({ status: 'active', leases: { develop: { holder: 'echo-009', fence: 2 } } })
    expect(task.metadata.execution).not.toHaveProperty('finalCommit')
  })

  it('is refused to the second of two claimers', async () => {
    await open({ entries: [{ steps: [...work('a.txt', 'a\n'), complete] }] })
    const outcomes = await Promise.all([0, 1].map((slot) => runTask(scene.world, { task: 'task-001', slot })))
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['ended', 'refused'])
  })
})
