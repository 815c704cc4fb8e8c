import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import type { DeliveryStateName } from '../../src/delivery/delivery-state.ts'
import type { Step } from '../../src/sim/step.ts'
import { Theatre } from '../delivery/theatre.ts'
import { sh } from '../git/scratch.ts'
import { seeded } from '../model/generate-commands.ts'
import { seedOr } from '../seed.ts'
import { Orchestrator } from './orchestrator.ts'
import { expectKept, filesInWorkspaces } from './saved-work.ts'
import { complete, integrationOf, landedOn, logOf, openScene, say, TASK, work } from './scene.ts'

const SEED = seedOr(20_260)
const SIGNALS: readonly NodeJS.Signals[] = ['SIGKILL', 'SIGTERM']
const LANES = 2
/** With fewer moments it is chance. */
const MOMENTS_THAT_MEET_AN_AGENT = 10
/** Runs that go on while others start are a little slower than one alone; the last part would mostly be met too late. */
const SHARE_MAX = 0.9

/** Each agent writes words of its own: what one leaves behind is not made good by what the next one does. */
const loose = (file: string): Step => ({ do: 'run', command: `echo "$AXIOM_AGENT was here" > ${file}` })

/** Work that is committed, work that is not, and pauses in which both can be seen. */
const ENTRIES = [
  {
    iteration: 1,
    steps: [say('I take the first half.'), ...work('half.txt', 'half\n'), loose('loose.txt')],
  },
  {
    steps: [
      loose('loose.txt'),
      { do: 'wait' as const, ms: 150 },
      ...work('greeting.txt', 'hello\n'),
      say('It is done.'),
      complete,
    ],
  },
]

/** Kills at so many moments of a run, and lets the next orchestrator go on. */
export function killAnywhere(moments: number): void {
  const seen: DeliveryStateName[] = []

  it(`leaves nothing that the next one does not find, save and land, once (${moments} moments)`, async () => {
    const random = seeded(SEED)
    const plan = Array.from({ length: moments }, (_, i) => ({
      share: ((i + random()) / moments) * SHARE_MAX,
      signal: SIGNALS[i % SIGNALS.length] ?? 'SIGKILL',
    }))
    const wholeMs = await timeWholeRun()
    const lane = async (): Promise<void> => {
      for (let next = plan.shift(); next !== undefined; next = plan.shift()) {
        const { share, signal } = next
        const moment = `seed ${SEED}, ${signal} after ${Math.round(share * wholeMs)} of ${wholeMs} ms`
        seen.push(await killAndRecover(share * wholeMs, signal, moment))
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    expect(seen.length).toBe(moments)
    // Whatever the machine did with the times: some of many kills met an agent at its work.
    if (moments >= MOMENTS_THAT_MEET_AN_AGENT) expect(seen).toContain('developing')
  }, 1_500_000)

  afterAll(() => {
    const states = [...new Set(seen)]
    const count = (state: string): number => seen.filter((other) => other === state).length
    const figures = states.map((state) => `${count(state)} ${state}`).join(', ')
    process.stdout.write(`\nkilled at ${seen.length} random moments (seed ${SEED}): ${figures}\n`)
  })
}

async function makeProject(): Promise<string> {
  const scene = await openScene({ entries: ENTRIES })
  await scene.leave()
  return scene.scratch
}

/** How long everything takes here and now, so that the moments lie in it. */
async function timeWholeRun(): Promise<number> {
  const root = await makeProject()
  const orchestrator = await Orchestrator.start(root)
  const begun = Date.now()
  orchestrator.go()
  await orchestrator.finish()
  const wholeMs = Date.now() - begun
  await Theatre.reopen(root).close()
  return wholeMs
}

async function killAndRecover(
  atMs: number,
  signal: NodeJS.Signals,
  moment: string,
): Promise<DeliveryStateName> {
  const root = await makeProject()
  const orchestrator = await Orchestrator.start(root)
  orchestrator.go()
  await sleep(atMs)
  await orchestrator.kill(signal)
  const scene = Theatre.reopen(root)
  try {
    return await expectRecovery(scene, moment)
  } finally {
    await scene.close()
  }
}

async function expectRecovery(scene: Theatre, moment: string): Promise<DeliveryStateName> {
  const { state } = await scene.delivery(TASK)
  const isCutOff = state === 'developing'
  const files = filesInWorkspaces(scene)
  const hasLog = existsSync(join(scene.root, '.axiom/agents/echo/logs/task-001.jsonl'))
  const linesBefore = hasLog ? logOf(scene).length : 0
  expect(await scene.run(), moment).toBe('nothing-left')
  expectKept(scene, files, moment)
  const task = await scene.task(TASK)
  expect(task, `${moment}: ${JSON.stringify(await scene.delivery(TASK))}`).toMatchObject({ status: 'done' })
  expect(landedOn(scene), moment).toEqual([TASK])
  expect(scene.show('greeting.txt'), moment).toBe('hello')
  const { retryCount = 0 } = task.metadata.execution as { retryCount?: number }
  expect(retryCount, moment).toBe(isCutOff ? 1 : 0)
  if (isCutOff && hasLog) {
    const [next] = logOf(scene)
      .slice(linesBefore)
      .filter(({ event }) => event === 'iteration')
    expect(String(next?.input), moment).toContain('restarts so far: 1')
  }
  expectTidy(scene, moment)
  return state
}

/** No half-made checkout, no lock, and no workspace of a task that has landed. */
function expectTidy(scene: Theatre, moment: string): void {
  const left = readdirSync(join(scene.root, '.workspaces')).filter((name) => name !== '.gitignore')
  expect(
    left.filter((name) => name !== '.trash'),
    moment,
  ).toEqual([])
  expect(sh(integrationOf(scene), "find . -name '*.lock'"), moment).toBe('')
}
