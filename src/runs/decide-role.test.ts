import { describe, expect, it } from 'vitest'
import { parseSignals } from '../signals/signal-parser.ts'
import { decideRole, newRoleTally, type RoleResult, type RoleTally } from './decide-role.ts'
import type { RunLimits } from './run-limits.ts'

const LIMITS: RunLimits = {
  iterationsMax: 10,
  durationMaxMs: 60_000,
  retriesMax: 2,
  stuckIterations: 5,
  sameOutputsMax: 3,
  waitsMax: 2,
}
const SAID =
  parseSignals(['REVIEW_PASSED: task-001'], { names: { tag: 'axiom', names: {} } }).signals[0] ?? null
const SILENT: RoleResult = { end: { kind: 'completed' }, said: null, objections: [] }
const FAILED: RoleResult = {
  ...SILENT,
  end: { kind: 'failed', reason: 'exit code 3', needsPerson: false },
}

/** The kinds of what follows each of these results, and the last of them whole. */
function play(results: readonly RoleResult[], nowMs = 0) {
  let tally: RoleTally = newRoleTally('critic', 0)
  const nexts = results.map((result) => {
    const decision = decideRole(tally, result, LIMITS, nowMs, 0.5)
    tally = decision.tally
    return decision.next
  })
  return { kinds: nexts.map(({ kind }) => kind), last: nexts.at(-1), tally }
}

describe('an agent that owes a word', () => {
  it('ends with it', () => {
    expect(play([{ ...SILENT, said: SAID }]).last).toMatchObject({
      kind: 'end',
      end: { kind: 'spoke', signal: { name: 'REVIEW_PASSED' } },
    })
  })

  it('is asked twice when it gives none, then lost', () => {
    const { kinds, last } = play([SILENT, SILENT, SILENT])
    expect(kinds).toEqual(['iterate', 'iterate', 'end'])
    expect(last).toMatchObject({ end: { kind: 'lost', cause: 'silent' } })
  })

  it('is told what speaks against its word, and lost when that does not change', () => {
    const feedback = { kind: 'finding' as const, title: 't', origin: 'o', text: 'x' }
    const refused = { ...SILENT, said: SAID, objections: [feedback] }
    expect(play([refused]).last).toMatchObject({ kind: 'iterate', feedback: [feedback] })
    expect(play([refused, refused, refused]).last).toMatchObject({ end: { kind: 'lost' } })
  })

  it('does not count words of a process that failed, and has as many retries as runs have', () => {
    const { kinds, last } = play([{ ...FAILED, said: SAID }, FAILED, FAILED])
    expect(kinds).toEqual(['iterate', 'iterate', 'end'])
    expect(last).toMatchObject({ end: { kind: 'lost', cause: 'failed', reason: 'exit code 3' } })
  })

  it('waits when the service asks for it, without that counting', () => {
    const limited: RoleResult = {
      ...SILENT,
      end: { kind: 'rate-limited', reason: 'busy', resetAtMs: undefined },
    }
    const { kinds, tally } = play([limited, limited, limited])
    expect(kinds).toEqual(['wait', 'wait', 'end'])
    expect(tally.iterations).toBe(0)
  })

  it.each([
    ['crashed', { kind: 'crashed', reason: 'signal 9' }],
    ['timed-out', { kind: 'timed-out' }],
  ] as const)('is lost when it %s', (cause, end) => {
    expect(play([{ ...SILENT, end }]).last).toMatchObject({ end: { kind: 'lost', cause } })
  })

  it('is lost when its time or its iterations are over', () => {
    expect(play([SILENT], 60_000).last).toMatchObject({ end: { kind: 'lost', cause: 'timed-out' } })
    expect(play([{ ...SILENT, end: { kind: 'stopped' } }]).last).toEqual({
      kind: 'end',
      end: { kind: 'stopped' },
    })
  })
})
