import { describe, expect, it } from 'vitest'
import { tagsBySpokenName } from '../signals/signal-names.ts'
import { AXIOM_SIGNAL_NAMES, SWARM_SIGNAL_NAMES } from './signal-names.ts'

describe('the names of signals', () => {
  it('give every vocabulary one name for each tag', () => {
    const axiom = tagsBySpokenName(AXIOM_SIGNAL_NAMES)
    const swarm = tagsBySpokenName(SWARM_SIGNAL_NAMES)
    expect([...swarm.values()]).toEqual([...axiom.values()])
    expect(swarm.get('NEEDS_HUMAN')).toBe('PENDING')
    expect(swarm.has('PENDING')).toBe(false)
  })
})
