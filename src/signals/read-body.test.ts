import { describe, expect, it } from 'vitest'
import { REGISTRY } from './registry.ts'
import { parseSignals } from './signal-parser.ts'

const NAMES = { tag: 'axiom', names: {} }

/** Every line signal, filled in as an agent would, and the typed body it must give. */
const FORMATS: Record<string, [text: string, body: unknown]> = {
  READY_FOR_REVIEW: [
    `READY_FOR_REVIEW: task-042

Files Modified:
- src/auth/login.ts: reject expired tokens
- src/auth/token.ts: expose \`isExpired\`

Tests Written:
- test/auth/login.test.ts: expired, missing and forged tokens

Verification Results (self-verified):
- npm test: PASS (node 20)
- lint: PASS (local)

Summary: Expired tokens are refused with 401.`,
    {
      filesModified: [
        { path: 'src/auth/login.ts', description: 'reject expired tokens' },
        { path: 'src/auth/token.ts', description: 'expose `isExpired`' },
      ],
      testsWritten: [{ path: 'test/auth/login.test.ts', description: 'expired, missing and forged tokens' }],
      verification: [check('npm test', 'node 20', 'PASS'), check('lint', 'local', 'PASS')],
      summary: 'Expired tokens are refused with 401.',
    },
  ],
  TASK_INCOMPLETE: [
    `TASK_INCOMPLETE: task-042

Blocker: the payment sandbox has no credentials
Attempted: ran the flow against the recorded fixtures
Needed: a key for the sandbox, or leave to mock it`,
    {
      blocker: 'the payment sandbox has no credentials',
      attempted: 'ran the flow against the recorded fixtures',
      needed: 'a key for the sandbox, or leave to mock it',
    },
  ],
  INFRA_BLOCKED: [
    `INFRA_BLOCKED: task-042

Issue: the database does not start
Command: docker compose up -d db
Output:
\`\`\`
Error: port 5432 is taken

exit status 1
\`\`\`
Environment: ci-linux`,
    {
      issue: 'the database does not start',
      command: 'docker compose up -d db',
      output: 'Error: port 5432 is taken\n\nexit status 1',
      environment: 'ci-linux',
    },
  ],
  AUDIT_PASSED: [
    `AUDIT_PASSED: task-042

Verification Results:
- Expired token gives 401: VERIFIED - test "refuses expired" and curl
- Log names the user: VERIFIED - log line 12

Commands Executed:
- npm test (node 20): PASS
- npm run lint (node 22): PASS

Summary: Both criteria hold.`,
    {
      criteria: [
        {
          criterion: 'Expired token gives 401',
          verdict: 'VERIFIED',
          evidence: 'test "refuses expired" and curl',
        },
        { criterion: 'Log names the user', verdict: 'VERIFIED', evidence: 'log line 12' },
      ],
      commands: [check('npm test', 'node 20', 'PASS'), check('npm run lint', 'node 22', 'PASS')],
      summary: 'Both criteria hold.',
    },
  ],
  AUDIT_FAILED: [
    `AUDIT_FAILED: task-042

Failed Criteria:
- Log names the user: FAILED - the id is logged, not the name

Issues Found:
- src/auth/login.ts:88: logs user.id
- src/auth/login.ts:90-94: swallows the error

Required Fixes:
- log user.name

Passing Criteria:
- Expired token gives 401`,
    {
      failedCriteria: [
        { criterion: 'Log names the user', verdict: 'FAILED', evidence: 'the id is logged, not the name' },
      ],
      issues: [
        { file: 'src/auth/login.ts', line: 88, issue: 'logs user.id' },
        { file: 'src/auth/login.ts', line: 90, issue: 'swallows the error' },
      ],
      requiredFixes: ['log user.name'],
      passingCriteria: ['Expired token gives 401'],
    },
  ],
  AUDIT_BLOCKED: [
    `AUDIT_BLOCKED: task-042

Pre-existing Failures:
- test/billing.test.ts fails on main too

Cannot proceed with audit until infrastructure is fixed.`,
    {
      preexistingFailures: ['test/billing.test.ts fails on main too'],
      notes: 'Cannot proceed with audit until infrastructure is fixed.',
    },
  ],
  REVIEW_PASSED: [
    `REVIEW_PASSED: task-042

Files Reviewed:
- src/auth/login.ts
- \`src/auth/token.ts\`

Quality Assessment:
- Code style: COMPLIANT
- Error handling: ADEQUATE
- Naming: CONSISTENT
- Architecture: ALIGNED

Summary: Small and well tested.`,
    {
      filesReviewed: ['src/auth/login.ts', 'src/auth/token.ts'],
      assessment: [
        { subject: 'Code style', detail: 'COMPLIANT' },
        { subject: 'Error handling', detail: 'ADEQUATE' },
        { subject: 'Naming', detail: 'CONSISTENT' },
        { subject: 'Architecture', detail: 'ALIGNED' },
      ],
      summary: 'Small and well tested.',
    },
  ],
  REVIEW_FAILED: [
    `REVIEW_FAILED: task-042

Files Reviewed:
- src/auth/login.ts
- src/auth/token.ts

Issues Found:
- src/auth/login.ts:12: the error is swallowed
- src/auth/token.ts:7:3: \`any\` hides the type

Required Fixes:
- rethrow with the cause
- name the type

Priority: HIGH

Developer: Please address all issues above and signal READY_FOR_REVIEW when complete.`,
    {
      filesReviewed: ['src/auth/login.ts', 'src/auth/token.ts'],
      issues: [
        { file: 'src/auth/login.ts', line: 12, issue: 'the error is swallowed' },
        { file: 'src/auth/token.ts', line: 7, issue: '`any` hides the type' },
      ],
      requiredFixes: ['rethrow with the cause', 'name the type'],
      priority: 'HIGH',
      notes: 'Developer: Please address all issues above and signal READY_FOR_REVIEW when complete.',
    },
  ],
  EXPANDED_TASK_SPECIFICATION: [
    `EXPANDED_TASK_SPECIFICATION: task-042
Confidence: MEDIUM

Original: make login safer

Expanded Specification:
Tokens carry an expiry.

An expired one is refused.

Acceptance Criteria:
- [ ] an expired token gives 401
- [x] a valid one still gives 200

Technical Approach:
Check in the middleware, not in each route.

Target Files:
- src/auth/login.ts`,
    {
      confidence: 'MEDIUM',
      original: 'make login safer',
      specification: 'Tokens carry an expiry.\n\nAn expired one is refused.',
      acceptanceCriteria: [
        { text: 'an expired token gives 401', isDone: false },
        { text: 'a valid one still gives 200', isDone: true },
      ],
      approach: 'Check in the middleware, not in each route.',
      targetFiles: ['src/auth/login.ts'],
    },
  ],
  REMEDIATION_COMPLETE: [
    `REMEDIATION_COMPLETE

Issues Fixed:
- port 5432 taken: stopped the stray container

Verification Results:
- npm test: PASS

All infrastructure issues resolved.`,
    {
      issuesFixed: [{ subject: 'port 5432 taken', detail: 'stopped the stray container' }],
      verification: [check('npm test', null, 'PASS')],
      notes: 'All infrastructure issues resolved.',
    },
  ],
  'HEALTH_AUDIT: HEALTHY': [
    `HEALTH_AUDIT: HEALTHY

Verification Results:
- npm test (linux): PASS

All checks pass in all environments.`,
    { verification: [check('npm test', 'linux', 'PASS')], notes: 'All checks pass in all environments.' },
  ],
  'HEALTH_AUDIT: UNHEALTHY': [
    `HEALTH_AUDIT: UNHEALTHY

Failed Checks:
- npm test (linux): FAIL
  Exit: 1
  Output: 2 tests failed
    billing rounds down

Passing Checks:
- npm run lint (linux): PASS`,
    {
      failedChecks: [
        { ...check('npm test', 'linux', 'FAIL'), exit: 1, output: '2 tests failed\n    billing rounds down' },
      ],
      passingChecks: [check('npm run lint', 'linux', 'PASS')],
    },
  ],
  SEEKING_DIVINE_CLARIFICATION: [
    `SEEKING_DIVINE_CLARIFICATION

Task: task-042
Agent: developer

Question: Should expired tokens be refreshed silently?

Context:
The mobile app has no login screen.

Options Considered:
1. refresh always: a stolen token would live for ever
2. never refresh: users lose their cart

Attempts Made:
- Self-solve: 3 attempts
- Delegation: 2 attempts

What Would Help:
A decision between the two.`,
    {
      task: 'task-042',
      agent: 'developer',
      question: 'Should expired tokens be refreshed silently?',
      context: 'The mobile app has no login screen.',
      options: [
        { subject: 'refresh always', detail: 'a stolen token would live for ever' },
        { subject: 'never refresh', detail: 'users lose their cart' },
      ],
      attempts: [
        { subject: 'Self-solve', detail: '3 attempts' },
        { subject: 'Delegation', detail: '2 attempts' },
      ],
      wouldHelp: 'A decision between the two.',
    },
  ],
  EXPERT_REQUEST: [
    `EXPERT_REQUEST
Target Agent: auth-expert
Request Type: decision
Context Snapshot: .axiom/snapshots/task-042.md

---DELEGATION PROMPT START---
Which of the two flows keeps sessions short?

Options:
- refresh
- login again
---DELEGATION PROMPT END---`,
    {
      targetAgent: 'auth-expert',
      requestType: 'decision',
      contextSnapshot: '.axiom/snapshots/task-042.md',
      prompt: 'Which of the two flows keeps sessions short?\n\nOptions:\n- refresh\n- login again',
    },
  ],
  EXPERT_ADVICE: [
    `EXPERT_ADVICE: req-7

Requesting Agent: developer
Task: task-042
Question: refresh or login?

Recommendation:
Refresh, with rotation.

Rationale:
- the app cannot ask for a password

Pitfalls Avoided:
- endless sessions

Next Steps:
Add a rotation counter.`,
    {
      requestingAgent: 'developer',
      task: 'task-042',
      question: 'refresh or login?',
      recommendation: 'Refresh, with rotation.',
      rationale: ['the app cannot ask for a password'],
      pitfalls: ['endless sessions'],
      nextSteps: 'Add a rotation counter.',
    },
  ],
  EXPERT_UNSUCCESSFUL: [
    `EXPERT_UNSUCCESSFUL: req-7

Requesting Agent: developer
Question: refresh or login?

Attempts:
1. read the RFC: it leaves it open
2. read the app: it has both
3. asked the plan: it is silent

Reason: this is a choice of the product
Recommendation: escalate to divine intervention`,
    {
      requestingAgent: 'developer',
      question: 'refresh or login?',
      attempts: [
        { subject: 'read the RFC', detail: 'it leaves it open' },
        { subject: 'read the app', detail: 'it has both' },
        { subject: 'asked the plan', detail: 'it is silent' },
      ],
      reason: 'this is a choice of the product',
      recommendation: 'escalate to divine intervention',
    },
  ],
  EXPERT_CREATED: [
    `EXPERT_CREATED: auth-expert

Gap Filled: nobody knows the token service
Supports: developer, auditor
Tasks: task-042, task-043
File: .claude/agents/experts/auth-expert.md

Expertise Encoded:
- rotation of refresh tokens

Delegation Triggers:
- Developer should ask when: a token crosses a service
- Auditor should ask when: an expiry is untested`,
    {
      gap: 'nobody knows the token service',
      supports: ['developer', 'auditor'],
      tasks: ['task-042', 'task-043'],
      file: '.claude/agents/experts/auth-expert.md',
      expertise: ['rotation of refresh tokens'],
      triggers: [
        { role: 'Developer', when: 'a token crosses a service' },
        { role: 'Auditor', when: 'an expiry is untested' },
      ],
    },
  ],
  'FILE CONFLICT': [
    `FILE CONFLICT: src/auth/token.ts

Assigned To: echo-012
I Need To: add an expiry to the type
Reason: the type lives there
Can Wait: NO`,
    {
      assignedTo: 'echo-012',
      need: 'add an expiry to the type',
      reason: 'the type lives there',
      canWait: 'NO',
    },
  ],
  CHECKPOINT: [
    `CHECKPOINT: task-042

Progress: 60%
Current Activity: writing tests
Files Modified: 4
Blockers: NONE
Estimated Remaining: tests for the forged case`,
    {
      progress: '60%',
      activity: 'writing tests',
      filesModified: 4,
      blockers: 'NONE',
      remaining: 'tests for the forged case',
    },
  ],
}

function check(name: string, environment: string | null, result: string) {
  return { check: name, environment, result, detail: null, exit: null, output: null }
}

function bodyOf(text: string): unknown {
  return parseSignals([text], { names: NAMES }).signals[0]?.body
}

describe('the body of each line signal', () => {
  const names = REGISTRY.filter(({ notation }) => notation === 'line').map(({ name }) => name)

  it.each(names)('%s becomes typed fields', (name) => {
    const [text, body] = FORMATS[name] ?? ['', 'no format']
    const { signals, problems } = parseSignals([text], { names: NAMES })
    expect(problems).toEqual([])
    expect(signals.map(({ type }) => type)).toEqual([name])
    expect(signals[0]?.body).toEqual(body)
  })

  it.each(names)('%s gives every field that its definition names', (name) => {
    const fields = REGISTRY.find((entry) => entry.name === name)?.body.map(({ key }) => key) ?? []
    expect(Object.keys(FORMATS[name]?.[1] as object)).toEqual(expect.arrayContaining(fields))
  })
})

describe('a failed review', () => {
  const issuesOf = (text: string) => {
    const [signal] = parseSignals([`REVIEW_FAILED: task-042\n\n${text}`], { names: NAMES }).signals
    return signal?.name === 'REVIEW_FAILED' ? signal.body : null
  }
  const wrong = { file: 'a.ts', line: 3, issue: 'wrong' }

  it('reads its fields in any order', () => {
    const text =
      'Priority: HIGH\n\nRequired Fixes:\n- mend it\n\nFiles Reviewed:\n- a.ts\n\nIssues Found:\n- a.ts:3: wrong'
    expect(issuesOf(text)).toEqual({
      priority: 'HIGH',
      requiredFixes: ['mend it'],
      filesReviewed: ['a.ts'],
      issues: [wrong],
    })
  })

  it('takes a list that is begun again as one list', () => {
    const text =
      'Issues Found:\n- b.ts:1: odd\n\nRequired Fixes:\n- mend b\n\nIssues Found:\n- a.ts:3: wrong\n\nRequired Fixes:\n- mend a'
    expect(issuesOf(text)).toEqual({
      issues: [{ file: 'b.ts', line: 1, issue: 'odd' }, wrong],
      requiredFixes: ['mend b', 'mend a'],
    })
  })

  it.each(['Issues', 'Findings', 'Blocking Issues', '**Problems Found**'])(
    'takes %j for its issues',
    (label) => {
      expect(issuesOf(`${label}:\n- a.ts:3: wrong\n\nFixes:\n- mend it`)).toEqual({
        issues: [wrong],
        requiredFixes: ['mend it'],
      })
    },
  )
})

describe('what models really write', () => {
  const want = {
    issues: [
      { file: 'a.ts', line: 3, issue: 'wrong' },
      { file: null, line: null, issue: 'no tests at all' },
    ],
    requiredFixes: ['mend it'],
    priority: 'LOW',
  }

  it.each([
    [
      'bold labels',
      '**Issues Found:**\n- a.ts:3: wrong\n- no tests at all\n\n**Required Fixes**:\n- mend it\n\n**Priority:** low',
    ],
    [
      'headings',
      '### Issues Found\n- a.ts:3: wrong\n- no tests at all\n\n### Required Fixes:\n- mend it\n\nPriority: LOW',
    ],
    [
      'blank lines and trailing blanks',
      'Issues Found:  \n\n- a.ts:3: wrong   \n\n- no tests at all\n\n\nRequired Fixes:\n\n- mend it  \n\nPriority:   LOW  ',
    ],
    [
      'stars and code marks',
      'Issues Found:\n* `a.ts:3`: wrong\n* no tests at all\n\nRequired Fixes:\n* mend it\n\nPriority: **LOW** (cosmetic)',
    ],
    [
      'numbers',
      'Issues Found:\n1. a.ts:3: wrong\n2. no tests at all\nRequired Fixes:\n1) mend it\nPriority: LOW',
    ],
    [
      'CRLF',
      'Issues Found:\r\n- a.ts:3: wrong\r\n- no tests at all\r\n\r\nRequired Fixes:\r\n- mend it\r\n\r\nPriority: LOW\r\n',
    ],
    [
      'indented bullets',
      'Issues Found:\n  - a.ts:3: wrong\n  - no tests at all\nRequired Fixes:\n  - mend it\nPriority: LOW',
    ],
    ['no bullets', 'Issues Found:\na.ts:3: wrong\nno tests at all\n\nRequired Fixes: mend it\nPriority: LOW'],
  ])('%s', (_, text) => {
    expect(bodyOf(`REVIEW_FAILED: task-1\n\n${text}`)).toEqual(want)
  })

  it('leaves out what was not said, and takes "none" for an empty list', () => {
    expect(bodyOf('REVIEW_FAILED: task-1\n\nIssues Found: none\nPriority: whatever')).toEqual({ issues: [] })
    expect(bodyOf('READY_FOR_REVIEW: task-1')).toEqual({})
  })

  it('ends a body at the next line signal and leaves tags out of it', () => {
    const text = 'TASK_INCOMPLETE: t\n\nBlocker: x\n<axiom>PROGRESS:5</axiom>\n\nCHECKPOINT: t\nProgress: 5%'
    const { signals } = parseSignals([text], { names: NAMES })
    expect(signals.map(({ type, body }) => [type, body])).toEqual([
      ['TASK_INCOMPLETE', { blocker: 'x' }],
      ['PROGRESS', null],
      ['CHECKPOINT', { progress: '5%' }],
    ])
  })
})
