import type { DevelopResult, Hands, PerformOrder, PerformResult } from '../../src/director/hands.ts'
import type { AgentFacts } from '../../src/health/health-facts.ts'
import type { Landing } from '../../src/integration/land-candidates.ts'
import { Failure } from '../../src/platform/failure.ts'
import type { RunControl } from '../../src/runs/run-control.ts'
import type { RunEnd } from '../../src/runs/run-end.ts'
import { NOTHING_SPENT } from '../../src/runs/task-progress.ts'
import { verdictOf } from '../../src/runs/verdict.ts'
import type { Signal } from '../../src/signals/finding.ts'
import { parseSignals } from '../../src/signals/signal-parser.ts'
import { CRITERIA, SPEECH, TASK } from '../delivery-rig.ts'
import type { Life } from './life.ts'
import type { Said } from './said.ts'
import type { SimulatedClock } from './simulated-clock.ts'

const NAMES = { tag: 'axiom', names: {} }
const COST = { spent: NOTHING_SPENT, iterations: 1, durationMs: 1_000, waitedMs: 0 }
const LOOK_MS = 30_000

/** The words of agents, in the forms of the specification. */
const TEXTS: Readonly<Record<string, string>> = {
  TASK_INCOMPLETE: `TASK_INCOMPLETE: ${TASK}\n\nBlocker: no key\n`,
  BLOCKED: '<axiom>BLOCKED:no key</axiom>',
  PENDING: '<axiom>PENDING:which port?</axiom>',
  PROGRESS: '<axiom>PROGRESS:50</axiom>',
  SEEKING_DIVINE_CLARIFICATION: 'SEEKING_DIVINE_CLARIFICATION\n\nQuestion: which port?\n',
  INFRA_BLOCKED: `INFRA_BLOCKED: ${TASK}\n\nIssue: no database\n`,
  EXPERT_REQUEST: 'EXPERT_REQUEST\nTarget Agent: ledger\n',
  'FILE CONFLICT': 'FILE CONFLICT: src/a.ts\n\nCan Wait: YES\n',
  CHECKPOINT: `CHECKPOINT: ${TASK}\n\nProgress: half\n`,
  EXPERT_ADVICE: 'EXPERT_ADVICE: {request}',
  EXPERT_UNSUCCESSFUL: 'EXPERT_UNSUCCESSFUL: {request}',
  READY_FOR_REVIEW: `READY_FOR_REVIEW: ${TASK}`,
  REVIEW_PASSED: `REVIEW_PASSED: ${TASK}`,
  REVIEW_FAILED: SPEECH.blockingReview,
  AUDIT_PASSED: SPEECH.passedAudit,
  AUDIT_FAILED: SPEECH.failedAudit,
  AUDIT_BLOCKED: `AUDIT_BLOCKED: ${TASK}`,
  EXPANDED_TASK_SPECIFICATION: `EXPANDED_TASK_SPECIFICATION: ${TASK}\nConfidence: HIGH\n\nAcceptance Criteria:\n- [ ] ${CRITERIA[0]}\n`,
  REMEDIATION_COMPLETE: 'REMEDIATION_COMPLETE',
  'HEALTH_AUDIT: HEALTHY': 'HEALTH_AUDIT: HEALTHY',
  'HEALTH_AUDIT: UNHEALTHY': 'HEALTH_AUDIT: UNHEALTHY',
}

/** Ends of a developer's run that no agent says. */
const ENDS: Readonly<Record<string, RunEnd>> = {
  RUN_FAILED: { kind: 'failed', reason: 'exit code 3' },
  RUN_TIMED_OUT: { kind: 'timeout', reason: 'too long' },
  AGENT_LOST: { kind: 'restart', cause: 'crashed', reason: 'a signal' },
  STOPPED: { kind: 'stopped' },
}
/** Words for which an agent has to be silent first. */
const AFTER_SILENCE: readonly string[] = ['CHECKPOINT', 'PROGRESS', 'CHECKPOINT_ASKED', 'SIGN_SEEN']

function parse(text: string, request: string): Signal {
  const said = parseSignals([text.replaceAll('{request}', request)], { names: NAMES }).signals.at(-1)
  if (!said) throw new Error(`no signal in ${text}`)
  return said
}

interface Surroundings {
  readonly life: Life
  readonly clock: SimulatedClock
}

/** A world in which exactly one thing happens: what gives the occasion for the word. */
export function scriptHands(said: Said, surroundings: Surroundings): Hands {
  const { life } = surroundings
  const agents = new Map<string, AgentFacts>()
  const silent = new Silence(said, surroundings, agents)
  const isSilent =
    AFTER_SILENCE.includes(said.signal) || (said.signal === 'WAIT_ENDED' && said.state === 'developing')
  return {
    develop: ({ agent, control, task }) =>
      life.act(async (): Promise<DevelopResult> => {
        if (isSilent) await silent.keep(agent, control)
        const execution = { ...(task.metadata.execution as object), iterations: 1 }
        const end = control.stopping.aborted ? ({ kind: 'stopped' } as const) : endOf(said)
        return { result: { ...COST, end, execution, unread: [] }, saved: [] }
      }),
    perform: (order) =>
      life.act(async () => {
        if (isSilent) await silent.keep(order.agent, order.control)
        return order.control.stopping.aborted ? { ...COST, kind: 'stopped' } : resultOf(said, order)
      }),
    resolve: async () => ({ ...COST, kind: 'failed', reason: 'nobody asked for him' }),
    confirm: async () =>
      said.signal === 'REFUTED'
        ? { kind: 'refuted', text: 'it is red for me' }
        : { kind: 'confirmed', evidence: 'seen' },
    land: async ({ entries }) => ({
      landings: new Map(entries.map(({ task }) => [task, landingOf(said)])),
      flaky: [],
      runs: 1,
    }),
    takeIn: async () => ({ intake: { kind: 'nothing-new' }, user: null }),
    publish: async () => ({ kind: 'same', commit: '' }),
    findLanded: async () => new Map(),
    probeTarget: async () => ({ kind: 'green' }),
    measureHealth: async () => ({
      diskFreeBytes: 9e9,
      memory: { availableBytes: 9e9, totalBytes: 16e9 },
      agents: [...agents.values()],
      orphans: [],
    }),
    sweep: async () => 0,
    clean: async () => ({ removed: [], kept: [], freedBytes: 0, byConsent: [] }),
    runHook: async () => ({ failed: [] }),
  }
}

/** An agent that says nothing until it is asked, and then, if the word wants it, answers. */
class Silence {
  readonly #said: Said
  readonly #surroundings: Surroundings
  readonly #agents: Map<string, AgentFacts>

  constructor(said: Said, surroundings: Surroundings, agents: Map<string, AgentFacts>) {
    this.#said = said
    this.#surroundings = surroundings
    this.#agents = agents
  }

  async keep(agent: string, control: RunControl): Promise<void> {
    const { life, clock } = this.#surroundings
    const facts = { agent, task: TASK, lastSignMs: 1, owesSigns: true, isAlive: true }
    this.#agents.set(agent, facts)
    let isAnswered = false
    while (!control.stopping.aborted) {
      await life.wait(() => clock.sleepUntil(clock.now() + LOOK_MS, control.stopping))
      if (isAnswered || control.takeMessages().length === 0) continue
      isAnswered = true
      if (this.#said.signal === 'SIGN_SEEN') this.#agents.set(agent, { ...facts, lastSignMs: 2 })
      const text = this.#said.signal === 'CHECKPOINT_ASKED' ? undefined : TEXTS[this.#said.signal]
      if (text !== undefined) control.hear(parse(text, ''))
    }
    this.#agents.delete(agent)
    // The world fails at the very end of a run whose time was up.
    if (this.#said.signal === 'WAIT_ENDED' && control.expiry !== undefined)
      throw new Failure('STORE_REFUSED', 'its work could not be saved')
  }
}

function endOf({ signal, sender }: Said): RunEnd {
  const known = ENDS[signal]
  if (known) return known
  if (sender !== 'developer') return { kind: 'stopped' }
  const said = parse(TEXTS[signal] ?? '<axiom>COMPLETE</axiom>', '')
  const verdict = verdictOf([said])
  switch (verdict?.kind) {
    case 'blocked':
      return { kind: 'blocked', reason: verdict.reason, signal: said }
    case 'question':
      return { kind: 'pending', question: verdict.question, signal: said }
    case 'referral':
      return { kind: 'referred', signal: said, reason: verdict.reason }
    default: {
      const proof = { commit: 'commit-2', flagged: [] }
      return {
        kind: 'complete',
        proof: { kind: 'proven', proof, checks: [], empty: false },
      } as unknown as RunEnd
    }
  }
}

function resultOf({ signal, sender }: Said, { role, delivery }: PerformOrder): PerformResult {
  const request = delivery.request?.id ?? ''
  const text = TEXTS[signal]
  if (text === undefined || role !== sender) return { ...COST, kind: 'lost', reason: 'it said nothing' }
  const commit = role === 'remediator' ? 'repair-1' : delivery.commit
  return { ...COST, kind: 'said', signal: parse(text, request), commit, checksGreen: true }
}

function landingOf({ signal }: Said): Landing {
  switch (signal) {
    case 'LANDING_FAILED':
      return { kind: 'rejected', target: 'target-1', commit: 'red-1', evidence: 'red', feedback: 'red' }
    case 'CONFLICTED':
      return {
        kind: 'conflict',
        target: 'target-1',
        conflict: { tree: '', files: [], messages: [] },
        level: 'COMPLEX',
      }
    default:
      return { kind: 'landed', commit: 'landed-1', alreadyThere: false }
  }
}
