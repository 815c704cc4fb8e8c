import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { configSchema } from '../src/config/schema.ts'
import { Director } from '../src/director/director.ts'
import type { DevelopOrder, DevelopResult, Hands } from '../src/director/hands.ts'
import { rulesOf } from '../src/director/open/rules-of.ts'
import { systemClock } from '../src/platform/clock.ts'
import { changeProject } from '../src/project/document.ts'
import type { RunControl } from '../src/runs/run-control.ts'
import { NOTHING_SPENT } from '../src/runs/task-progress.ts'
import { openStore } from '../src/store/open-store.ts'
import type { Store } from '../src/store/store.ts'
import { AXIOM } from '../src/vocabulary/axiom.ts'

const TOKENS_MAX = 1_000
const WAIT_MS_MAX = 5_000
const CONFIG = configSchema.parse({ budgets: { task: { tokens: TOKENS_MAX } } })

/** Agents that work until they are told to come to an end, and nothing else that ever happens. */
function patientHands(onStart: (order: DevelopOrder) => void): Hands {
  const never = (): Promise<never> => new Promise(() => undefined)
  return {
    develop: async (order): Promise<DevelopResult> => {
      onStart(order)
      const { control, task } = order
      if (!control.isEnding)
        await new Promise((wake) => control.ending.addEventListener('abort', wake, { once: true }))
      const execution = { ...(task.metadata.execution as object), iterations: 1 }
      const cost = { spent: NOTHING_SPENT, iterations: 1, durationMs: 1_000, waitedMs: 0 }
      return { result: { ...cost, end: { kind: 'stopped' }, execution, unread: [] }, saved: [] }
    },
    perform: never,
    resolve: never,
    confirm: never,
    land: never,
    takeIn: async () => ({ intake: { kind: 'nothing-new' }, user: null }),
    publish: async () => ({ kind: 'same', commit: '' }),
    findLanded: async () => new Map(),
    probeTarget: async () => ({ kind: 'green' }),
    measureHealth: async () => ({
      diskFreeBytes: 9e9,
      memory: { availableBytes: 9e9, totalBytes: 16e9 },
      agents: [],
      orphans: [],
    }),
    sweep: async () => 0,
    clean: async () => ({ removed: [], kept: [], freedBytes: 0, byConsent: [] }),
    runHook: async () => ({ failed: [] }),
  }
}

async function openProject(): Promise<Store> {
  const top = mkdtempSync(join(tmpdir(), 'axiom-budget-'))
  const store = await openStore({ folder: join(top, '.axiom'), purpose: 'tests' })
  onTestFinished(async () => {
    await store.close()
    rmSync(top, { recursive: true, force: true })
  })
  const metadata = { acceptanceCriteria: ['GET /health returns 200'] }
  await store.transact({
    by: 'tests',
    commands: [
      { kind: 'create', type: 'operation', content: 'Health', as: 'o' },
      { kind: 'create', type: 'task', parentId: '$o', content: 'Tell the health', metadata },
    ],
  })
  await changeProject(store, 'tests', (project) => ({ ...project, mode: 'autopilot' }))
  return store
}

/** Spends on the task while its agent is at work, and answers whether the agent was told to come to an end. */
async function spendInMidRun(
  tokens: number,
  isWaitedFor: (control: RunControl) => boolean,
): Promise<boolean> {
  const store = await openProject()
  let begin: (control: RunControl) => void = () => undefined
  const started = new Promise<RunControl>((done) => {
    begin = done
  })
  const director = new Director({
    rules: rulesOf(CONFIG, { slots: 1, nonInteractive: false }),
    backstopMs: 20,
    means: {
      store,
      hands: patientHands(({ control }) => begin(control)),
      words: {
        limits: CONFIG.review,
        changedLines: async () => ({}),
        experts: async () => [],
        standingAnswer: async () => null,
        logRefusal: async () => undefined,
      },
      clock: systemClock,
      vocabulary: AXIOM,
      failuresBeforePause: 9,
      record: async () => undefined,
      notify: () => undefined,
    },
  })
  const running = director.run()
  const control = await Promise.race([started, running.then(() => undefined)])
  if (!control) throw new Error('nobody began')
  expect(control.isEnding).toBe(false)
  const spend = { tokens, microUsd: 0, ms: 0, runs: 1 }
  await store.transact({
    by: 'tests',
    commands: [{ kind: 'update', id: 'task-001', metadata: { spend } }],
  })
  const untilMs = Date.now() + WAIT_MS_MAX
  while (Date.now() < untilMs && !isWaitedFor(control)) await new Promise((wake) => setTimeout(wake, 10))
  const { isEnding } = control
  director.leave('now')
  await running
  return isEnding
}

it('an agent that has spent its budget in mid-run is told that the turn it is in is its last', async () => {
  expect(await spendInMidRun(TOKENS_MAX, (control) => control.isEnding)).toBe(true)
})

it('an agent whose budget is nearly spent works on', async () => {
  const untilMs = Date.now() + 500
  expect(await spendInMidRun(TOKENS_MAX - 1, () => Date.now() > untilMs)).toBe(false)
})
