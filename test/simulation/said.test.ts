import { describe, expect, it } from 'vitest'
import { DELIVERY_STATES } from '../../src/delivery/delivery-state.ts'
import { movesFor } from '../../src/delivery/delivery-table.ts'
import { DELIVERY_SIGNALS, lineOf, type Sender } from '../../src/delivery/occurrence.ts'
import { ROLES } from '../../src/signals/definition.ts'
import { isWord, type Said, sayInState } from './said.ts'

const SENDERS: readonly Sender[] = [...ROLES, 'person']

/** Every row of the table, the tags under the lines that they equal. */
const ROWS: readonly Said[] = DELIVERY_STATES.flatMap((state) =>
  DELIVERY_SIGNALS.flatMap((signal) =>
    SENDERS.filter((sender) => {
      if (movesFor(state, signal, sender) === undefined) return false
      return lineOf(signal) === signal || movesFor(state, lineOf(signal), sender) === undefined
    }).map((sender) => ({ state, signal, sender })),
  ),
)

describe('the table of delivery', () => {
  it('has no row for a word that nobody says: a director, an agent or a person says each of them', async () => {
    const unsaid: string[] = []
    for (const row of ROWS) {
      const reasons = await sayInState(row)
      if (!reasons.some((reason) => isWord(reason, row)))
        unsaid.push(`${row.state}: ${row.signal} by ${row.sender} [${reasons.slice(0, 3).join('; ')}]`)
    }
    expect(unsaid).toEqual([])
    expect(ROWS.length).toBeGreaterThan(80)
  }, 600_000)
})

describe('a reviewer that is silent', () => {
  const passes: Said = { state: 'critique', signal: 'REVIEW_PASSED', sender: 'critic' }

  it('and was asked for a sign is counted as lost when its director dies; any other is simply followed', async () => {
    const [lost, followed] = new Set(await sayInState({ ...passes, isAsked: true }))
    expect(lost).toBe('AGENT_LOST by director: critique → critique')
    expect(followed).toContain('REVIEW_PASSED by critic')
    const [first] = await sayInState(passes)
    expect(first).toContain('REVIEW_PASSED by critic')
  })
})
