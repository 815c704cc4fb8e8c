import { describe, expect, it } from 'vitest'
import { type Permit, ProviderLimiter } from './provider-limiter.ts'

const START_MS = 1_000_000
const HALF = () => 0.5

function startNow(limiter: ProviderLimiter, nowMs: number): Permit {
  const permission = limiter.mayStart('claude', nowMs)
  if (permission.kind !== 'start') throw new Error(JSON.stringify(permission))
  return permission.permit
}

/** Starts as many as may start at this moment. */
function startAll(limiter: ProviderLimiter, nowMs: number): Permit[] {
  const permits: Permit[] = []
  for (let next = limiter.mayStart('claude', nowMs); next.kind === 'start'; ) {
    permits.push(next.permit)
    next = limiter.mayStart('claude', nowMs)
  }
  return permits
}

describe('the limiter that all agents of a provider share', () => {
  it('spreads starts over time, however many want to start', () => {
    const limiter = new ProviderLimiter(HALF)
    expect(startAll(limiter, START_MS)).toHaveLength(6)
    let started = 0
    for (let ms = 1; ms <= 10_000; ms += 1) started += startAll(limiter, START_MS + ms).length
    expect(started).toBe(40)
  })

  it('closes for everybody at the first refusal, and counts the others of the same wave with it', () => {
    const limiter = new ProviderLimiter(HALF)
    const wave = startAll(limiter, START_MS)
    for (const permit of wave) limiter.report(permit, { kind: 'refused' }, START_MS + 100)
    expect(limiter.mayStart('claude', START_MS + 100)).toEqual({ kind: 'closed', untilMs: START_MS + 2_600 })
    expect(limiter.mayStart('codex', START_MS + 100).kind).toBe('start')
    expect(limiter.stateOf('claude', START_MS + 100)).toEqual({ kind: 'spent', resetAtMs: START_MS + 2_600 })
  })

  it('lets one try after the wait, and waits twice as long when that one is refused', () => {
    const limiter = new ProviderLimiter(HALF)
    let nowMs = START_MS
    limiter.report(startNow(limiter, nowMs), { kind: 'refused' }, nowMs)
    for (const waitMs of [2_500, 5_000, 10_000, 20_000]) {
      expect(limiter.mayStart('claude', nowMs + waitMs - 1).kind).toBe('closed')
      nowMs += waitMs
      const probe = startNow(limiter, nowMs)
      expect(limiter.mayStart('claude', nowMs).kind).toBe('soon')
      limiter.report(probe, { kind: 'refused' }, nowMs)
    }
  })

  it('opens step by step when it is answered again, and forgets the refusals', () => {
    const limiter = new ProviderLimiter(HALF)
    limiter.report(startNow(limiter, START_MS), { kind: 'refused' }, START_MS)
    let nowMs = START_MS + 60_000
    for (const expected of [1, 2, 4]) {
      const permits = startAll(limiter, nowMs)
      expect(permits).toHaveLength(expected)
      limiter.report(permits[0] as Permit, { kind: 'answered' }, nowMs)
      for (const permit of permits.slice(1)) limiter.report(permit, { kind: 'unknown' }, nowMs)
      nowMs += 10_000
    }
    limiter.report(startNow(limiter, nowMs), { kind: 'refused' }, nowMs)
    expect(limiter.stateOf('claude', nowMs)).toEqual({ kind: 'spent', resetAtMs: nowMs + 2_500 })
  })

  it('sleeps until the reset that the provider names, but not for a year', () => {
    const limiter = new ProviderLimiter(HALF)
    const [first, second] = startAll(limiter, START_MS) as [Permit, Permit]
    limiter.report(first, { kind: 'refused' }, START_MS)
    limiter.report(second, { kind: 'refused', resetAtMs: START_MS + 3_600_000 }, START_MS)
    const untilMs = START_MS + 3_615_000
    expect(limiter.mayStart('claude', START_MS)).toEqual({ kind: 'closed', untilMs })
    const other = new ProviderLimiter(HALF)
    const year = 365 * 24 * 3_600_000
    other.report(startNow(other, START_MS), { kind: 'refused', resetAtMs: START_MS + year }, START_MS)
    expect(other.stateOf('claude', START_MS)).toEqual({ kind: 'spent', resetAtMs: START_MS + 2_500 })
  })

  it('does not wait for ever for the one that tries', () => {
    const limiter = new ProviderLimiter(HALF)
    limiter.report(startNow(limiter, START_MS), { kind: 'refused' }, START_MS)
    startNow(limiter, START_MS + 10_000)
    expect(limiter.mayStart('claude', START_MS + 129_999).kind).toBe('soon')
    expect(limiter.mayStart('claude', START_MS + 130_000).kind).toBe('start')
  })
})
