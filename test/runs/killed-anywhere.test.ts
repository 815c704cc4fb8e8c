import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { recoverRuns } from '../../src/director/recover-runs.ts'
import { rescueWorkspace } from '../../src/workspaces/rescue-workspace.ts'
import { listWorkspaces } from '../../src/workspaces/workspace.ts'
import { countProcessesWith } from '../clients/scratch.ts'
import { sh } from '../git/scratch.ts'
import { seeded } from '../model/generate-commands.ts'
import { complete, openScene, type Scene, say, work } from './scene.ts'

const SEED = Number(process.env.SEED ?? 20_260)
const MOMENTS = 25
const SIGNALS: readonly NodeJS.Signals[] = ['SIGKILL', 'SIGTERM']
const LANES = 2
/** Runs that go on while others start are a little slower than one alone; the last part would mostly be met too late. */
const SHARE_MAX = 0.9
const WAIT_MAX_MS = 120_000
const PROGRAM = join(import.meta.dirname, 'programs/interrupted.ts')

/** Work that is committed, work that is not, and pauses in which both can be seen. */
const ENTRIES = [
  { iteration: 1, steps: [say('I take the first half.'), ...work('half.txt', 'half\n')] },
  {
    steps: [
      { do: 'edit' as const, file: 'loose.txt', write: 'loose\n' },
      { do: 'wait' as const, ms: 150 },
      ...work('greeting.txt', 'hello\n'),
      complete,
    ],
  },
]
const FILES = ['half.txt', 'loose.txt', 'greeting.txt']

describe('an orchestrator that is killed at any moment of a run', () => {
  const seen: string[] = []

  it('leaves nothing that the next one does not find, save and finish', async () => {
    const random = seeded(SEED)
    const plan = Array.from({ length: MOMENTS }, (_, i) => ({
      share: random() * SHARE_MAX,
      signal: SIGNALS[i % SIGNALS.length] ?? 'SIGKILL',
    }))
    const wholeMs = await timeWholeRun()
    const lane = async (): Promise<void> => {
      for (let next = plan.shift(); next !== undefined; next = plan.shift()) {
        const { share, signal } = next
        const moment = `seed ${SEED}, ${signal} after ${Math.round(share * wholeMs)} of ${wholeMs} ms`
        await killAndRecover(share * wholeMs, signal, moment)
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    expect(seen.length).toBe(MOMENTS)
    // Whatever the machine did with the times: some of the kills met a run in its middle.
    expect(seen.filter((state) => state === 'active').length).toBeGreaterThan(0)
  }, 1_200_000)

  afterAll(() => {
    const count = (state: string): number => seen.filter((other) => other === state).length
    const figures = ['pending', 'active', 'review'].map((state) => `${count(state)} ${state}`).join(', ')
    process.stdout.write(`\nkilled at ${seen.length} random moments (seed ${SEED}): ${figures}\n`)
  })

  async function killAndRecover(atMs: number, signal: NodeJS.Signals, moment: string): Promise<void> {
    const root = await makeScene()
    const child = await startOrchestrator(root)
    const gone = once(child, 'exit')
    child.stdin?.write('go\n')
    await sleep(atMs)
    child.kill(signal)
    await gone
    await until(() => countProcessesWith(root) === 0, `${moment}: processes are left`)
    const scene = await openScene({ root })
    try {
      seen.push(await expectRecovery(scene, moment))
    } finally {
      await scene.close()
    }
  }
})

async function makeScene(): Promise<string> {
  const scene = await openScene({ entries: ENTRIES })
  await scene.store.close()
  return scene.scratch.root
}

async function startOrchestrator(root: string): Promise<ChildProcess> {
  const words = ['--import', 'tsx', PROGRAM, root]
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] })
  await heard(child, 'ready')
  return child
}

async function heard(child: ChildProcess, word: string): Promise<void> {
  let said = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  await until(() => said.includes(word) || child.exitCode !== null, `never heard "${word}" in: ${said}`)
}

async function until(holds: () => boolean, why: string): Promise<void> {
  const begun = Date.now()
  while (!holds()) {
    if (Date.now() - begun > WAIT_MAX_MS) throw new Error(why)
    await sleep(20)
  }
}

/** How long a run takes here and now, so that the moments lie in it. */
async function timeWholeRun(): Promise<number> {
  const root = await makeScene()
  const child = await startOrchestrator(root)
  const gone = once(child, 'exit')
  const begun = Date.now()
  child.stdin?.write('go\n')
  await heard(child, 'done')
  const wholeMs = Date.now() - begun
  await gone
  await (await openScene({ root })).close()
  return wholeMs
}

async function expectRecovery(scene: Scene, moment: string): Promise<string> {
  const { ground } = scene.world
  const before = await scene.task()
  const begun = existsSync(join(scene.world.root, '.axiom/agents/echo/logs/task-001.jsonl'))
  const recovered = await recoverRuns(scene.world)
  expect(
    (await readdir(ground.workspacesDir)).filter((name) => name.startsWith('.new-')),
    moment,
  ).toEqual([])
  await expectSaved(scene, moment)
  if (before.status === 'review') {
    expect(recovered, moment).toEqual([])
    return before.status
  }
  const wasHeld = before.status === 'active'
  expect(
    recovered.map(({ task }) => task),
    moment,
  ).toEqual(wasHeld ? ['task-001'] : [])
  const given = await scene.task()
  expect(given, moment).toMatchObject({ status: 'pending' })
  expect(given.leases?.develop, moment).toBeUndefined()
  const { execution } = given.metadata as { execution?: { retryCount?: number } }
  expect(execution?.retryCount ?? 0, moment).toBe(wasHeld ? 1 : 0)
  const iterations = begun ? scene.log().length : 0
  const { end } = await scene.run()
  expect(end.kind, `${moment}: ${JSON.stringify(end).slice(0, 500)}`).toBe('complete')
  if (begun) {
    const prompt = scene
      .log()
      .slice(iterations)
      .find(({ event }) => event === 'iteration')?.input
    expect(String(prompt), moment).toContain('restarts so far: 1')
  }
  expect(await scene.task(), moment).toMatchObject({ status: 'review' })
  return before.status
}

/** Every file that a workspace has is in a commit that some ref of the integration repository leads to. */
async function expectSaved({ world, scratch }: Scene, moment: string): Promise<void> {
  const { ground } = world
  for (const workspace of await listWorkspaces(ground)) {
    const again = await rescueWorkspace(ground, workspace, 'once more')
    expect(again, `${moment}: something was not saved`).toEqual({ refs: [], unsound: [], unsaved: [] })
    for (const file of FILES.filter((name) => existsSync(join(workspace.path, name)))) {
      const found = sh(ground.integration.gitDir, `git log --all --format=%H -- ${file}`)
      expect(found, `${moment}: ${file} of ${scratch.root}`).not.toBe('')
    }
  }
}
