import { describe, expect, it } from 'vitest'
import type { Signal } from '../signals/finding.ts'
import { parseSignals } from '../signals/signal-parser.ts'
import type { ProofOutcome } from '../verification/prove-completion.ts'
import type { CheckResult } from '../verification/run-checks.ts'
import { AXIOM_SIGNAL_NAMES } from '../vocabulary/signal-names.ts'
import { deadlineMs, decideNext, newTally, type RunTally } from './decide-next.ts'
import type { IterationResult } from './iteration-result.ts'
import type { RunLimits } from './run-limits.ts'
import { verdictOf } from './verdict.ts'
import { waitUntil } from './wait-until.ts'

const MINUTE_MS = 60_000
const LIMITS: RunLimits = {
  iterationsMax: 50,
  durationMaxMs: 30 * MINUTE_MS,
  retriesMax: 2,
  stuckIterations: 5,
  sameOutputsMax: 3,
  waitsMax: 4,
}
const START = newTally('developer', 0, 0)
const FIRST: RunTally = { ...START, iterations: 1, sameOutputs: 1, lastOutput: 'before' }

const check = (changes: Partial<CheckResult>): CheckResult => ({
  name: 'unit',
  command: 'npm test',
  environment: undefined,
  required: true,
  code: 'VERIFICATION_FAILED',
  reason: 'It ended with 1.',
  flaky: false,
  tests: undefined,
  output: 'all of it',
  outputDigest: '0',
  feedback: 'expected 2, got 3',
  durationMs: 1,
  ...changes,
})
const proven = { kind: 'proven', checks: [], empty: false } as unknown as ProofOutcome

const said = (text: string): Pick<IterationResult, 'verdict' | 'signalled'> => {
  const { signals } = parseSignals([text], { names: AXIOM_SIGNAL_NAMES, role: 'developer', task: 'task-001' })
  return { verdict: verdictOf(signals), signalled: signals.length > 0 }
}
const ended = (end: IterationResult['end'], changes: Partial<IterationResult> = {}): IterationResult => ({
  end,
  verdict: undefined,
  signalled: false,
  committed: false,
  outputDigest: 'now',
  gate: undefined,
  ...changes,
})
const well = (changes: Partial<IterationResult> = {}) => ended({ kind: 'completed' }, changes)
const complete = (gate: ProofOutcome) => well({ ...said('<axiom>COMPLETE</axiom>'), committed: true, gate })
const failed = ended({ kind: 'failed', reason: 'exit code 3', needsPerson: false })
const crashed = ended({ kind: 'crashed', reason: 'killed by SIGKILL' })
const limited = (resetAtMs?: number) => ended({ kind: 'rate-limited', reason: 'quota is spent', resetAtMs })

const decide = (tally: RunTally, result: IterationResult, nowMs = MINUTE_MS) =>
  decideNext(tally, result, LIMITS, nowMs, 0.5)

describe('what follows an iteration', () => {
  it.each<[string, RunTally, IterationResult, object]>([
    ['COMPLETE and all required checks green', START, complete(proven), { kind: 'deliver', proof: proven }],
    [
      'READY_FOR_REVIEW, which says the same',
      START,
      well({ ...said('READY_FOR_REVIEW: task-001\n'), committed: true, gate: proven }),
      { kind: 'deliver' },
    ],
    [
      'READY_FOR_REVIEW with a summary for the reviewers, and COMPLETE after it',
      START,
      well({
        ...said(
          'READY_FOR_REVIEW: task-001\n\nSummary: Expired tokens are refused.\n\n<axiom>COMPLETE</axiom>',
        ),
        committed: true,
        gate: proven,
      }),
      { kind: 'deliver', handover: { body: { summary: 'Expired tokens are refused.' } } },
    ],
    [
      'COMPLETE with a red required check',
      START,
      complete({
        kind: 'red',
        flagged: [],
        checks: [
          check({}),
          check({ name: 'style', required: false }),
          check({ name: 'fine', code: undefined }),
        ],
      }),
      {
        kind: 'iterate',
        feedback: [
          { kind: 'output', title: 'The check "unit" is red. It ended with 1.', text: 'expected 2, got 3' },
        ],
      },
    ],
    [
      'COMPLETE whose set-up fails on a fresh checkout',
      START,
      complete({ kind: 'set-up-failed', command: 'npm ci', output: 'no lockfile' }),
      { kind: 'iterate', feedback: [{ text: 'no lockfile' }] },
    ],
    [
      'COMPLETE with a dirty tree',
      START,
      complete({ kind: 'refused', faults: [{ kind: 'dirty-tree', files: ['left.txt'] }] }),
      { kind: 'iterate', feedback: [{ kind: 'finding', text: expect.stringContaining('left.txt') }] },
    ],
    [
      'COMPLETE without a commit',
      START,
      complete({ kind: 'refused', faults: [{ kind: 'no-commit' }] }),
      { kind: 'iterate', feedback: [{ text: expect.stringContaining('no commit') }] },
    ],
    ['exit 0 without a signal', START, well(), { kind: 'iterate', feedback: [], warnings: [] }],
    ['PROGRESS alone', START, well(said('<axiom>PROGRESS:40</axiom>')), { kind: 'iterate', warnings: [] }],
    [
      'BLOCKED',
      START,
      well(said('<axiom>BLOCKED:no database</axiom>')),
      { kind: 'block', reason: 'no database' },
    ],
    [
      'TASK_INCOMPLETE, which says the same',
      START,
      well(said('TASK_INCOMPLETE: task-001\n\nBlocker: no database\n')),
      { kind: 'block', reason: 'no database' },
    ],
    [
      'PENDING',
      START,
      well(said('<axiom>PENDING:which API version?</axiom>')),
      { kind: 'ask', question: { question: 'which API version?' } },
    ],
    [
      'SEEKING_DIVINE_CLARIFICATION, which says the same',
      START,
      well(
        said(
          'SEEKING_DIVINE_CLARIFICATION\n\nTask: task-001\nQuestion: which API version?\n\nContext: two are there\n\nOptions Considered:\n- v1: old\n- v2: untested\n',
        ),
      ),
      {
        kind: 'ask',
        question: {
          question: 'which API version?',
          context: 'two are there',
          options: [
            { label: 'v1', tradeOff: 'old' },
            { label: 'v2', tradeOff: 'untested' },
          ],
        },
      },
    ],
    [
      'INFRA_BLOCKED, which is a matter for delivery',
      START,
      well(said('INFRA_BLOCKED: task-001\n\nIssue: the disk is read-only\n')),
      { kind: 'refer', signal: { name: 'INFRA_BLOCKED' }, reason: expect.stringContaining('read-only') },
    ],
    [
      'an exit code other than 0, the first time',
      START,
      failed,
      { kind: 'iterate', recovery: 'exit code 3', warnings: [{ kind: 'failed-attempt' }] },
    ],
    ['the second time', { ...FIRST, failuresInRow: 1 }, failed, { kind: 'iterate' }],
    ['the third time', { ...FIRST, failuresInRow: 2 }, failed, { kind: 'fail', reason: 'exit code 3' }],
    [
      'an exit code other than 0 with COMPLETE',
      START,
      { ...failed, ...said('<axiom>COMPLETE</axiom>') },
      { kind: 'iterate', recovery: 'exit code 3' },
    ],
    [
      'a failure that only a person can end',
      START,
      ended({ kind: 'failed', reason: 'not logged in', needsPerson: true }),
      { kind: 'block', reason: 'not logged in' },
    ],
    ['a stop by the user', START, ended({ kind: 'stopped' }), { kind: 'stop' }],
    ['a crash', START, crashed, { kind: 'restart', cause: 'crashed', reason: 'killed by SIGKILL' }],
    ['a crash after two restarts', { ...START, restarts: 2 }, crashed, { kind: 'fail' }],
    ['a quota that is spent', START, limited(), { kind: 'wait', reason: 'quota is spent' }],
    ['a service that never comes back', { ...START, waitsInRow: 4 }, limited(), { kind: 'block' }],
    ['its time up while it works', START, ended({ kind: 'timed-out' }), { kind: 'time-out' }],
    ['the 50th iteration', { ...FIRST, iterations: 49 }, well(), { kind: 'time-out' }],
    ['the 50th iteration, proven', { ...FIRST, iterations: 49 }, complete(proven), { kind: 'deliver' }],
    [
      'the fifth iteration without a commit',
      { ...FIRST, iterations: 4, withoutCommit: 4 },
      well({ signalled: true }),
      { kind: 'iterate', warnings: [{ kind: 'stuck', message: '5 iterations without a commit' }] },
    ],
    ['a commit in the fifth', { ...FIRST, withoutCommit: 4 }, well({ committed: true }), { warnings: [] }],
    [
      'the same output the third time',
      { ...FIRST, lastOutput: 'now', sameOutputs: 2 },
      well({ signalled: true }),
      { kind: 'block', warning: { kind: 'loop', message: 'the same output 3 times in a row' } },
    ],
    [
      'the same output with a commit each time',
      { ...FIRST, lastOutput: 'now', sameOutputs: 2 },
      well({ committed: true }),
      { kind: 'iterate' },
    ],
    [
      'three silent iterations without a commit',
      { ...FIRST, silentInRow: 2 },
      well(),
      {
        kind: 'iterate',
        feedback: [{ title: 'A checkpoint is asked of you' }],
        warnings: [{ kind: 'silent' }],
      },
    ],
    [
      'silence after two requests',
      { ...FIRST, silentInRow: 4, unknownSignals: 2 },
      well(),
      { kind: 'restart', cause: 'silent' },
    ],
    [
      'silence after two requests and two restarts',
      { ...FIRST, silentInRow: 4, unknownSignals: 2, restarts: 2 },
      well(),
      { kind: 'time-out' },
    ],
  ])('%s', (_, tally, result, next) => {
    expect(decide(tally, result).next).toMatchObject(next)
  })

  it('is a timeout at minute 30, but for time that was waited', () => {
    expect(decide(START, well(), 30 * MINUTE_MS - 1).next.kind).toBe('iterate')
    expect(decide(START, well(), 30 * MINUTE_MS).next.kind).toBe('time-out')
    const waited = { ...START, waitedMs: 60 * MINUTE_MS }
    expect(deadlineMs(waited, LIMITS)).toBe(90 * MINUTE_MS)
    expect(decide(waited, well(), 90 * MINUTE_MS - 1).next.kind).toBe('iterate')
  })

  it('counts neither iteration nor failure when it waits, and forgets the waits after work', () => {
    const { tally } = decide({ ...FIRST, failuresInRow: 1 }, limited())
    expect(tally).toEqual({ ...FIRST, failuresInRow: 1, waitsInRow: 1 })
    expect(decide(tally, well()).tally).toMatchObject({ iterations: 2, failuresInRow: 0, waitsInRow: 0 })
  })

  it('asks a silent developer twice to speak, then replaces it', () => {
    let tally = START
    const kinds = Array.from({ length: 5 }, (_, i) => {
      const decision = decide(tally, well({ outputDigest: `words ${i}` }))
      tally = decision.tally
      const { next } = decision
      return next.kind === 'iterate' ? (next.warnings[0]?.kind ?? 'iterate') : next.kind
    })
    expect(kinds).toEqual(['iterate', 'iterate', 'silent', 'silent', 'restart'])
  })

  it('takes the verdict by priority: a question goes before a claim', () => {
    const { signals } = parseSignals(['<axiom>COMPLETE</axiom>\n<axiom>PENDING:sure?</axiom>'], {
      names: AXIOM_SIGNAL_NAMES,
    })
    expect(verdictOf(signals as Signal[])).toMatchObject({
      kind: 'question',
      question: { question: 'sure?' },
    })
  })
})

describe('how long the service is waited for', () => {
  it('doubles up to a bound, spread by chance', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 100].map((n) => waitUntil(n, undefined, 0, 1).untilMs / 1_000)
    expect(waits).toEqual([15, 30, 60, 120, 240, 480, 900, 900, 900])
    expect(waitUntil(1, undefined, 0, 0)).toEqual({ untilMs: 7_500 })
  })

  it('lasts until the reset that was named, unless that makes no sense', () => {
    const hour = 60 * MINUTE_MS
    expect(waitUntil(1, hour, 0, 0)).toEqual({ untilMs: hour, resetAtMs: hour })
    expect(waitUntil(1, hour, 0, 1)).toEqual({ untilMs: hour + 30_000, resetAtMs: hour })
    expect(waitUntil(1, hour, 2 * hour, 0)).toEqual({ untilMs: 2 * hour + 7_500 })
    expect(waitUntil(1, 24 * 365 * hour, 0, 0)).toEqual({ untilMs: 7_500 })
  })
})
