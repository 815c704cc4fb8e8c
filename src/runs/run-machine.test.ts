import { describe, expect, it } from 'vitest'
import { LIVE_STATES } from '../events/live-row.ts'
import { advance, RUN_EVENTS, type RunEvent, type RunState } from './run-machine.ts'

/** Every pair that leads somewhere; all others must lead nowhere. */
const MOVES: readonly (readonly [RunState, RunEvent, RunState])[] = [
  ['idle', 'START', 'preparing'],
  ['preparing', 'READY', 'iteration'],
  ['preparing', 'BLOCK', 'blocked'],
  ['preparing', 'FAIL', 'failed'],
  ['preparing', 'STOP', 'stopped'],
  ['iteration', 'CLAIMED', 'verification'],
  ['iteration', 'RETRY', 'iteration'],
  ['iteration', 'BLOCK', 'blocked'],
  ['iteration', 'FAIL', 'failed'],
  ['iteration', 'LIMIT', 'timed-out'],
  ['iteration', 'WAIT', 'waiting'],
  ['iteration', 'PAUSE', 'paused'],
  ['iteration', 'STOP', 'stopped'],
  ['verification', 'RETRY', 'iteration'],
  ['verification', 'ALL_PASS', 'completed'],
  ['verification', 'BLOCK', 'blocked'],
  ['verification', 'FAIL', 'failed'],
  ['verification', 'LIMIT', 'timed-out'],
  ['verification', 'PAUSE', 'paused'],
  ['verification', 'STOP', 'stopped'],
  ['waiting', 'RESUME', 'iteration'],
  ['waiting', 'BLOCK', 'blocked'],
  ['waiting', 'PAUSE', 'paused'],
  ['waiting', 'STOP', 'stopped'],
  ['paused', 'RESUME', 'iteration'],
  ['paused', 'STOP', 'stopped'],
]

describe('the machine of a run', () => {
  it('makes the moves of the table and no other', () => {
    for (const state of LIVE_STATES) {
      for (const event of RUN_EVENTS) {
        const expected = MOVES.find(([from, by]) => from === state && by === event)?.[2]
        expect(`${state} ${event} ${advance(state, event)}`).toBe(`${state} ${event} ${expected}`)
      }
    }
  })

  it('ends in completed, blocked, failed, timed-out or stopped, and each of them can be reached', () => {
    const isFinal = (state: RunState) => RUN_EVENTS.every((event) => advance(state, event) === undefined)
    expect(LIVE_STATES.filter(isFinal)).toEqual(['completed', 'blocked', 'failed', 'timed-out', 'stopped'])
    const reached = new Set<RunState>(['idle'])
    for (const from of reached) for (const [state, , to] of MOVES) if (state === from) reached.add(to)
    expect([...reached].toSorted()).toEqual([...LIVE_STATES].toSorted())
  })
})
