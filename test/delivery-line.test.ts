import { describe, expect, it } from 'vitest'
import { digestOf } from '../src/delivery/advance.ts'
import { LANDING_ROUNDS_MAX, LOSSES_MAX } from '../src/delivery/delivery-context.ts'
import { CRITERIA, DeliveryRig, LIMITS, SPEECH, TASK } from './delivery-rig.ts'

const HOUR_MS = 60 * 60_000

function inCritique(commit = 'c1'): DeliveryRig {
  const rig = new DeliveryRig()
  rig.start()
  rig.handIn(commit)
  return rig
}

function inAudit(commit = 'c1'): DeliveryRig {
  const rig = inCritique(commit)
  rig.say(`REVIEW_PASSED: ${TASK}`, 'critic')
  return rig
}

function expectRefused(rig: DeliveryRig, act: () => { kind: string; reason?: string }, reason: string): void {
  const before = JSON.stringify([...rig.index.all()])
  expect(act()).toMatchObject({ kind: 'refused', reason })
  expect(JSON.stringify([...rig.index.all()])).toBe(before)
}

describe('the line', () => {
  it('goes from the developer by critic, auditor and confirmation to the target', () => {
    const rig = inAudit()
    expect(rig.delivery).toMatchObject({ state: 'audit', commit: 'c1' })
    expect(Object.keys(rig.task.leases ?? {})).toEqual(['develop', 'audit'])
    rig.say(SPEECH.passedAudit, 'auditor')
    rig.tell('CONFIRMED', 'director')
    rig.tell('LANDED', 'director')
    expect(rig.delivery.state).toBe('landed')
    expect(rig.task.status).toBe('done')
    expect(rig.states).toEqual(['developing', 'critique', 'audit', 'confirming', 'integrating', 'landed'])
  })

  it('takes an agent that only speaks tags the same way', () => {
    const rig = new DeliveryRig()
    rig.start()
    rig.say('<axiom>COMPLETE</axiom>', 'developer', { commit: 'c1' })
    expect(rig.delivery).toMatchObject({ state: 'critique', commit: 'c1' })
  })
})

describe('rework', () => {
  it('goes to the same developer under the same claim, with every finding so far', () => {
    const rig = inCritique()
    const claim = rig.task.leases?.develop
    rig.say(SPEECH.blockingReview, 'critic')
    expect(rig.delivery.state).toBe('developing')
    expect(rig.task.status).toBe('active')
    expect(rig.task.leases).toEqual({ develop: claim })
    rig.handIn('c2')
    rig.say(`REVIEW_PASSED: ${TASK}`, 'critic')
    rig.say(SPEECH.failedAudit, 'auditor')
    expect(rig.complaints.map(({ text, commit }) => [text, commit])).toEqual([
      ['the handle leaks', 'c1'],
      [`${CRITERIA[1]}: got 500`, 'c2'],
    ])
    expect(rig.delivery.findings).toBe(digestOf(rig.findings))
    expect(rig.task.leases).toEqual({ develop: claim })
  })

  it.each([
    ['review', SPEECH.blockingReview, LIMITS.reviewRounds],
    ['audit', SPEECH.failedAudit, LIMITS.auditRounds],
  ] as const)('is refused three times by %s, then the task fails and a person is told', (kind, text, cap) => {
    const rig = new DeliveryRig()
    rig.start()
    for (let round = 1; round <= cap; round++) {
      expect(rig.delivery.state).toBe('developing')
      rig.handIn(`c${round}`)
      if (kind === 'audit') rig.say(`REVIEW_PASSED: ${TASK}`, 'critic')
      rig.say(text, kind === 'audit' ? 'auditor' : 'critic')
    }
    expect(rig.delivery).toMatchObject({ state: 'failed', rounds: { [kind]: cap } })
    expect(rig.task.status).toBe('failed')
    expect(rig.index.get('pend-001')?.metadata.waitingTask).toBe(TASK)
    rig.tell('RETRY', 'person')
    expect(rig.task.status).toBe('pending')
    expect(rig.delivery).toMatchObject({ state: 'queued', rounds: { [kind]: 0 } })
  })

  it('does not take the refused commit again', () => {
    const rig = inCritique()
    rig.say(SPEECH.blockingReview, 'critic')
    rig.handIn('c1')
    expect(rig.delivery).toMatchObject({ state: 'developing', ownTries: 2 })
    for (let n = 0; n < 4; n++) rig.handIn('c1')
    expect(rig.delivery.state).toBe('asking')
    expect(rig.task.status).toBe('blocked')
  })

  it('follows a landing that failed, and not for ever', () => {
    const rig = new DeliveryRig()
    rig.start()
    for (let round = 1; round <= LANDING_ROUNDS_MAX; round++) {
      rig.handIn(`c${round}`)
      rig.say(`REVIEW_PASSED: ${TASK}`, 'critic')
      rig.say(SPEECH.passedAudit, 'auditor')
      rig.tell('CONFIRMED', 'director')
      rig.tell('LANDING_FAILED', 'director', { text: 'red after merging' })
    }
    expect(rig.delivery.state).toBe('failed')
    expect(rig.complaints.map(({ text }) => text)).toEqual(Array(3).fill('red after merging'))
  })
})

describe('the review contract', () => {
  it('lets a failed review pass with notes when nothing in it blocks, and makes a draft of the rest', () => {
    const rig = inCritique()
    rig.say(SPEECH.asideReview, 'critic')
    expect(rig.delivery).toMatchObject({ state: 'audit', commit: 'c1', ownTries: 0, rounds: { review: 0 } })
    expect(rig.index.get('draft-001')).toMatchObject({
      parentId: 'dir-001',
      content: 'src/old.ts:3: an old wound',
      metadata: { sourceTaskId: TASK },
    })
  })

  it.each([
    [
      'whose issues stand above the verdict',
      `Issues Found:\n- src/health.ts:12: it leaks\n\nREVIEW_FAILED: ${TASK}\n`,
    ],
    ['whose issues have no label', `REVIEW_FAILED: ${TASK}\n\n- src/health.ts:12: it leaks\n`],
    ['that is nothing but a verdict', `REVIEW_FAILED: ${TASK}`],
    ['that calls its issues none', `REVIEW_FAILED: ${TASK}\n\nIssues Found: none\n`],
  ])('never lets a failed review pass %s', (_, text) => {
    const rig = inCritique()
    rig.say(text, 'critic')
    expect(rig.delivery).toMatchObject({ state: 'developing', rounds: { review: 1 } })
    expect(rig.complaints).toHaveLength(1)
  })

  it.each([
    ['that passes without evidence', SPEECH.halfAudit],
    ['that fails without a finding that counts', SPEECH.emptyAudit],
  ])('asks an auditor %s once more, then another, then the person', (_, text) => {
    const rig = inAudit()
    const first = rig.task.leases?.audit?.holder
    rig.say(text, 'auditor')
    expect(rig.delivery.state).toBe('audit')
    expect(rig.task.leases?.audit?.holder).toBe(first)
    rig.say(text, 'auditor')
    expect(rig.delivery.state).toBe('audit')
    expect(rig.task.leases?.audit?.holder).not.toBe(first)
    rig.say(text, 'auditor')
    expect(rig.delivery).toMatchObject({ state: 'asking', resume: ['audit'], commit: 'c1' })
    expect(rig.delivery.rounds.audit).toBe(0)
    rig.tell('ANSWERED', 'person', { text: 'audit it again' })
    rig.say(SPEECH.passedAudit, 'auditor')
    expect(rig.delivery.state).toBe('confirming')
  })

  it('sends an audit back whose commands fail for AXIOM', () => {
    const rig = inAudit()
    rig.say(SPEECH.passedAudit, 'auditor')
    rig.tell('REFUTED', 'director', { text: 'npm test exits 1' })
    expect(rig.delivery).toMatchObject({ state: 'audit', auditorFaults: 1, commit: 'c1' })
  })
})

describe('a word that does not count', () => {
  it('is late: its lease is gone', () => {
    const rig = inCritique()
    const fence = rig.task.leases?.critique?.fence ?? null
    rig.tell('AGENT_LOST', 'director')
    expectRefused(rig, () => rig.say(`REVIEW_PASSED: ${TASK}`, 'critic', { fence }), 'stale-fence')
    expectRefused(rig, () => rig.say(`REVIEW_PASSED: ${TASK}`, 'critic', { fence: null }), 'stale-fence')
  })

  it('is about another commit, or another task', () => {
    const rig = inCritique()
    expectRefused(rig, () => rig.say(`REVIEW_PASSED: ${TASK}`, 'critic', { commit: 'c0' }), 'foreign-commit')
    expectRefused(rig, () => rig.say('REVIEW_PASSED: task-999', 'critic'), 'foreign-task')
  })

  it('is said twice', () => {
    const rig = inAudit()
    rig.say(SPEECH.halfAudit, 'auditor', { id: 'same' })
    expectRefused(rig, () => rig.say(SPEECH.halfAudit, 'auditor', { id: 'same' }), 'duplicate')
  })

  it('comes out of order, or from one who may not say it', () => {
    const rig = inCritique()
    expectRefused(rig, () => rig.say(SPEECH.passedAudit, 'auditor'), 'undefined-here')
    expectRefused(rig, () => rig.say(`REVIEW_PASSED: ${TASK}`, 'developer'), 'undefined-here')
    expectRefused(rig, () => rig.tell('LANDED', 'critic'), 'undefined-here')
    expectRefused(rig, () => rig.tell('APPROVED', 'person'), 'undefined-here')
  })

  it('is a deadline that has not come', () => {
    const rig = inCritique()
    expectRefused(rig, () => rig.tell('WAIT_ENDED', 'director'), 'not-yet')
    rig.tell('CHECKPOINT_ASKED', 'director')
    expectRefused(rig, () => rig.tell('WAIT_ENDED', 'director'), 'not-yet')
  })
})

describe('a checkpoint', () => {
  it('is answered with progress, or ends in another agent and at last in a question', () => {
    const rig = inCritique()
    rig.tell('CHECKPOINT_ASKED', 'director')
    rig.say(`CHECKPOINT: ${TASK}\n\nProgress: half`, 'critic')
    expect(rig.delivery.wait).toBeNull()
    for (let n = 0; n < LOSSES_MAX; n++) {
      expect(rig.delivery.state).toBe('critique')
      rig.tell('CHECKPOINT_ASKED', 'director')
      rig.sleep(HOUR_MS)
      rig.tell('WAIT_ENDED', 'director')
    }
    expect(rig.delivery).toMatchObject({ state: 'asking', resume: ['critique'] })
  })

  it('unanswered by a developer is a timeout', () => {
    const rig = new DeliveryRig()
    rig.start()
    rig.tell('CHECKPOINT_ASKED', 'director')
    rig.sleep(HOUR_MS)
    rig.tell('WAIT_ENDED', 'director')
    expect(rig.task.status).toBe('timeout')
  })
})
