import { describe, expect, it } from 'vitest'
import { DELIVERY_STATES } from '../src/delivery/delivery-state.ts'
import { DeliveryRig, SPEECH, TASK } from './delivery-rig.ts'
import { walkDelivery } from './delivery-walk.ts'

/** A few walks from every state for every check, always the same ones; `test/property` takes new ones each time. */
const WALKS_PER_STATE = 3
const SEED = 2

describe('whatever is said, in whatever order', () => {
  it('caps hold, forged, late, foreign and repeated words change nothing, and every state has a way out', () => {
    const { met, left } = walkDelivery(WALKS_PER_STATE, SEED)
    for (const kind of ['spoofed', 'late', 'foreign', 'duplicate'])
      for (const state of DELIVERY_STATES) expect(met).toContain(`${kind} ${state}`)
    expect(DELIVERY_STATES.filter((state) => !left.has(state))).toEqual(['landed'])
  })
})

describe('agents that never agree', () => {
  it.each([
    ['a critic that always refuses', SPEECH.blockingReview, 'critic', 'failed'],
    ['an auditor that always refuses', SPEECH.failedAudit, 'auditor', 'failed'],
    ['an auditor that never shows anything', SPEECH.halfAudit, 'auditor', 'asking'],
  ] as const)('end: %s', (_, text, role, end) => {
    const rig = new DeliveryRig()
    rig.start()
    for (let turn = 1; turn <= 50; turn++) {
      if (rig.delivery.state === 'developing') rig.handIn(`c${turn}`)
      if (rig.delivery.state === 'critique' && role === 'auditor') rig.say(`REVIEW_PASSED: ${TASK}`, 'critic')
      if (rig.delivery.state === (role === 'critic' ? 'critique' : 'audit')) rig.say(text, role)
    }
    expect(rig.delivery.state).toBe(end)
  })
})
