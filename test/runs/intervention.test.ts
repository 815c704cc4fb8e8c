import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { configSchema } from '../../src/config/schema.ts'
import { claimTask } from '../../src/director/develop/claim-task.ts'
import type { Ending } from '../../src/director/director.ts'
import { gitEventContext } from '../../src/director/review/git-event-context.ts'
import { personEventContext } from '../../src/project/delivery/event-context.ts'
import { answerQuestion } from '../../src/project/interventions/answer-question.ts'
import { pauseAgent, resumeAgent, stopAgent, tellAgent } from '../../src/project/interventions/order-agent.ts'
import { isStopped, ordersOf } from '../../src/project/orders.ts'
import type { Step } from '../../src/sim/step.ts'
import { sh } from '../git/scratch.ts'
import { ManualClock } from './manual-clock.ts'
import {
  complete,
  developers,
  integrationOf,
  landedOn,
  logOf,
  openScene,
  type SceneOptions,
  say,
  TASK,
  type Theatre,
  until,
  work,
} from './scene.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Shorter than a lease and its renewal. */
const STEP_MS = 15_000
const DEAF = join(import.meta.dirname, 'programs/deaf-agent.mjs')

let scene: Theatre
const open = async (options: SceneOptions): Promise<void> => {
  scene = await openScene(options)
}
afterEach(() => scene.close())

const promptOf = (iteration: number): string => scene.developersPrompts(TASK).get(iteration) ?? ''
const workspace = (file: string): string => join(scene.root, '.workspaces/echo-001-task-001', file)
/** Holds an agent in the middle of its work until the test lets it go on. */
const gate = (name: string): Step => ({
  do: 'run',
  command: `while [ ! -e ${name}.log ]; do sleep 0.05; done`,
  timeoutMs: 240_000,
})
const openGate = (name: string): void => writeFileSync(workspace(`${name}.log`), '')
const IGNORED = { '.gitignore': '.axiom/\n.w*/\n*.log\n' }

async function expectLanded(): Promise<void> {
  expect(await scene.task(TASK)).toMatchObject({ status: 'done' })
  expect(landedOn(scene)).toEqual([TASK])
}

/** Lets time pass until the director has come to its end. */
async function letPass(clock: ManualClock, ending: Promise<Ending>): Promise<Ending> {
  let isOver = false
  const watched = ending.finally(() => {
    isOver = true
  })
  while (!isOver) await clock.advance(1_000, 1_000, () => sleep(5))
  return watched
}

describe('a run that the model’s service keeps waiting', () => {
  it('sleeps an hour, keeps its claim and place, is shown, counts nothing, and lands', async () => {
    const clock = new ManualClock(Date.now())
    await open({ entries: [{ steps: [{ do: 'rate-limit', resetInS: 3_600 }] }], clock })
    await using seated = await scene.open()
    const running = seated.director.run()
    const waits = () => scene.rows.findLast(({ waiting, state }) => waiting && state === 'waiting')
    await until(() => waits() !== undefined)
    const untilMs = waits()?.waiting?.untilMs ?? 0
    expect(untilMs - clock.now()).toBeGreaterThan(HOUR_MS - MINUTE_MS)
    expect(waits()?.waiting?.reason).toContain('quota is spent')
    scene.play(developers([{ iteration: 1, steps: [...work('greeting.txt', 'hello\n'), complete] }]))
    const holds = async (): Promise<boolean> => {
      const { expiresAt = '' } = (await scene.task(TASK)).leases?.develop ?? {}
      return Date.parse(expiresAt) - clock.now() >= STEP_MS
    }
    await clock.advance(HOUR_MS - 2 * MINUTE_MS, STEP_MS, () => until(holds, 'the lease was not renewed'))
    expect(scene.rows.at(-1)?.state).toBe('waiting')
    expect((await scene.task(TASK)).status).toBe('active')
    const rival = await (await scene.store()).transact({
      commands: [{ kind: 'claim', id: TASK, stage: 'develop', holder: 'echo-009', ttlMs: 60_000 }],
      by: 'echo-009',
    })
    expect(rival).toMatchObject({ kind: 'refused', code: 'AlreadyClaimed' })
    expect(await letPass(clock, running)).toBe('nothing-left')
    await expectLanded()
    expect(clock.now()).toBeGreaterThanOrEqual(untilMs)
    const { execution } = (await scene.task(TASK)).metadata
    expect(execution).toMatchObject({ iterations: 1 })
    expect(execution).not.toHaveProperty('retryCount')
    expect(logOf(scene).map(({ event }) => event)).toEqual([
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
    await using seated = await scene.open()
    const running = seated.director.run()
    await until(() => scene.rows.some(({ state }) => state === 'waiting'))
    await stopAgent(await scene.store(), 'user', 'echo-001')
    await running
    const task = await scene.task(TASK)
    expect(task.status).toBe('pending')
    expect(isStopped(task)).toBe(true)
  })
})

describe('a run whose time is up', () => {
  it('is ended in the middle of its work and is a timeout, not a failure', async () => {
    const clock = new ManualClock(Date.now())
    // It shows every moment that it lives: only its time can end it.
    const chatter: Step = { do: 'repeat', times: 100_000, everyMs: 50, steps: [say('I am at it.\n')] }
    await open({ entries: [{ steps: [chatter] }], clock })
    await using seated = await scene.open()
    const begunMs = clock.now()
    const running = seated.director.run()
    const log = join(scene.root, '.axiom/logs/echo-001-task-001.log')
    const said = (): number => (existsSync(log) ? statSync(log).size : 0)
    await until(() => said() > 0)
    const saysMore = async (): Promise<void> => {
      const before = said()
      await until(async () => said() > before || (await scene.task(TASK)).status !== 'active')
    }
    await clock.advance(29 * MINUTE_MS, STEP_MS, saysMore)
    expect((await scene.task(TASK)).status).toBe('active')
    await letPass(clock, running)
    expect(clock.now() - begunMs).toBeLessThan(HOUR_MS)
    expect(await scene.task(TASK)).toMatchObject({ status: 'timeout' })
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
    await scene.run(async () => {
      await until(() => existsSync(workspace('loose.txt')))
      await stopAgent(await scene.store(), 'user', 'echo-001')
    })
    const task = await scene.task(TASK)
    expect(task.status).toBe('pending')
    expect(task.leases).toBeUndefined()
    const [ref] = (task.metadata.run as { saved: string[] }).saved
    expect(sh(integrationOf(scene), `git show ${ref}:loose.txt`)).toBe('half done')
    expect(sh(integrationOf(scene), `git log -1 --format=%B ${ref}`)).toContain('wip: stopped')
  })

  it('is heard at once by an agent that can listen', async () => {
    const listen: Step = { do: 'listen', answer: 'heard: {message}', atMostMs: 240_000 }
    await open({ entries: [{ steps: [...work('greeting.txt', 'hello\n'), listen, complete] }] })
    await scene.run(async () => {
      await until(() => existsSync(workspace('greeting.txt')))
      await tellAgent(await scene.store(), 'the person', 'echo-001', 'use British spelling')
    })
    await expectLanded()
    const said = logOf(scene).find(({ event }) => event === 'iteration')?.output
    expect(said).toContain('heard: A message from the person:')
    expect(said).toContain('use British spelling')
  })

  it('is read at the next boundary where the agent cannot listen, and after the run at the next one', async () => {
    const sim = { driver: 'sim' }
    await open({
      files: IGNORED,
      agents: { driver: 'command', command: ['node', DEAF], roles: { critic: sim, auditor: sim } },
    })
    const store = await scene.store()
    const tell = async (iteration: number): Promise<void> => {
      await until(() => existsSync(workspace(`begun-${iteration}.log`)))
      await tellAgent(store, 'the person', 'echo-001', `words ${iteration}`)
      await until(async () => ordersOf(await scene.task(TASK)).length === 0)
      openGate(`go-${iteration}`)
    }
    await scene.run(async () => {
      await tell(1)
      await tell(2)
    })
    expect(promptOf(2)).toContain('words 1')
    expect(await scene.task(TASK)).toMatchObject({ status: 'blocked' })
    const world = personEventContext(join(scene.root, '.axiom'), configSchema.parse({}))
    await answerQuestion(store, world, { id: TASK, by: 'user', text: 'take blue' })
    await scene.run()
    expect(promptOf(3)).toContain('words 2')
    expect(promptOf(3)).toContain('take blue')
    await expectLanded()
  })

  it('pauses an agent at the end of its iteration and lets it go on', async () => {
    await open({
      files: IGNORED,
      entries: [
        { iteration: 1, steps: [gate('go'), say('First.')] },
        { iteration: 2, steps: [...work('greeting.txt', 'hello\n'), complete] },
      ],
    })
    await scene.run(async () => {
      const store = await scene.store()
      await until(() => scene.rows.some(({ activity }) => activity !== undefined))
      await pauseAgent(store, 'user', 'echo-001')
      await until(async () => ordersOf(await scene.task(TASK)).length === 0)
      openGate('go')
      await until(() => scene.rows.at(-1)?.state === 'paused')
      expect(logOf(scene).filter(({ event }) => event === 'iteration')).toMatchObject([{ output: 'First.' }])
      expect((await scene.task(TASK)).status).toBe('active')
      await resumeAgent(store, 'user', 'echo-001')
    })
    await expectLanded()
  })
})

describe('a claim that was lost', () => {
  it('makes everything that the revived run brings void', async () => {
    await open({
      files: IGNORED,
      entries: [{ steps: [gate('go'), ...work('greeting.txt', 'hello\n'), complete] }],
    })
    await scene.run(async () => {
      await until(() => scene.rows.some(({ activity }) => activity !== undefined))
      const answer = await (await scene.store()).transact({
        commands: [
          { kind: 'recover', id: TASK, reason: 'its worker is gone', holderDead: true },
          { kind: 'claim', id: TASK, stage: 'develop', holder: 'echo-009', ttlMs: 600_000 },
        ],
        by: 'another',
      })
      expect(answer.kind).toBe('committed')
      openGate('go')
    })
    const task = await scene.task(TASK)
    expect(task).toMatchObject({ status: 'active', leases: { develop: { holder: 'echo-009', fence: 2 } } })
    expect(task.metadata.execution ?? {}).not.toHaveProperty('finalCommit')
    expect(landedOn(scene)).toEqual([])
  })

  it('is refused to the second of two claimers', async () => {
    await open({})
    await using seated = await scene.open()
    const { world } = seated
    const means = { store: world.store, words: gitEventContext(world) }
    const claims = await Promise.all(['echo-001', 'echo-002'].map((agent) => claimTask(means, TASK, agent)))
    expect(claims.map(({ kind }) => kind).toSorted()).toEqual(['claimed', 'refused'])
    expect(claims.find(({ kind }) => kind === 'refused')).toMatchObject({ code: 'AlreadyClaimed' })
  })
})
