import fc from 'fast-check'
import type { DeliveryDecision } from '../src/delivery/decide-delivery.ts'
import { movesFor, WORK } from '../src/delivery/delivery-table.ts'
import {
  DELIVERY_SIGNALS,
  type DeliveryEvent,
  DIRECTOR_EVENTS,
  type Occurrence,
  PERSON_EVENTS,
  type Sender,
} from '../src/delivery/occurrence.ts'
import { ROLES } from '../src/signals/definition.ts'
import { CRITERIA, type DeliveryRig, SPEECH, TASK } from './delivery-rig.ts'

const AGENTS: readonly Sender[] = ROLES.filter((role) => role !== 'director')

const EVENTS: readonly { signal: DeliveryEvent; sender: Sender }[] = [
  ...DIRECTOR_EVENTS.map((signal) => ({ signal, sender: 'director' as const })),
  ...PERSON_EVENTS.map((signal) => ({ signal, sender: 'person' as const })),
]

/** What an honest agent of each role might say at work. */
const LINES: Readonly<Partial<Record<Sender, readonly string[]>>> = {
  developer: [
    `READY_FOR_REVIEW: ${TASK}`,
    '<axiom>COMPLETE</axiom>',
    '<axiom>BLOCKED:no key</axiom>',
    '<axiom>PENDING:which port?</axiom>',
    `INFRA_BLOCKED: ${TASK}\n\nIssue: no database\n`,
    'EXPERT_REQUEST\nTarget Agent: ledger\n',
    'FILE CONFLICT: src/a.ts\n\nCan Wait: YES\n',
    'FILE CONFLICT: src/a.ts\n\nCan Wait: NO\n',
    `CHECKPOINT: ${TASK}\n\nProgress: half\n`,
  ],
  critic: [
    `REVIEW_PASSED: ${TASK}`,
    SPEECH.blockingReview,
    SPEECH.asideReview,
    '<axiom>PENDING:which style?</axiom>',
  ],
  auditor: [
    SPEECH.passedAudit,
    SPEECH.halfAudit,
    SPEECH.failedAudit,
    SPEECH.emptyAudit,
    `AUDIT_BLOCKED: ${TASK}`,
    'EXPERT_REQUEST\nTarget Agent: ledger\n',
  ],
  analyst: [
    `EXPANDED_TASK_SPECIFICATION: ${TASK}\nConfidence: HIGH\n\nAcceptance Criteria:\n- [ ] ${CRITERIA[0]}\n`,
    `EXPANDED_TASK_SPECIFICATION: ${TASK}\nConfidence: LOW\n`,
    `EXPANDED_TASK_SPECIFICATION: ${TASK}\nConfidence: HIGH\n`,
  ],
  remediator: ['REMEDIATION_COMPLETE', '<axiom>BLOCKED:no root</axiom>', 'EXPERT_REQUEST\n'],
  'health-auditor': ['HEALTH_AUDIT: HEALTHY', 'HEALTH_AUDIT: UNHEALTHY', 'SEEKING_DIVINE_CLARIFICATION'],
  expert: ['<axiom>PENDING:who knows?</axiom>'],
}

/** One thing that happens, honest or not; what it becomes depends on where the task then stands. */
export type Word =
  | { readonly kind: 'honest'; readonly pick: number }
  | { readonly kind: 'event'; readonly pick: number; readonly laterMs: number }
  | { readonly kind: 'spoofed'; readonly signal: number; readonly sender: number }
  | { readonly kind: 'late'; readonly pick: number; readonly fenceBack: number }
  | { readonly kind: 'foreign'; readonly pick: number }
  | { readonly kind: 'duplicate' }

const pick = fc.nat({ max: 1_000 })
export const words = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('honest' as const), pick }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('event' as const),
      pick,
      laterMs: fc.constantFrom(0, 200_000, 90_000_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('spoofed' as const), signal: pick, sender: pick }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('late' as const),
      pick,
      fenceBack: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('foreign' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('duplicate' as const) }) },
)

/** Lets one word happen to the rig; a word that nobody could say here gives nothing. */
export function utter(rig: DeliveryRig, word: Word, serial: number): DeliveryDecision | undefined {
  switch (word.kind) {
    case 'honest':
      return speak(rig, word.pick, { commitSerial: serial })
    case 'event':
      return happen(rig, word.pick, word.laterMs)
    case 'spoofed': {
      const signal = at(DELIVERY_SIGNALS, word.signal)
      const sender = at(AGENTS, word.sender)
      return rig.tell(signal, sender, { fence: null, request: null, id: `forged-${serial}` })
    }
    case 'late': {
      const stage = WORK[rig.delivery.state]?.stage
      const current = (stage && rig.task.leases?.[stage]?.fence) ?? 0
      return speak(rig, word.pick, { commitSerial: serial, fence: current - word.fenceBack, request: 'old' })
    }
    case 'foreign':
      return speak(rig, word.pick, { commitSerial: serial, task: 'task-999' })
    case 'duplicate': {
      const id = rig.delivery.verdicts.at(-1)?.id
      return id === undefined ? undefined : speak(rig, 0, { commitSerial: serial, id })
    }
  }
}

function at<Item>(items: readonly Item[], index: number): Item {
  return items[index % items.length] as Item
}

function speak(
  rig: DeliveryRig,
  index: number,
  { commitSerial, ...over }: Partial<Occurrence> & { commitSerial: number },
): DeliveryDecision | undefined {
  const role = WORK[rig.delivery.state]?.role
  if (role === undefined) return undefined
  const advice = `EXPERT_ADVICE: ${rig.delivery.request?.id}`
  const text = role === 'expert' && index % 3 !== 0 ? advice : at(LINES[role] ?? [], index)
  // Now and then the commit that was sent back is handed in once more.
  const commit = index % 5 === 0 ? (rig.delivery.refusedCommit ?? 'first') : `commit-${commitSerial}`
  const brings = role === 'developer' || (role === 'remediator' && index % 2 === 0)
  return rig.say(text, role, { ...(brings ? { commit } : {}), ...over })
}

/** Mostly something that can happen here; now and then anything at all. */
function happen(rig: DeliveryRig, index: number, laterMs: number): DeliveryDecision {
  rig.sleep(laterMs)
  const { state } = rig.delivery
  if (state === 'queued') return index % 4 === 0 ? rig.tell('UNDERSPECIFIED', 'director') : rig.start()
  const possible = EVENTS.filter(({ signal, sender }) => movesFor(state, signal, sender) !== undefined)
  const { signal, sender } = at(index % 4 === 0 || possible.length === 0 ? EVENTS : possible, index)
  return rig.tell(signal, sender)
}
