import { describe, expect, it } from 'vitest'
import { DELIVERY_STATES } from './delivery-state.ts'
import { allowsPerson, WORK } from './delivery-table.ts'
import { statesWith, TRAITS } from './delivery-traits.ts'

describe('the traits of a delivery state', () => {
  it.each(DELIVERY_STATES)('agree with each other in %s', (state) => {
    const { status, waitsFor, keepsClaim, holdsFiles, landsUnaided, hasOpenChange, ...rest } = TRAITS[state]
    if (keepsClaim) expect(waitsFor).not.toBeNull()
    if (waitsFor !== null) expect(status).toBeNull()
    if (holdsFiles || landsUnaided) expect(hasOpenChange).toBe(true)
    if (rest.judgesRepair) expect(rest.isRepair).toBe(true)
    if (rest.isFailure) expect(status === 'failed' || status === 'timeout').toBe(true)
  })

  it('let a person answer wherever a question is open', () => {
    const answered = (['ANSWERED', 'RETRY'] as const).flatMap((event) =>
      DELIVERY_STATES.filter((state) => allowsPerson(state, event)),
    )
    expect(statesWith('hasQuestion').filter((state) => !answered.includes(state))).toEqual([])
  })

  it('let a person override a repair only where its question is open', () => {
    const overridden = DELIVERY_STATES.filter((state) => allowsPerson(state, 'OVERRIDE'))
    expect(overridden).toEqual(
      statesWith('isRepair').filter((state) => TRAITS[state].hasQuestion && WORK[state] === undefined),
    )
  })
})
