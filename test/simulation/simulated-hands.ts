import type {
  AgentOrder,
  DevelopOrder,
  DevelopResult,
  Hands,
  LandOrder,
  LandResult,
  PerformOrder,
  PerformResult,
  ResolveOrder,
  ResolveResult,
} from '../../src/director/hands.ts'
import { holdsFence } from '../../src/director/land/landing-ground.ts'
import type { Entry } from '../../src/integration/entry.ts'
import type { Landing } from '../../src/integration/land-candidates.ts'
import type { RunEnd } from '../../src/runs/run-end.ts'
import { NOTHING_SPENT } from '../../src/runs/task-progress.ts'
import type { Signal } from '../../src/signals/finding.ts'
import { parseSignals } from '../../src/signals/signal-parser.ts'
import type { Store } from '../../src/store/store.ts'
import type { Life } from './life.ts'
import type { Random } from './random.ts'
import type { SimulatedClock } from './simulated-clock.ts'
import type { SimulatedGit } from './simulated-git.ts'

const NAMES = { tag: 'axiom', names: {} }
const COST = { spent: NOTHING_SPENT, iterations: 1, durationMs: 1_000, waitedMs: 0 }
export const CRITERION = 'GET /health returns 200'

export interface SimulatedWorld {
  readonly life: Life
  readonly clock: SimulatedClock
  readonly git: SimulatedGit
  readonly random: Random
  readonly store: Store
  /** Who is at work in this process, by slot. */
  readonly slots: Map<number, string>
  readonly log: (line: string) => void
}

function say(text: string): Signal {
  const said = parseSignals([text], { names: NAMES }).signals.at(-1)
  if (!said) throw new Error(`no signal in ${text}`)
  return said
}

/** Agents, git and checks as the seed wants them. Everything takes its time, and any of it may be the last. */
export function simulateHands(world: SimulatedWorld): Hands {
  const { life, clock, git, random } = world
  const take = (low: number, high: number, signal = new AbortController().signal): Promise<void> =>
    life.wait(() => clock.sleepUntil(clock.now() + random.between(low, high) * 1_000, signal))
  return {
    develop: (order) => life.act(() => inSlot(world, order, () => develop(world, order, take))),
    perform: (order) => life.act(() => inSlot(world, order, () => perform(world, order, take))),
    resolve: (order) => life.act(() => inSlot(world, order, () => resolve(world, order, take))),
    land: (order) => life.act(() => land(world, order, take)),
    confirm: (order) =>
      life.act(async () => {
        await take(1, 20)
        return random.chance(0.95)
          ? { kind: 'confirmed', evidence: 'seen' }
          : { kind: 'refuted', text: `${order.task.id} is red for me` }
      }),
    takeIn: () => life.act(async () => ({ intake: { kind: 'nothing-new' }, user: null })),
    publish: () => life.act(async () => ({ kind: 'same', commit: git.target.at(-1)?.commit ?? '' })),
    findLanded: (entries) =>
      life.act(async () => {
        const found = entries.map((entry) => [entry.task, git.find(entry)] as const)
        return new Map(found.filter((one): one is [string, string] => one[1] !== undefined))
      }),
    probeTarget: async () => ({ kind: 'green' }),
    measureHealth: () =>
      life.act(async () => ({
        diskFreeBytes: 9e9,
        memory: { availableBytes: 9e9, totalBytes: 16e9 },
        agents: [],
        orphans: [],
      })),
    sweep: async () => 0,
    clean: async () => ({ removed: [], kept: [], freedBytes: 0, byConsent: [] }),
    runHook: async () => ({ failed: [] }),
  }
}

type Take = (low: number, high: number, signal?: AbortSignal) => Promise<void>

/** Two agents in one slot would share ports and databases. */
async function inSlot<T>(world: SimulatedWorld, order: AgentOrder, work: () => Promise<T>): Promise<T> {
  const { slots, log } = world
  const other = slots.get(order.slot)
  if (other !== undefined) throw new Error(`${order.agent} and ${other} in slot ${order.slot}`)
  slots.set(order.slot, order.agent)
  log(`${order.agent} begins ${order.task.id}`)
  const result = await work()
  slots.delete(order.slot)
  return result
}

async function develop(world: SimulatedWorld, order: DevelopOrder, take: Take): Promise<DevelopResult> {
  const { random, git } = world
  const { control, task } = order
  await take(5, 90, control.stopping)
  const done = (end: RunEnd): DevelopResult => ({
    result: {
      ...COST,
      end,
      execution: { ...(task.metadata.execution as object), iterations: 1 },
      unread: [],
    },
    saved: [],
  })
  if (control.stopping.aborted) return done({ kind: 'stopped' })
  const asked = say('<axiom>PENDING:Which port?</axiom>')
  const blocked = say('<axiom>BLOCKED:no key</axiom>')
  const infra = say(`INFRA_BLOCKED: ${task.id}\n\nIssue: the disk is gone\n`)
  switch (
    random.weighed({
      complete: 80,
      pending: 4,
      blocked: 2,
      failed: 3,
      timeout: 2,
      restart: 5,
      infra: 2,
      finish: 2,
    })
  ) {
    case 'complete':
      return done(proven(git.commit()))
    case 'pending':
      return done({ kind: 'pending', question: { question: 'Which port?' }, signal: asked })
    case 'blocked':
      return done({ kind: 'blocked', reason: 'no key', signal: blocked })
    case 'failed':
      return done({ kind: 'failed', reason: 'exit code 3' })
    case 'timeout':
      return done({ kind: 'timeout', reason: 'too long' })
    case 'restart':
      return done({ kind: 'restart', cause: 'crashed', reason: 'a signal' })
    case 'infra':
      return done({ kind: 'referred', signal: infra, reason: 'the disk is gone' })
    case 'finish':
      return done({ kind: 'stopped' })
  }
}

function proven(commit: string): RunEnd {
  const proof = { commit, flagged: [] }
  return { kind: 'complete', proof: { kind: 'proven', proof, checks: [], empty: false } } as unknown as RunEnd
}

async function perform(world: SimulatedWorld, order: PerformOrder, take: Take): Promise<PerformResult> {
  const { random, git } = world
  const { control, role, delivery, task } = order
  await take(2, 30, control.stopping)
  if (control.stopping.aborted) return { ...COST, kind: 'stopped' }
  if (random.chance(0.04)) return { ...COST, kind: 'lost', reason: 'it said nothing' }
  const said = (text: string, commit: string | null = delivery.commit): PerformResult => ({
    ...COST,
    kind: 'said',
    signal: say(text),
    commit,
    checksGreen: true,
  })
  const { id } = task
  const isKind = random.chance(0.9)
  switch (role) {
    case 'critic':
      return isKind
        ? said(`REVIEW_PASSED: ${id}\n`)
        : said(`REVIEW_FAILED: ${id}\n\nIssues Found:\n- src/health.ts:12: the handle leaks\n`)
    case 'auditor':
      return isKind
        ? said(`AUDIT_PASSED: ${id}\n\nVerification Results:\n- ${CRITERION}: VERIFIED - curl\n`)
        : said(`AUDIT_FAILED: ${id}\n\nFailed Criteria:\n- ${CRITERION}: FAILED - got 500\n`)
    case 'analyst':
      return said(
        `EXPANDED_TASK_SPECIFICATION: ${id}\n\nAcceptance Criteria:\n- ${CRITERION}\n\nConfidence: HIGH\n`,
      )
    case 'remediator':
      return said(`REMEDIATION_COMPLETE\n`, random.chance(0.5) ? git.repair() : null)
    case 'health-auditor':
      return said(isKind ? 'HEALTH_AUDIT: HEALTHY\n' : 'HEALTH_AUDIT: UNHEALTHY\n', delivery.repairCommit)
    case 'expert':
      return { ...COST, kind: 'lost', reason: 'nobody asked for one' }
  }
}

async function resolve(world: SimulatedWorld, order: ResolveOrder, take: Take): Promise<ResolveResult> {
  await take(5, 60, order.control.stopping)
  if (order.control.stopping.aborted) return { ...COST, kind: 'stopped' }
  if (world.random.chance(0.7)) return { ...COST, kind: 'resolved', commit: world.git.commit() }
  return { ...COST, kind: 'failed', reason: 'a marker was left' }
}

async function land(world: SimulatedWorld, { entries }: LandOrder, take: Take): Promise<LandResult> {
  await take(2, 40)
  const landings = new Map<string, Landing>()
  for (const entry of entries) {
    const landing = await landOne(world, entry)
    landings.set(entry.task, landing)
    world.log(`${entry.task} ${landing.kind}`)
  }
  return { landings, flaky: [], runs: 1 }
}

async function landOne({ git, random, store }: SimulatedWorld, entry: Entry): Promise<Landing> {
  const there = git.find(entry)
  if (there !== undefined) return { kind: 'landed', commit: there, alreadyThere: true }
  if (!(await holdsFence({ store }, entry))) return { kind: 'refused', reason: 'fence-lost', paths: [] }
  const target = git.target.at(-1)?.commit ?? ''
  switch (random.weighed({ landed: 90, rejected: 4, conflict: 4, deferred: 2 })) {
    case 'landed':
      return { kind: 'landed', commit: git.land(entry), alreadyThere: false }
    case 'rejected':
      return { kind: 'rejected', target, commit: git.commit(), evidence: 'red', feedback: 'red' }
    case 'conflict':
      return { kind: 'conflict', target, conflict: { tree: '', files: [], messages: [] }, level: 'MEDIUM' }
    case 'deferred':
      return { kind: 'deferred', reason: 'batch-mate' }
  }
}
