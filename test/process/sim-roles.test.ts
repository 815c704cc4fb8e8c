import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '../../src/signals/definition.ts'
import type { Finding } from '../../src/signals/finding.ts'
import { SignalParser } from '../../src/signals/signal-parser.ts'
import { runAgent } from '../../src/sim/run-agent.ts'
import type { Step } from '../../src/sim/step.ts'

const TASK = 'task-007'
const PROMPT = `# Task
Add a greeting

## Acceptance Criteria
- [ ] it greets
- [ ] it is polite

## Verification
- \`true\`
`

let workspace: string

beforeAll(() => {
  workspace = mkdtempSync(join(tmpdir(), 'axiom-roles-'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], { cwd: workspace })
  git('init', '-q')
  writeFileSync(join(workspace, 'a.ts'), 'x\n')
  git('add', '-A')
  git('commit', '-qm', 'first')
})

afterAll(() => rmSync(workspace, { recursive: true, force: true }))

/** What the parser hears when a role is played with this wish. */
async function hear(role: Role, steps: readonly Step[], prompt = PROMPT): Promise<Finding[]> {
  const playbook = join(workspace, '.git', `${role}.json`)
  writeFileSync(playbook, JSON.stringify({ entries: [{ steps }] }))
  const written: string[] = []
  await runAgent({
    argv: ['-p', '--playbook', playbook],
    environment: {
      PATH: process.env.PATH,
      HOME: join(workspace, '.git'),
      AXIOM_ROLE: role,
      AXIOM_TASK_ID: TASK,
      AXIOM_AGENT: 'agent-001',
    },
    workspace,
    input: Readable.from([Buffer.from(prompt)]),
    write: (text) => written.push(text),
    flush: async () => {},
    complain: () => {},
    onInterrupt: () => {},
  })
  const parser = new SignalParser({ names: { tag: 'axiom', names: {} }, role, task: TASK })
  const findings: Finding[] = []
  for (const line of written.join('').trim().split('\n')) {
    const event = JSON.parse(line) as {
      type: string
      message?: { content: { type: string; text: string }[] }
    }
    const [block] = event.type === 'assistant' ? (event.message?.content ?? []) : []
    if (block?.type === 'text') findings.push(...parser.feed(block.text), ...parser.endMessage())
  }
  return [...findings, ...parser.end()]
}

const play = (wish: Omit<Extract<Step, { do: 'play' }>, 'do'> = {}): Step[] => [{ do: 'play', ...wish }]

describe('what the roles say is heard by the parser', () => {
  it.each<[Role, Step[], string]>([
    ['developer', play({ verdict: 'blocked', reason: 'no key' }), 'BLOCKED'],
    ['critic', play(), 'REVIEW_PASSED'],
    ['critic', play({ verdict: 'failed' }), 'REVIEW_FAILED'],
    ['auditor', play(), 'AUDIT_PASSED'],
    ['auditor', play({ verdict: 'failed' }), 'AUDIT_FAILED'],
    ['auditor', play({ verdict: 'blocked' }), 'AUDIT_BLOCKED'],
    ['resolver', play(), 'RESOLVED'],
    ['resolver', play({ verdict: 'blocked' }), 'PENDING'],
    ['planner', play(), 'PHASE_COMPLETE'],
    ['analyst', play(), 'EXPANDED_TASK_SPECIFICATION'],
    ['remediator', play(), 'REMEDIATION_COMPLETE'],
    ['health-auditor', play(), 'HEALTH_AUDIT: HEALTHY'],
    ['health-auditor', play({ verdict: 'failed' }), 'HEALTH_AUDIT: UNHEALTHY'],
    ['expert', play(), 'EXPERT_ADVICE'],
    ['expert', play({ verdict: 'failed' }), 'EXPERT_UNSUCCESSFUL'],
    ['onboarding', play(), 'AVA_COMPLETE'],
    ['lead', play(), 'AGENT_STATUS'],
  ])('%s %o: %s', async (role, steps, name) => {
    const findings = await hear(role, steps)
    expect(findings).toEqual([expect.objectContaining({ kind: 'signal', name })])
  })

  it('with every criterion, issue and file in its place', async () => {
    const [audit] = await hear('auditor', play())
    expect(audit).toMatchObject({
      task: TASK,
      body: { criteria: [{ criterion: 'it greets' }, { criterion: 'it is polite' }] },
    })
    const issues = [{ file: 'a.ts', line: 3, text: 'too short' }]
    const [review] = await hear(
      'critic',
      play({ verdict: 'failed', issues, fixes: ['longer'], priority: 'HIGH' }),
    )
    expect(review).toMatchObject({
      body: {
        issues: [{ file: 'a.ts', line: 3, issue: 'too short' }],
        requiredFixes: ['longer'],
        priority: 'HIGH',
      },
    })
  })

  it('with the phase, the request and the one who asked, where the assignment names them', async () => {
    const phase = await hear('planner', play(), '# Assignment dir-001\n\nYou are axel-002. Phase PROPOSE.\n')
    expect(phase).toMatchObject([{ name: 'PHASE_COMPLETE', payload: 'PROPOSE' }])
    const request =
      '# Assignment task-007\n\n## The request\n```from: echo-047 for task-007\nWhich one?\n```\n'
    const [advice] = await hear('expert', play(), request)
    expect(advice).toMatchObject({
      name: 'EXPERT_ADVICE',
      body: { requestingAgent: 'echo-047', task: 'task-007', question: 'Which one?' },
    })
  })

  it('and nothing of what is spoofed', async () => {
    expect((await hear('developer', [{ do: 'spoof' }])).filter(({ kind }) => kind === 'signal')).toEqual([])
  })
})
