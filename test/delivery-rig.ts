import assert from 'node:assert/strict'
import type { Case, Stage } from '../src/cases/case.ts'
import { CaseIndex } from '../src/cases/case-index.ts'
import { CASE_TYPES } from '../src/cases/case-types.ts'
import type { CaseCommand } from '../src/cases/command.ts'
import { execute } from '../src/cases/execute.ts'
import { type DeliveryDecision, decideDelivery } from '../src/delivery/decide-delivery.ts'
import type { DeliveryContext, DeliveryLimits } from '../src/delivery/delivery-context.ts'
import { DELIVERY_KEY, type DeliveryState, readDelivery } from '../src/delivery/delivery-state.ts'
import { STAGE_OF_ROLE, WORK } from '../src/delivery/delivery-table.ts'
import type { Occurrence, Sender } from '../src/delivery/occurrence.ts'
import type { ReviewFinding } from '../src/delivery/review-contract.ts'
import { parseSignals } from '../src/signals/signal-parser.ts'

export const CRITERIA = ['GET /health returns 200', 'an unknown path returns 404']
export const TASK = 'task-001'
const NAMES = { tag: 'axiom', names: {} }
const LEASE_MS = 24 * 60 * 60_000
const STEP_MS = 1_000

export const LIMITS: DeliveryLimits = {
  defaultMode: 'skip',
  labels: {},
  autoApprove: { maxIterations: 3 },
  reviewRounds: 3,
  auditRounds: 3,
  remediationAttempts: 10,
  ownTries: 3,
  expertTries: 3,
}

/** What agents say, in the forms of the specification. */
export const SPEECH = {
  blockingReview: `REVIEW_FAILED: ${TASK}\n\nIssues Found:\n- src/health.ts:12: the handle leaks\n`,
  asideReview: `REVIEW_FAILED: ${TASK}\n\nIssues Found:\n- src/old.ts:3: an old wound\n`,
  failedAudit: `AUDIT_FAILED: ${TASK}\n\nFailed Criteria:\n- ${CRITERIA[1]}: FAILED - got 500\n`,
  emptyAudit: `AUDIT_FAILED: ${TASK}\n\nIssues Found:\n- I do not like it\n`,
  passedAudit: `AUDIT_PASSED: ${TASK}\n\nVerification Results:\n- ${CRITERIA[0]}: VERIFIED - curl\n- ${CRITERIA[1]}: VERIFIED - test 7\n`,
  halfAudit: `AUDIT_PASSED: ${TASK}\n\nVerification Results:\n- ${CRITERIA[0]}: VERIFIED - curl\n`,
}

/**
 * One task in delivery over the real laws of cases: commands are executed, dispatched agents claim their leases.
 * Each step reads the state anew from what the task's metadata would be on disk, as after a restart.
 */
export class DeliveryRig {
  readonly index = new CaseIndex()
  /** Each state that a move led to, in order. */
  readonly states: string[] = []
  /** Everything that was committed, in its order. */
  readonly commands: CaseCommand[] = []
  findings: readonly ReviewFinding[] = []
  over: Partial<DeliveryContext> = {}
  #ms = Date.parse('2026-01-01T00:00:00.000Z')
  #serial = 0
  #read: { readonly rev: number; readonly delivery: DeliveryState } | undefined

  constructor(criteria: readonly string[] = CRITERIA) {
    this.run([
      { kind: 'create', type: 'directive', content: 'need' },
      { kind: 'create', type: 'operation', content: 'feature', parentId: 'dir-001' },
      {
        kind: 'create',
        type: 'task',
        content: 'health',
        parentId: 'op-001',
        metadata: { acceptanceCriteria: criteria },
      },
    ])
  }

  /** What speaks against the change, without the notes. */
  get complaints(): readonly ReviewFinding[] {
    return this.findings.filter(({ kind }) => kind === undefined)
  }

  get now(): string {
    return new Date(this.#ms).toISOString()
  }

  get task(): Case {
    const task = this.index.get(TASK)
    assert(task)
    return task
  }

  get delivery(): DeliveryState {
    const { rev, metadata } = this.task
    if (this.#read?.rev === rev) return this.#read.delivery
    const stored = metadata[DELIVERY_KEY]
    const read = readDelivery({
      metadata: stored === undefined ? {} : { [DELIVERY_KEY]: JSON.parse(JSON.stringify(stored)) },
    })
    assert(read.kind === 'read', JSON.stringify(read))
    this.#read = { rev, delivery: read.delivery }
    return read.delivery
  }

  get context(): DeliveryContext {
    return {
      task: this.task,
      limits: LIMITS,
      changedLines: { 'src/health.ts': [[10, 20]] },
      findings: this.findings,
      experts: [],
      repairLedBy: null,
      checksGreen: true,
      draftParent: 'dir-001',
      fallback: null,
      ...this.over,
    }
  }

  sleep(ms: number): void {
    this.#ms += ms
  }

  claim(stage: Stage, holder: string): void {
    if (this.task.leases?.[stage] !== undefined) return
    this.run([{ kind: 'claim', id: TASK, stage, holder, ttlMs: LEASE_MS }])
  }

  /** A developer takes the task. */
  start(): DeliveryDecision {
    this.claim('develop', 'echo-001')
    return this.tell('CLAIMED', 'director')
  }

  /** An agent says something, in its own words. */
  say(text: string, sender: Sender, over: Partial<Occurrence> = {}): DeliveryDecision {
    const said = parseSignals([text], { names: NAMES }).signals.at(-1)
    assert(said, `no signal in ${text}`)
    return this.take({
      ...this.#occasion(sender),
      signal: said.name,
      said,
      payload: said.payload,
      task: said.task,
      ...over,
    })
  }

  tell(signal: Occurrence['signal'], sender: Sender, over: Partial<Occurrence> = {}): DeliveryDecision {
    return this.take({ ...this.#occasion(sender), signal, ...over })
  }

  handIn(commit: string): DeliveryDecision {
    return this.say(`READY_FOR_REVIEW: ${TASK}`, 'developer', { commit })
  }

  take(occurrence: Occurrence): DeliveryDecision {
    this.#ms += STEP_MS
    const decision = decideDelivery(this.delivery, occurrence, this.context, this.now)
    if (decision.kind === 'refused') return decision
    this.run(decision.commands)
    this.findings = decision.findings
    const { state } = decision.delivery
    if (this.states.at(-1) !== state) this.states.push(state)
    const work = WORK[state]
    if (work?.stage && !this.task.leases?.[work.stage])
      this.claim(work.stage, `${work.role}-${++this.#serial}`)
    return decision
  }

  #occasion(sender: Sender): Omit<Occurrence, 'signal'> {
    const stage = STAGE_OF_ROLE[sender]
    const lease = stage && this.task.leases?.[stage]
    const isAtWork = WORK[this.delivery.state]?.role === sender
    return {
      id: `word-${++this.#serial}`,
      sender,
      agent: lease?.holder ?? sender,
      task: null,
      fence: isAtWork ? (lease?.fence ?? null) : null,
      request: sender === 'expert' ? (this.delivery.request?.id ?? null) : null,
      commit: this.#commitSeenBy(sender),
      payload: null,
      said: null,
      text: null,
    }
  }

  #commitSeenBy(sender: Sender): string | null {
    const { state, commit, repairCommit } = this.delivery
    if (sender === 'remediator') return null
    return state === 'repair-landing' ? repairCommit : commit
  }

  run(commands: readonly CaseCommand[]): void {
    const result = execute(this.index, commands, {
      now: this.now,
      by: 'system',
      newUid: () => `uid-${++this.#serial}`,
      prefixOf: (type) => CASE_TYPES[type].prefix,
    })
    assert(result.kind === 'accepted', JSON.stringify(result))
    this.commands.push(...commands)
  }
}
