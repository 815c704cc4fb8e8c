import fc from 'fast-check'
import { expect } from 'vitest'
import { LANDING_ROUNDS_MAX } from '../src/delivery/delivery-context.ts'
import {
  DELIVERY_STATES,
  type DeliveryState,
  RESUME_DEPTH_MAX,
  type Verdict,
} from '../src/delivery/delivery-state.ts'
import { statusOf } from '../src/delivery/delivery-traits.ts'
import { bringTo, LEDGER } from './delivery-places.ts'
import { DeliveryRig, LIMITS } from './delivery-rig.ts'
import { utter, type Word, words } from './delivery-words.ts'

const WORDS_PER_WALK = 60
/** Tried in every state, whatever else happens. */
const DISHONEST: readonly Word[] = [
  { kind: 'spoofed', signal: 0, sender: 0 },
  { kind: 'late', pick: 1, fenceBack: 1 },
  { kind: 'foreign', pick: 1 },
  { kind: 'duplicate' },
]
/** Small, so that a walk gets past the end of a repair. */
const ATTEMPTS_MAX = 2
const WALK_LIMITS = { ...LIMITS, defaultMode: 'batch', remediationAttempts: ATTEMPTS_MAX } as const

export interface Walked {
  /** Kinds of words that were tried, with the state they met. */
  readonly met: ReadonlySet<string>
  readonly left: ReadonlySet<string>
}

/** Lets random words happen to tasks in delivery, as many from each state, and holds every step to the invariants. */
export function walkDelivery(walksPerState: number, seed?: number): Walked {
  const met = new Set<string>()
  const left = new Set<string>()
  const walk = fc.array(words, { minLength: WORDS_PER_WALK, maxLength: WORDS_PER_WALK })
  for (const start of DELIVERY_STATES) {
    const property = fc.property(walk, (sequence) => {
      const rig = new DeliveryRig()
      bringTo(rig, start, { experts: [LEDGER], limits: WALK_LIMITS })
      // The task itself keeps only the last few.
      const verdicts: Verdict[] = [...rig.delivery.verdicts]
      ;[...DISHONEST, ...sequence].forEach((word, serial) => {
        const before = rig.delivery
        const repairLedBy = serial % 3 === 0 ? 'task-009' : null
        rig.over = { experts: [LEDGER], limits: WALK_LIMITS, repairLedBy }
        utter(rig, word, serial)
        const last = rig.delivery.verdicts.at(-1)
        if (last && last.id !== before.verdicts.at(-1)?.id) verdicts.push(last)
        met.add(`${word.kind} ${before.state}`)
        if (rig.delivery.state !== before.state) left.add(before.state)
        expectCaps(rig)
        if (word.kind !== 'honest' && word.kind !== 'event') expect(rig.delivery).toEqual(before)
        expectEarnedLanding(rig, verdicts, before, word)
      })
    })
    fc.assert(property, { numRuns: walksPerState, ...(seed === undefined ? {} : { seed }) })
  }
  return { met, left }
}

function expectCaps(rig: DeliveryRig): void {
  const { rounds, expertTries, repairAttempts, resume, state } = rig.delivery
  expect(rounds.review).toBeLessThanOrEqual(LIMITS.reviewRounds)
  expect(rounds.audit).toBeLessThanOrEqual(LIMITS.auditRounds)
  expect(rounds.landing).toBeLessThanOrEqual(LANDING_ROUNDS_MAX)
  expect(expertTries).toBeLessThanOrEqual(LIMITS.expertTries)
  expect(repairAttempts).toBeLessThanOrEqual(ATTEMPTS_MAX)
  expect(resume.length).toBeLessThan(RESUME_DEPTH_MAX)
  expect(rig.task.status).toBe(statusOf(state, resume))
}

/** Only the director lands, and only a commit that an audit passed and AXIOM confirmed. */
function expectEarnedLanding(
  rig: DeliveryRig,
  verdicts: readonly Verdict[],
  before: DeliveryState,
  word: Word,
): void {
  const { state, commit } = rig.delivery
  if (state !== 'landed' || before.state === 'landed') return
  expect([before.state, word.kind]).toEqual(['integrating', 'event'])
  const about = verdicts.filter((verdict) => verdict.commit === commit).map(({ signal }) => signal)
  expect(about).toEqual(expect.arrayContaining(['AUDIT_PASSED', 'CONFIRMED', 'LANDED']))
}
