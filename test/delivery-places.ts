import assert from 'node:assert/strict'
import type { DeliveryContext } from '../src/delivery/delivery-context.ts'
import type { DeliveryStateName } from '../src/delivery/delivery-state.ts'
import { type DeliveryRig, LIMITS, SPEECH, TASK } from './delivery-rig.ts'

/** An expert that knows about what critics find here. */
export const LEDGER = {
  name: 'ledger',
  supports: [],
  tasks: [],
  triggers: [{ role: null, when: 'a handle leaks' }],
}

type Over = Partial<DeliveryContext>
type Step = (rig: DeliveryRig, over: Over) => void

const inspected: readonly Step[] = [
  (rig) => rig.start(),
  (rig) => rig.handIn('commit-1'),
  (rig) => rig.say(`REVIEW_PASSED: ${TASK}`, 'critic'),
  (rig) => rig.say(SPEECH.passedAudit, 'auditor'),
]
const blocked = (rig: DeliveryRig) => rig.say(`INFRA_BLOCKED: ${TASK}\n\nIssue: no database\n`, 'developer')
const broken: readonly Step[] = [(rig) => rig.start(), blocked]
const givenUp: readonly Step[] = [
  ...broken,
  (rig, over) => {
    rig.over = { ...over, limits: { ...LIMITS, ...over.limits, remediationAttempts: 1 } }
    rig.tell('AGENT_LOST', 'director')
  },
]
const under =
  (change: Over, step: Step): Step =>
  (rig, over) => {
    rig.over = { ...over, ...change }
    step(rig, over)
  }

/** The shortest way to each state, in words that can be said. */
const WAYS: Readonly<Record<DeliveryStateName, readonly Step[]>> = {
  queued: [],
  specifying: [(rig) => rig.tell('UNDERSPECIFIED', 'director')],
  developing: inspected.slice(0, 1),
  critique: inspected.slice(0, 2),
  audit: inspected.slice(0, 3),
  confirming: inspected,
  'person-review': [
    ...inspected,
    under({ limits: { ...LIMITS, defaultMode: 'per-task' } }, (rig) => rig.tell('CONFIRMED', 'director')),
  ],
  integrating: [...inspected, under({ limits: LIMITS }, (rig) => rig.tell('CONFIRMED', 'director'))],
  landed: [
    ...inspected,
    under({ limits: LIMITS }, (rig) => rig.tell('CONFIRMED', 'director')),
    (rig) => rig.tell('LANDED', 'director'),
  ],
  failed: [(rig) => rig.start(), (rig) => rig.tell('RUN_FAILED', 'director')],
  'timed-out': [(rig) => rig.start(), (rig) => rig.tell('RUN_TIMED_OUT', 'director')],
  consulting: [
    (rig) => rig.start(),
    under({ experts: [LEDGER] }, (rig) => rig.say('EXPERT_REQUEST\nTarget Agent: ledger\n', 'developer')),
  ],
  asking: [(rig) => rig.start(), (rig) => rig.say('<axiom>PENDING:which port?</axiom>', 'developer')],
  'file-waiting': [
    (rig) => rig.start(),
    (rig) => rig.say('FILE CONFLICT: src/a.ts\n\nCan Wait: YES\n', 'developer'),
  ],
  remediating: broken,
  'health-check': [...broken, (rig) => rig.say('REMEDIATION_COMPLETE', 'remediator', { commit: 'repair-1' })],
  'repair-landing': [
    ...broken,
    (rig) => rig.say('REMEDIATION_COMPLETE', 'remediator', { commit: 'repair-1' }),
    (rig) => rig.say('HEALTH_AUDIT: HEALTHY', 'health-auditor'),
  ],
  'awaiting-repair': [(rig) => rig.start(), under({ repairLedBy: 'task-009' }, blocked)],
  'repair-escalated': givenUp,
  halted: [...givenUp, (rig) => rig.tell('HALT', 'person')],
}

/** Brings a new task to a state; what else holds meanwhile is `over`. */
export function bringTo(rig: DeliveryRig, state: DeliveryStateName, over: Over = {}): void {
  for (const step of WAYS[state]) {
    rig.over = { ...over, repairLedBy: null }
    step(rig, over)
  }
  rig.over = over
  assert.equal(rig.delivery.state, state)
}
