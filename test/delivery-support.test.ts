import { describe, expect, it } from 'vitest'
import { FILE_CONFLICTS_MAX } from '../src/delivery/delivery-context.ts'
import type { RegisteredExpert } from '../src/delivery/escalation.ts'
import { CRITERIA, DeliveryRig, LIMITS, SPEECH, TASK } from './delivery-rig.ts'

const DAYS_MS = 2 * 24 * 60 * 60_000
const LEDGER: RegisteredExpert = {
  name: 'ledger',
  supports: ['developer', 'auditor'],
  tasks: [],
  triggers: [{ role: null, when: 'a handle leaks' }],
}
const ASK_LEDGER = 'EXPERT_REQUEST\nTarget Agent: ledger\nRequest Type: decision\n'

function developing(): DeliveryRig {
  const rig = new DeliveryRig()
  rig.start()
  return rig
}

function advise(rig: DeliveryRig): void {
  const id = rig.delivery.request?.id ?? 'none'
  rig.say(`EXPERT_ADVICE: ${id}\n\nRecommendation:\nClose it.\n`, 'expert')
}

function failReview(rig: DeliveryRig, commit: string): void {
  rig.handIn(commit)
  rig.say(SPEECH.blockingReview, 'critic')
}

describe('an expert', () => {
  it('is asked by the developer, who keeps its claim and gets the advice', () => {
    const rig = developing()
    rig.over = { experts: [LEDGER] }
    const claim = rig.task.leases?.develop
    rig.say(ASK_LEDGER, 'developer')
    expect(rig.delivery).toMatchObject({ state: 'consulting', expertTries: 1, request: { expert: 'ledger' } })
    expect(rig.task.status).toBe('active')
    advise(rig)
    expect(rig.delivery).toMatchObject({ state: 'developing', resume: [], request: null })
    expect(rig.task.leases?.develop).toEqual(claim)
  })

  it('answers the request it has in hand, and no other', () => {
    const rig = developing()
    rig.over = { experts: [LEDGER] }
    rig.say(ASK_LEDGER, 'developer')
    expect(rig.say('EXPERT_ADVICE: task-001-other', 'expert')).toMatchObject({ reason: 'foreign-request' })
  })

  it('that finds nothing leaves it to the person', () => {
    const rig = developing()
    rig.over = { experts: [LEDGER] }
    rig.say(ASK_LEDGER, 'developer')
    const body = 'Question: cents or dollars?\n\nReason: the ledger has both\n'
    rig.say(`EXPERT_UNSUCCESSFUL: ${rig.delivery.request?.id}\n\n${body}`, 'expert')
    expect(rig.index.get('pend-001')?.metadata).toMatchObject({
      question: 'cents or dollars?',
      context: 'the ledger has both',
    })
    expect(rig.delivery).toMatchObject({ state: 'asking', resume: ['developing'] })
    rig.tell('ANSWERED', 'person', { text: 'do this' })
    expect(rig.delivery).toMatchObject({ state: 'developing', ownTries: 0, expertTries: 0 })
  })

  it('is asked three times, then the person is', () => {
    const rig = developing()
    rig.over = { experts: [LEDGER] }
    for (let n = 0; n < LIMITS.expertTries; n++) {
      rig.say(ASK_LEDGER, 'developer')
      advise(rig)
    }
    rig.say(ASK_LEDGER, 'developer')
    expect(rig.delivery).toMatchObject({ state: 'asking', resume: ['queued'], expertTries: 3 })
    expect(rig.task.status).toBe('blocked')
  })

  it('is called by the ladder after three refusals of the work, where one fits', () => {
    const rig = developing()
    rig.over = { experts: [LEDGER], limits: { ...LIMITS, reviewRounds: 20 } }
    failReview(rig, 'c1')
    failReview(rig, 'c2')
    expect(rig.delivery.state).toBe('developing')
    failReview(rig, 'c3')
    expect(rig.delivery).toMatchObject({ state: 'consulting', resume: ['developing'], ownTries: 3 })
    advise(rig)
    for (const commit of ['c4', 'c5']) {
      failReview(rig, commit)
      advise(rig)
    }
    failReview(rig, 'c6')
    expect(rig.delivery).toMatchObject({ state: 'asking', resume: ['developing'], expertTries: 3 })
  })

  it('that fits nowhere means six own tries before the person', () => {
    const rig = developing()
    rig.over = { limits: { ...LIMITS, reviewRounds: 20 } }
    for (let n = 1; n <= 5; n++) failReview(rig, `c${n}`)
    expect(rig.delivery).toMatchObject({ state: 'developing', ownTries: 5 })
    failReview(rig, 'c6')
    expect(rig.delivery.state).toBe('asking')
  })

  it('that is silent is asked again, as one more try', () => {
    const rig = developing()
    rig.over = { experts: [LEDGER] }
    rig.say(ASK_LEDGER, 'developer')
    const first = rig.delivery.request?.id
    rig.sleep(DAYS_MS)
    rig.tell('WAIT_ENDED', 'director')
    expect(rig.delivery).toMatchObject({ state: 'consulting', expertTries: 2 })
    expect(rig.delivery.request?.id).not.toBe(first)
  })
})

describe('a question', () => {
  it.each([
    '<axiom>PENDING:which port?</axiom>',
    `SEEKING_DIVINE_CLARIFICATION\n\nTask: ${TASK}\nQuestion: which port?\n`,
    `TASK_INCOMPLETE: ${TASK}\n\nNeeded: which port?\n`,
    '<axiom>BLOCKED:which port?</axiom>',
  ])('blocks the task, frees its claim and waits in one place: %s', (text) => {
    const rig = developing()
    rig.say(text, 'developer')
    expect(rig.task.status).toBe('blocked')
    expect(rig.task.leases).toBeUndefined()
    expect(rig.index.get('pend-001')).toMatchObject({ content: 'which port?', parentId: 'op-001' })
    expect(rig.delivery.hadStop).toBe(true)
    rig.tell('ANSWERED', 'person', { text: '4717' })
    expect(rig.task.status).toBe('pending')
    expect(rig.delivery.state).toBe('queued')
  })

  it('takes its standing answer when its time is up, and without one goes on waiting', () => {
    const rig = developing()
    rig.say('<axiom>PENDING:which port?</axiom>', 'developer')
    rig.sleep(DAYS_MS)
    rig.tell('WAIT_ENDED', 'director')
    expect(rig.delivery.state).toBe('asking')
    expect(rig.index.get('pend-002')).toBeUndefined()
    rig.tell('ANSWERED', 'person')
    rig.start()
    rig.over = { fallback: '80' }
    rig.say('<axiom>PENDING:which port?</axiom>', 'developer')
    rig.sleep(DAYS_MS)
    rig.tell('WAIT_ENDED', 'director')
    expect(rig.delivery.state).toBe('queued')
  })
})

describe('a repair', () => {
  const REPORT = `INFRA_BLOCKED: ${TASK}\n\nIssue: the database is gone\n`

  it('holds new work until the health auditor and AXIOM see green', () => {
    const rig = developing()
    rig.say(REPORT, 'developer')
    expect(rig.delivery).toMatchObject({ state: 'remediating', repairAttempts: 1 })
    expect(rig.task.leases).toHaveProperty('remediate')
    rig.say('REMEDIATION_COMPLETE', 'remediator', { commit: 'fix' })
    expect(rig.delivery).toMatchObject({ state: 'health-check', repairCommit: 'fix' })
    rig.over = { checksGreen: false }
    rig.say('HEALTH_AUDIT: HEALTHY', 'health-auditor')
    expect(rig.delivery).toMatchObject({ state: 'remediating', repairAttempts: 2 })
    rig.over = {}
    rig.say('REMEDIATION_COMPLETE', 'remediator')
    rig.say('HEALTH_AUDIT: HEALTHY', 'health-auditor')
    expect(rig.delivery).toMatchObject({ state: 'queued', repairAttempts: 0 })
    expect(rig.task.status).toBe('pending')
  })

  it('that changed the code lands before anybody goes on', () => {
    const rig = developing()
    rig.say(REPORT, 'developer')
    rig.say('REMEDIATION_COMPLETE', 'remediator', { commit: 'r1' })
    expect(rig.delivery).toMatchObject({ state: 'health-check', repairCommit: 'r1' })
    rig.say('HEALTH_AUDIT: HEALTHY', 'health-auditor')
    expect(rig.delivery).toMatchObject({ state: 'repair-landing', repairCommit: 'r1' })
    expect(rig.tell('LANDED', 'director', { commit: 'other' })).toMatchObject({ reason: 'foreign-commit' })
    rig.tell('LANDING_FAILED', 'director', { commit: 'r1', text: 'a conflict' })
    expect(rig.delivery).toMatchObject({ state: 'remediating', repairAttempts: 2, repairCommit: null })
    expect(rig.delivery.rounds.landing).toBe(0)
    rig.say('REMEDIATION_COMPLETE', 'remediator', { commit: 'r2' })
    rig.say('HEALTH_AUDIT: HEALTHY', 'health-auditor')
    rig.tell('LANDED', 'director', { commit: 'r2' })
    expect(rig.delivery).toMatchObject({ state: 'queued', repairCommit: null, repairAttempts: 0 })
    expect(rig.findings.filter(({ kind }) => kind === 'repair').map(({ text }) => text)).toEqual([
      expect.stringContaining('Attempt 1 (r1)'),
      expect.stringContaining('could not land:\na conflict'),
      expect.stringContaining('Attempt 2 (r2)'),
    ])
  })

  it('brings an audit back to the same commit', () => {
    const rig = developing()
    rig.handIn('c1')
    rig.say(`REVIEW_PASSED: ${TASK}`, 'critic')
    rig.say(`AUDIT_BLOCKED: ${TASK}`, 'auditor')
    expect(rig.task.status).toBe('review')
    rig.say('REMEDIATION_COMPLETE', 'remediator')
    rig.say('HEALTH_AUDIT: HEALTHY', 'health-auditor')
    expect(rig.delivery).toMatchObject({ state: 'audit', commit: 'c1' })
  })

  it('that changed the code sends an interrupted audit back to its developer, under the same claim', () => {
    const rig = developing()
    rig.handIn('c1')
    const claim = rig.task.leases?.develop
    rig.say(`REVIEW_PASSED: ${TASK}`, 'critic')
    rig.say(`AUDIT_BLOCKED: ${TASK}`, 'auditor')
    rig.say('REMEDIATION_COMPLETE', 'remediator', { commit: 'r1' })
    rig.say('HEALTH_AUDIT: HEALTHY', 'health-auditor')
    rig.tell('LANDED', 'director')
    expect(rig.delivery).toMatchObject({ state: 'developing', resume: [], commit: null, refusedCommit: 'c1' })
    expect(rig.task).toMatchObject({ status: 'active', leases: { develop: claim } })
    expect(rig.delivery.rounds).toMatchObject({ review: 0, audit: 0 })
    rig.handIn('c2')
    expect(rig.delivery.state).toBe('critique')
  })

  it.each([
    ['RETRY', 'remediating'],
    ['OVERRIDE', 'queued'],
    ['HALT', 'halted'],
  ] as const)('that fails ten times is put before the person, who says %s', (answer, state) => {
    const rig = developing()
    rig.say(REPORT, 'developer')
    for (let attempt = 1; attempt <= LIMITS.remediationAttempts; attempt++) {
      expect(rig.delivery).toMatchObject({ state: 'remediating', repairAttempts: attempt })
      rig.say('REMEDIATION_COMPLETE', 'remediator')
      rig.say('HEALTH_AUDIT: UNHEALTHY', 'health-auditor')
    }
    expect(rig.delivery.state).toBe('repair-escalated')
    expect(rig.index.get('pend-001')?.metadata.options).toHaveLength(3)
    rig.tell(answer, 'person')
    expect(rig.delivery.state).toBe(state)
    if (answer === 'RETRY') expect(rig.delivery.repairAttempts).toBe(1)
  })

  it('that another task leads is waited for', () => {
    const rig = developing()
    rig.over = { repairLedBy: 'task-009' }
    rig.say(REPORT, 'developer')
    expect(rig.delivery).toMatchObject({ state: 'awaiting-repair', resume: ['queued'] })
    expect(rig.states).not.toContain('remediating')
    rig.tell('REPAIRED', 'director')
    expect(rig.delivery.state).toBe('queued')
  })
})

describe('an underspecified task', () => {
  const expand = (confidence: string, criterion: string) =>
    `EXPANDED_TASK_SPECIFICATION: ${TASK}\nConfidence: ${confidence}\n\nAcceptance Criteria:\n- [ ] ${criterion}\n`

  function specifying(): DeliveryRig {
    const rig = new DeliveryRig([])
    rig.tell('UNDERSPECIFIED', 'director')
    return rig
  }

  it('comes back from the analyst with criteria that can be tested', () => {
    const rig = specifying()
    expect(rig.task.leases).toHaveProperty('plan')
    rig.say(expand('HIGH', CRITERIA[0] ?? ''), 'analyst')
    expect(rig.task.metadata.acceptanceCriteria).toEqual([CRITERIA[0]])
    expect(rig.delivery.state).toBe('queued')
    expect(rig.task.leases).toBeUndefined()
  })

  it('becomes a question when the analyst is not sure', () => {
    const rig = specifying()
    rig.say(expand('LOW', CRITERIA[0] ?? ''), 'analyst')
    expect(rig.delivery).toMatchObject({ state: 'asking', resume: ['specifying'] })
    expect(rig.task.status).toBe('blocked')
    // The person sees what the analyst would have proposed.
    expect(rig.index.get('pend-001')?.metadata.context).toContain(CRITERIA[0])
    expect(rig.task.metadata.acceptanceCriteria).toEqual([])
  })

  it('goes back to the analyst while its criteria are wishes, and then to the person', () => {
    const rig = specifying()
    for (let n = 0; n < 5; n++) rig.say(expand('HIGH', 'it is nice'), 'analyst')
    expect(rig.delivery.state).toBe('specifying')
    rig.say(expand('HIGH', 'it is nice'), 'analyst')
    expect(rig.delivery.state).toBe('asking')
  })
})

describe('a file in other hands', () => {
  const conflict = (canWait: string) => `FILE CONFLICT: src/a.ts\n\nCan Wait: ${canWait}\n`

  it('is waited for under the same claim, up to a deadline', () => {
    const rig = developing()
    rig.say(conflict('YES'), 'developer')
    expect(rig.delivery).toMatchObject({
      state: 'file-waiting',
      wait: { kind: 'file' },
      file: { path: 'src/a.ts' },
    })
    expect(rig.task.leases).toHaveProperty('develop')
    rig.tell('FILE_FREE', 'director')
    expect(rig.delivery.state).toBe('developing')
    rig.say(conflict('YES'), 'developer')
    rig.sleep(DAYS_MS / 4)
    rig.tell('WAIT_ENDED', 'director')
    expect(rig.delivery.state).toBe('developing')
    expect(rig.findings.at(-1)).toMatchObject({ kind: 'remark', to: 'developer' })
  })

  it('that cannot wait is coordinated, and not for ever', () => {
    const rig = developing()
    for (let n = 0; n < FILE_CONFLICTS_MAX; n++) rig.say(conflict('NO'), 'developer')
    expect(rig.delivery.state).toBe('developing')
    expect(rig.findings.at(-1)).toMatchObject({ kind: 'remark', to: 'developer' })
    rig.say(conflict('NO'), 'developer')
    expect(rig.delivery.state).toBe('asking')
  })
})

describe('the person', () => {
  function audited(mode: 'per-task' | 'batch', stop: boolean): DeliveryRig {
    const rig = developing()
    rig.over = { limits: { ...LIMITS, defaultMode: mode } }
    if (stop) {
      rig.say('<axiom>PENDING:which port?</axiom>', 'developer')
      rig.tell('ANSWERED', 'person')
      rig.start()
    }
    rig.handIn('c1')
    rig.say(`REVIEW_PASSED: ${TASK}`, 'critic')
    rig.say(SPEECH.passedAudit, 'auditor')
    rig.tell('CONFIRMED', 'director')
    return rig
  }

  it('is asked where the mode says so, or where there was a stop on the way', () => {
    expect(audited('per-task', false).delivery.state).toBe('person-review')
    expect(audited('batch', false).delivery.state).toBe('integrating')
    expect(audited('batch', true).delivery.state).toBe('person-review')
  })

  it('approves the commit seen, or sends it back with words', () => {
    const rig = audited('per-task', false)
    expect(rig.tell('APPROVED', 'person', { commit: 'c0' })).toMatchObject({ reason: 'foreign-commit' })
    rig.tell('CHANGES_REQUESTED', 'person', { text: 'rename it' })
    expect(rig.delivery).toMatchObject({ state: 'developing', ownTries: 0, rounds: { person: 1 } })
    expect(rig.complaints.map(({ text }) => text)).toEqual(['rename it'])
  })
})
