import type { LiveState } from '../events/live-row.ts'

/** The state of one run. `iteration`, `verification` and `waiting` are the three ways of executing. */
export type RunState = LiveState

export const RUN_EVENTS = [
  'START',
  'READY',
  /** The agent claims to be done. */
  'CLAIMED',
  /** Another iteration: there was no signal, or a check is red. */
  'RETRY',
  'ALL_PASS',
  'BLOCK',
  'FAIL',
  'LIMIT',
  /** The model's service asks for a wait. */
  'WAIT',
  'PAUSE',
  'RESUME',
  'STOP',
] as const
export type RunEvent = (typeof RUN_EVENTS)[number]

type Row = Readonly<Partial<Record<RunEvent, RunState>>>

/** Every possible transition; anything else is impossible. Final states have an empty row. */
export const RUN_TABLE: Readonly<Record<RunState, Row>> = {
  idle: { START: 'preparing' },
  preparing: { READY: 'iteration', BLOCK: 'blocked', FAIL: 'failed', STOP: 'stopped' },
  iteration: {
    CLAIMED: 'verification',
    RETRY: 'iteration',
    BLOCK: 'blocked',
    FAIL: 'failed',
    LIMIT: 'timed-out',
    WAIT: 'waiting',
    PAUSE: 'paused',
    STOP: 'stopped',
  },
  verification: {
    RETRY: 'iteration',
    ALL_PASS: 'completed',
    BLOCK: 'blocked',
    FAIL: 'failed',
    LIMIT: 'timed-out',
    PAUSE: 'paused',
    STOP: 'stopped',
  },
  waiting: { RESUME: 'iteration', BLOCK: 'blocked', PAUSE: 'paused', STOP: 'stopped' },
  paused: { RESUME: 'iteration', STOP: 'stopped' },
  completed: {},
  blocked: {},
  failed: {},
  'timed-out': {},
  stopped: {},
}

export function advance(state: RunState, event: RunEvent): RunState | undefined {
  return RUN_TABLE[state][event]
}
