import { describe, expect, it } from 'vitest'
import { METADATA_BYTES_MAX, metadataFault } from '../cases/metadata.ts'
import {
  DELIVERY_KEY,
  DELIVERY_STATES,
  type DeliveryState,
  newDelivery,
  readDelivery,
  withVerdict,
} from './delivery-state.ts'
import { statusOf } from './delivery-traits.ts'

const AT = '2026-01-01T00:00:00.000Z'

describe('the delivery of a task', () => {
  it('begins queued where the metadata has none', () => {
    expect(readDelivery({ metadata: {} })).toEqual({ kind: 'read', delivery: newDelivery() })
  })

  it.each(DELIVERY_STATES)('comes back from JSON as it was, in %s', (state) => {
    const delivery: DeliveryState = {
      ...newDelivery(),
      state,
      resume: ['audit', 'remediating'],
      wait: { kind: 'question', until: AT, fallback: 'yes' },
      request: { id: 'task-001-e1', expert: 'ledger' },
    }
    const metadata = JSON.parse(JSON.stringify({ [DELIVERY_KEY]: delivery }))
    expect(readDelivery({ metadata })).toEqual({ kind: 'read', delivery })
  })

  it('is refused in another version or with a value out of its form, and says where', () => {
    const read = (delivery: object) => readDelivery({ metadata: { [DELIVERY_KEY]: delivery } })
    expect(read({ ...newDelivery(), version: 2 })).toMatchObject({ kind: 'unreadable' })
    expect(read({ ...newDelivery(), state: 'somewhere' })).toMatchObject({
      reason: expect.stringContaining('delivery.state'),
    })
    expect(read({ ...newDelivery(), ownTries: -1 })).toMatchObject({ kind: 'unreadable' })
  })

  it('stays within half of the metadata, with every field at its longest', () => {
    let delivery: DeliveryState = {
      ...newDelivery(),
      resume: ['person-review', 'repair-escalated', 'awaiting-repair'],
      commit: 'c'.repeat(64),
      refusedCommit: 'c'.repeat(64),
      findings: 'f'.repeat(80),
      request: { id: 'r'.repeat(120), expert: 'e'.repeat(80) },
      wait: { kind: 'question', until: AT, fallback: 'x'.repeat(200) },
    }
    for (let n = 0; n < 30; n++) {
      const agent = 'a'.repeat(80)
      delivery = withVerdict(delivery, {
        id: 'i'.repeat(80),
        signal: 'SEEKING_DIVINE_CLARIFICATION',
        sender: 'health-auditor',
        agent,
        commit: 'c'.repeat(64),
        at: AT,
      })
    }
    const metadata = { [DELIVERY_KEY]: delivery }
    expect(readDelivery({ metadata }).kind).toBe('read')
    expect(metadataFault('task', metadata)).toBeUndefined()
    expect(JSON.stringify(metadata).length).toBeLessThan(METADATA_BYTES_MAX / 2)
  })

  it('has the status of what it returns to, and blocks only what anybody could claim', () => {
    expect(statusOf('asking', ['queued'])).toBe('blocked')
    expect(statusOf('asking', ['audit'])).toBe('review')
    expect(statusOf('consulting', ['developing'])).toBe('active')
    expect(statusOf('consulting', ['specifying'])).toBe('pending')
    expect(statusOf('consulting', ['queued', 'remediating'])).toBe('blocked')
    expect(statusOf('asking', ['audit', 'remediating'])).toBe('review')
  })
})
