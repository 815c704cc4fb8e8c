import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CaseCommand } from '../src/cases/command.ts'
import { configSchema } from '../src/config/schema.ts'
import { Director } from '../src/director/director.ts'
import type { Hands } from '../src/director/hands.ts'
import { rulesOf } from '../src/director/open/rules-of.ts'
import { systemClock } from '../src/platform/clock.ts'
import { changeProject } from '../src/project/document.ts'
import type { RunEnd } from '../src/runs/run-end.ts'
import { NOTHING_SPENT } from '../src/runs/task-progress.ts'
import { parseSignals } from '../src/signals/signal-parser.ts'
import { FileStore } from '../src/store/jsonl/file-store.ts'
import { AXIOM } from '../src/vocabulary/axiom.ts'
import { atMost, type Report } from './measure.ts'

const AGENTS = 500
const TASKS = 5_000
const TASKS_PER_OPERATION = 50
const TICK_MS_MAX = 100
const RSS_MB_MAX = 1_000
const WORK_MS = 200
/** Long enough to measure every kind of tick; tasks that have not landed by then are left. */
const RUN_MS_MAX = 60_000
const BATCH = 16
const CRITERION = 'it prints 1'
const COST = { spent: NOTHING_SPENT, iterations: 1, durationMs: WORK_MS, waitedMs: 0 }

/** The real director over the real store, with simulated actions that only take time. */
export async function run(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'axiom-scale-'))
  const store = new FileStore({ folder: join(folder, '.axiom') })
  const ticks: number[] = []
  let rss = 0
  let landed = 0
  const watch = setInterval(() => {
    rss = Math.max(rss, process.memoryUsage.rss())
  }, 100)
  try {
    await plan(store)
    const config = configSchema.parse({ review: { defaultMode: 'skip' } })
    const director = new Director({
      rules: { ...rulesOf(config, { slots: AGENTS, nonInteractive: true }), batchMax: BATCH },
      means: {
        store,
        hands: makeHands(),
        words: {
          limits: config.review,
          changedLines: async () => ({}),
          experts: async () => [],
          standingAnswer: async () => null,
          logRefusal: async () => undefined,
        },
        clock: systemClock,
        vocabulary: AXIOM,
        failuresBeforePause: 3,
        record: async () => undefined,
        notify: () => undefined,
      },
      onTick: (ms) => ticks.push(ms),
    })
    const enough = setTimeout(() => director.leave('gently'), RUN_MS_MAX)
    const ending = await director.run()
    clearTimeout(enough)
    landed = (await store.query({ type: 'task', status: 'done' })).length
    if (ending === 'nothing-left' && landed !== TASKS) throw new Error(`${landed} of ${TASKS} tasks are done`)
    if (landed === 0) throw new Error('nothing landed')
  } finally {
    clearInterval(watch)
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const p99 = ticks.toSorted((a, b) => a - b)[Math.floor(ticks.length * 0.99)] ?? Number.NaN
  const name = 'scale'
  const metric = `${AGENTS} agents, ${TASKS} tasks: ${landed} landed: tick p99 of ${ticks.length}`
  const tick = { name, metric, value: p99, unit: 'ms', limit: TICK_MS_MAX, ratio: p99 / TICK_MS_MAX }
  report({ ...tick, ...atMost(1)(tick.ratio) })
  const mb = rss / 1e6
  const memory = { name, metric: 'RSS', value: mb, unit: 'MB', limit: RSS_MB_MAX, ratio: mb / RSS_MB_MAX }
  report({ ...memory, ...atMost(1)(memory.ratio) })
}

async function plan(store: FileStore): Promise<void> {
  const commands: CaseCommand[] = []
  for (let number = 0; number < TASKS; number += 1) {
    const operation = `operation${Math.floor(number / TASKS_PER_OPERATION)}`
    if (number % TASKS_PER_OPERATION === 0)
      commands.push({ kind: 'create', type: 'operation', content: operation, as: operation })
    commands.push({
      kind: 'create',
      type: 'task',
      parentId: `$${operation}`,
      content: `task ${number}`,
      metadata: { acceptanceCriteria: [CRITERION], fileHints: [`src/${number % 1_000}.ts`] },
    })
  }
  await store.transact({ commands, by: 'user' })
  await changeProject(store, 'user', (project) => ({ ...project, mode: 'autopilot' }))
}

function makeHands(): Hands {
  let serial = 0
  const commit = (): string => (++serial).toString(16).padStart(40, '0')
  const said = (text: string) => {
    const signal = parseSignals([text], { names: { tag: 'axiom', names: {} } }).signals.at(-1)
    if (!signal) throw new Error(`no signal in ${text}`)
    return signal
  }
  const unasked = () => Promise.reject(new Error('nobody asks for this here'))
  return {
    async develop({ task }) {
      await sleep(WORK_MS)
      const proof = { kind: 'proven', proof: { commit: commit(), flagged: [] }, checks: [], empty: false }
      const end = { kind: 'complete', proof } as unknown as RunEnd
      const execution = { ...(task.metadata.execution as object), iterations: 1 }
      return { result: { ...COST, end, execution, unread: [] }, saved: [] }
    },
    async perform({ role, task, delivery }) {
      await sleep(WORK_MS)
      const text =
        role === 'critic'
          ? `REVIEW_PASSED: ${task.id}\n`
          : `AUDIT_PASSED: ${task.id}\n\nVerification Results:\n- ${CRITERION}: VERIFIED - run\n`
      return { ...COST, kind: 'said', signal: said(text), commit: delivery.commit }
    },
    confirm: async () => ({ kind: 'confirmed', evidence: 'seen' }),
    async land({ entries }) {
      const landing = () => ({ kind: 'landed', commit: commit(), alreadyThere: false }) as const
      return { landings: new Map(entries.map(({ task }) => [task, landing()])), flaky: [], runs: 1 }
    },
    resolve: unasked,
    takeIn: async () => ({ intake: { kind: 'nothing-new' }, user: null }),
    publish: async () => ({ kind: 'same', commit: '' }),
    findLanded: async () => new Map(),
    probeTarget: async () => ({ kind: 'green' }),
    measureHealth: async () => ({
      diskFreeBytes: 9e10,
      memory: { availableBytes: 9e10, totalBytes: 9e10 },
      agents: [],
      orphans: [],
    }),
    sweep: async () => 0,
    clean: async () => ({ removed: [], kept: [], freedBytes: 0, byConsent: [] }),
    runHook: async () => ({ failed: [] }),
  }
}
