import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runAgent } from '../../src/sim/run-agent.ts'
import type { Step } from '../../src/sim/step.ts'

type Line = Record<string, unknown>

let workspace: string

beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'axiom-sim-'))
})

afterEach(() => {
  rmSync(workspace, { recursive: true, force: true })
})

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=someone', '-c', 'user.email=someone@example.com']
  return execFileSync('git', [...identity, ...args], { cwd: workspace, encoding: 'utf8', stdio: 'pipe' })
}

function makeRepository(): void {
  git('init', '-q', '-b', 'main')
  git('commit', '-q', '--allow-empty', '-m', 'first')
}

interface Run {
  readonly steps?: readonly Step[]
  readonly playbook?: string
  readonly prompt?: string
  readonly argv?: readonly string[]
  readonly environment?: Record<string, string>
}

/** Starts an agent; `input` is its standard input, still open when it streams. */
function start(run: Run) {
  const playbook = join(workspace, '..', `${workspace.split('/').at(-1)}.json`)
  const content = run.playbook ?? JSON.stringify({ entries: run.steps ? [{ steps: run.steps }] : [] })
  writeFileSync(playbook, content)
  const input = new PassThrough()
  const lines: string[] = []
  const argv = run.argv ?? ['-p', '--output-format', 'stream-json', '--verbose', '--some-future-flag']
  if (!argv.includes('--input-format')) input.end(run.prompt ?? 'do the work')
  let interrupt = (): void => {}
  const ended = runAgent({
    argv: [...argv, '--playbook', playbook],
    environment: {
      PATH: process.env.PATH,
      HOME: workspace,
      GIT_CONFIG_GLOBAL: '/dev/null',
      AXIOM_TASK_ID: 'task-007',
      AXIOM_AGENT: 'echo-001',
      ...run.environment,
    },
    workspace,
    input,
    write: (text) => lines.push(text),
    flush: async () => {},
    complain: (text) => lines.push(text),
    onInterrupt: (act) => {
      interrupt = act
    },
  }).finally(() => rmSync(playbook, { force: true }))
  const events = (): Line[] =>
    lines.flatMap((text) => text.trim().split('\n')).map((text) => JSON.parse(text))
  return { ended, input, events, interrupt: () => interrupt(), lines }
}

async function play(run: Run): Promise<{ code: number; events: Line[]; said: string[]; result: Line }> {
  const agent = start(run)
  const code = await agent.ended
  const events = agent.events()
  return { code, events, said: speech(events), result: events.at(-1) ?? {} }
}

function speech(events: readonly Line[]): string[] {
  return blocks(events).flatMap((block) => (block.type === 'text' ? [String(block.text)] : []))
}

function blocks(events: readonly Line[]): Line[] {
  return events.flatMap((event) => ((event.message as { content?: Line[] })?.content ?? []).flat())
}

function toolResults(events: readonly Line[]): string[] {
  return blocks(events).flatMap((block) => (block.type === 'tool_result' ? [String(block.content)] : []))
}

const STREAMING = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose']
const message = (text: string): string =>
  `${JSON.stringify({ type: 'user', message: { role: 'user', content: [{ type: 'text', text }] } })}\n`

async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 1_000 && !holds(); i++) await new Promise((resolve) => setTimeout(resolve, 5))
}

describe('a turn', () => {
  it('opens with the session, closes with the result, and each saying is a message of its own', async () => {
    const { code, events, said, result } = await play({
      steps: [
        { do: 'say', text: 'one' },
        { do: 'say', text: 'two' },
      ],
    })
    expect(code).toBe(0)
    expect(events[0]).toMatchObject({ type: 'system', subtype: 'init', model: 'sim', cwd: workspace })
    expect(said).toEqual(['one', 'two'])
    const ids = events.flatMap((event) => (event.type === 'assistant' ? [(event.message as Line).id] : []))
    expect(new Set(ids).size).toBe(2)
    expect(result).toMatchObject({ type: 'result', subtype: 'success', is_error: false, result: 'two' })
  })

  it('is the same again for the same seed, and chooses otherwise for some other', async () => {
    const steps: Step[] = [
      {
        do: 'choose',
        between: [
          { weight: 1, steps: [{ do: 'say', text: 'left' }] },
          { weight: 1, steps: [{ do: 'say', text: 'right' }] },
        ],
      },
    ]
    const choice = async (seed: number) =>
      (await play({ steps, argv: ['-p', '--seed', String(seed)] })).said[0]
    const choices = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(choice))
    expect(await choice(1)).toBe(choices[0])
    expect(new Set(choices)).toEqual(new Set(['left', 'right']))
  })

  it('ends in error without a prompt, as the real program does', async () => {
    expect(await start({ prompt: '  \n' }).ended).toBe(1)
  })

  it.each([
    ['{"entries": 3}', 'SIM_PLAYBOOK_INVALID'],
    ['{', 'SIM_PLAYBOOK_NOT_JSON'],
    ['{"entries":[{"steps":[{"do":"edit","file":"../x","write":""}]}]}', 'SIM_STEP_FAILED'],
    ['{"entries":[{"steps":[{"do":"run","command":"exit 3","mustPass":true}]}]}', 'SIM_STEP_FAILED'],
    ['{"entries":[{"steps":[{"do":"barrier","path":"/nowhere","atMostMs":20}]}]}', 'SIM_STEP_FAILED'],
  ])('that cannot be played says why: %s', async (playbook, reason) => {
    const { code, result } = await play({ playbook })
    expect(code).toBe(1)
    expect(result).toMatchObject({ type: 'result', is_error: true, result: expect.stringContaining(reason) })
  })
})

describe('the steps', () => {
  it('edit files, run commands, commit, and speak signals', async () => {
    makeRepository()
    const { events, said } = await play({
      steps: [
        { do: 'edit', file: 'src/a.txt', write: 'one\n' },
        { do: 'edit', file: 'src/a.txt', append: 'two\n' },
        { do: 'edit', file: 'src/a.txt', replace: { from: 'one', to: 'ONE' } },
        { do: 'run', command: 'cat src/a.txt; echo $AXIOM_NOTHING; exit 4' },
        { do: 'commit', message: 'feat: words #task-007 @echo-001' },
        { do: 'signal', tag: 'DISCOVERY_GLOBAL', payload: 'words help' },
        { do: 'signal', line: 'READY_FOR_REVIEW', body: 'Summary: done' },
        { do: 'ask', question: 'red or blue?' },
      ],
    })
    expect(git('show', 'HEAD:src/a.txt')).toBe('ONE\ntwo\n')
    expect(git('log', '-1', '--format=%s %an')).toBe('feat: words #task-007 @echo-001 echo-001\n')
    expect(toolResults(events).join('\n')).toContain('ONE\ntwo\n\n\nexit 4')
    expect(said).toEqual([
      '<axiom>DISCOVERY_GLOBAL:words help</axiom>',
      'READY_FOR_REVIEW: task-007\n\nSummary: done',
      'I cannot decide this alone.\n\n<axiom>PENDING:red or blue?</axiom>',
    ])
  })

  it('replay history from a ref and from a patch', async () => {
    makeRepository()
    writeFileSync(join(workspace, 'old.txt'), 'old\n')
    git('add', '-A')
    git('commit', '-qm', 'old')
    git('checkout', '-q', '-b', 'later')
    git('mv', 'old.txt', 'new.txt')
    git('commit', '-qm', 'new')
    const patch = `diff --git a/new.txt b/new.txt\n--- a/new.txt\n+++ b/new.txt\n@@ -1 +1 @@\n-old\n+patched\n`
    git('checkout', '-q', 'main')
    await play({
      steps: [
        { do: 'checkout', ref: 'later' },
        { do: 'commit', message: 'replayed' },
        { do: 'patch', text: patch },
        { do: 'commit', message: 'patched' },
      ],
    })
    expect(git('rev-parse', 'HEAD~1^{tree}')).toBe(git('rev-parse', 'later^{tree}'))
    expect(git('show', 'HEAD:new.txt')).toBe('patched\n')
    expect(git('log', '--format=%s', 'main')).toBe('patched\nreplayed\nold\nfirst\n')
  })

  it('speak the vocabulary of the playbook', async () => {
    const vocabulary = { tag: 'swarm', names: { PENDING: 'NEEDS_HUMAN' } }
    const { said } = await play({
      playbook: JSON.stringify({ vocabulary, entries: [{ steps: [{ do: 'ask', question: 'which?' }] }] }),
    })
    expect(said[0]).toContain('<swarm>NEEDS_HUMAN:which?</swarm>')
  })

  it('wait for a barrier until enough agents have come', async () => {
    const path = join(workspace, 'gate')
    const steps: Step[] = [{ do: 'barrier', path, arrivals: 2 }]
    const codes = await Promise.all([
      start({ steps, environment: { AXIOM_AGENT: 'echo-001' } }).ended,
      start({ steps, environment: { AXIOM_AGENT: 'echo-002' } }).ended,
    ])
    expect(codes).toEqual([0, 0])
  })

  it('show limits and overload of the service as the real program shows them', async () => {
    const overloaded = await play({
      steps: [
        { do: 'overload', attempts: 2, delayMs: 1 },
        { do: 'say', text: 'on' },
      ],
    })
    expect(overloaded.events.filter(({ subtype }) => subtype === 'api_retry')).toHaveLength(2)
    expect(overloaded.code).toBe(0)
    const limited = await play({ steps: [{ do: 'rate-limit', resetInS: 60 }] })
    expect(limited.events).toContainEqual(
      expect.objectContaining({ rate_limit_info: expect.objectContaining({ status: 'rejected' }) }),
    )
    expect(limited.result).toMatchObject({ subtype: 'success', is_error: true, api_error_status: 429 })
    expect(limited.code).toBe(1)
  })

  it('try what an agent must not do, and tell what succeeded', async () => {
    makeRepository()
    git('gc', '-q')
    const lender = join(workspace, '.git')
    const secret = join(workspace, 'secret')
    writeFileSync(secret, 'x')
    const { events } = await play({
      steps: [
        {
          do: 'attack',
          outside: [join(workspace, 'out'), '/nowhere/out'],
          repositories: [lender],
          secretFiles: [secret],
          ports: [1],
        },
      ],
    })
    const { attempts } = JSON.parse(toolResults(events)[0] ?? '{}') as {
      attempts: { what: string; succeeded: boolean }[]
    }
    const succeeded = attempts.filter((attempt) => attempt.succeeded).map(({ what }) => what)
    expect(succeeded).toEqual([
      'write outside',
      'move ref',
      'plant hook',
      'change config',
      'change attributes',
      'delete packs',
      'write objects',
      'read secret',
    ])
    expect(attempts).toHaveLength(10)
  })
})

describe('the roles, played as usual', () => {
  const prompt = '# Task\nAdd a greeting\n## Acceptance Criteria\n- [ ] it greets\n- it is polite\n'

  it('develop: a change, a test that passes, a commit, COMPLETE', async () => {
    makeRepository()
    const { said } = await play({ prompt, environment: { AXIOM_ITERATION: '2' } })
    expect(said.at(-1)).toMatch(/\n<axiom>COMPLETE<\/axiom>$/)
    expect(git('log', '-1', '--format=%s')).toBe('feat: Add a greeting #task-007 @echo-001\n')
    expect(git('status', '--porcelain', '--', 'lib', 'test')).toBe('')
    expect(
      execFileSync('node', ['--test', 'test/task-007.test.mjs'], { cwd: workspace, encoding: 'utf8' }),
    ).toContain('# pass 1')
  })

  it('review: the files of the change are named', async () => {
    makeRepository()
    writeFileSync(join(workspace, 'a b.txt'), 'x')
    git('add', '-A', '--', 'a b.txt')
    git('commit', '-qm', 'x')
    const { said } = await play({ prompt, environment: { AXIOM_ROLE: 'critic' } })
    expect(said).toEqual([expect.stringMatching(/^REVIEW_PASSED: task-007\n\nFiles Reviewed:\n- a b\.txt\n/)])
    const failed = await play({
      steps: [{ do: 'play', verdict: 'failed', issues: [{ file: 'a b.txt', line: 3, text: 'too short' }] }],
      environment: { AXIOM_ROLE: 'critic' },
    })
    expect(failed.said[0]).toMatch(
      /^REVIEW_FAILED: task-007[\s\S]*- a b\.txt:3: too short[\s\S]*Priority: MEDIUM$/,
    )
  })

  it('audit: each criterion is vouched for', async () => {
    makeRepository()
    const { said } = await play({ prompt, environment: { AXIOM_ROLE: 'auditor' } })
    expect(said[0]).toMatch(/^AUDIT_PASSED: task-007\n\n/)
    expect(said[0]).toContain('- it greets: VERIFIED - ')
    expect(said[0]).toContain('- it is polite: VERIFIED - ')
  })

  it('audit: a red check is never reported as passed', async () => {
    makeRepository()
    const { code, said } = await play({
      prompt: '## Verification\n- `exit 1`\n',
      environment: { AXIOM_ROLE: 'auditor' },
    })
    expect([code, said]).toEqual([1, []])
  })

  it('resolve: both sides of a real conflict are kept and committed', async () => {
    makeRepository()
    const write = (text: string): void => {
      writeFileSync(join(workspace, 'list.txt'), text)
      git('add', '-A', '--', 'list.txt')
      git('commit', '-qm', text.trim())
    }
    git('config', 'merge.conflictStyle', 'zdiff3')
    write('first\nend\n')
    git('checkout', '-qb', 'work')
    write('first\nfrom the task\nend\n')
    git('checkout', '-q', 'main')
    write('first\nfrom the target\nend\n')
    expect(() => git('merge', 'work')).toThrow()
    const { said } = await play({ environment: { AXIOM_ROLE: 'resolver' } })
    expect(said.at(-1)).toBe('<axiom>RESOLVED</axiom>')
    expect(git('show', 'HEAD:list.txt')).toBe('first\nfrom the target\nfrom the task\nend\n')
    expect(git('log', '-1', '--format=%P').trim().split(' ')).toHaveLength(2)
  })

  it('plan: valid JSON in the form of a plan file, then the end of the phase', async () => {
    const { said } = await play({ prompt: '## Need\nA greeting', environment: { AXIOM_ROLE: 'planner' } })
    const plan = JSON.parse(/```json\n([\s\S]*?)\n```/.exec(said[0] ?? '')?.[1] ?? '') as {
      need: string
      operations: {
        key: string
        tasks: { key: string; acceptanceCriteria: string[]; dependsOn: string[] }[]
      }[]
    }
    expect(plan.need).toBe('A greeting')
    const keys = plan.operations.flatMap(({ key, tasks }) => [key, ...tasks.map((task) => task.key)])
    const named = plan.operations.flatMap(({ tasks }) => tasks.flatMap(({ dependsOn }) => dependsOn))
    expect(named.every((key) => keys.includes(key))).toBe(true)
    expect(said.at(-1)).toMatch(/<axiom>PHASE_COMPLETE<\/axiom>$/)
  })

  it.each([
    ['analyst', /^EXPANDED_TASK_SPECIFICATION: task-007\nConfidence: HIGH\n[\s\S]*- \[ \] it greets/],
    ['remediator', /^REMEDIATION_COMPLETE\n/],
    ['health-auditor', /^HEALTH_AUDIT: HEALTHY\n/],
    ['expert', /^EXPERT_ADVICE: task-007\n/],
    ['lead', /^\[AGENT_STATUS\] \{"agents":\[\]\}$/m],
    ['onboarding', /<axiom>AVA_COMPLETE<\/axiom>$/],
    ['curator', /learnt/],
  ])('%s answers with its own signal', async (role, pattern) => {
    const { code, said } = await play({ prompt, environment: { AXIOM_ROLE: role } })
    expect(code).toBe(0)
    expect(said.at(-1)).toMatch(pattern)
  })

  it('lead: summons eight members around its own seat', async () => {
    const { said } = await play({ prompt: '[SUMMON AGENTS]', environment: { AXIOM_ROLE: 'lead' } })
    expect(said.filter((text) => text.startsWith('[AGENT_REGISTERED] {'))).toHaveLength(8)
    expect(said.at(-1)).not.toContain('"gridPosition":4')
  })
})

describe('an agent that streams its input', () => {
  it('hears a message while it works, and another after its turn', async () => {
    const agent = start({ argv: STREAMING, steps: [{ do: 'listen', answer: 'heard: {message}' }] })
    agent.input.write(message('begin'))
    agent.input.write(message('second thoughts'))
    await until(() => agent.lines.some((line) => line.includes('"result"')))
    agent.input.write(message('CHECKPOINT please'))
    agent.input.end()
    expect(await agent.ended).toBe(0)
    expect(speech(agent.events())).toEqual([
      'heard: second thoughts',
      expect.stringMatching(/^CHECKPOINT: task-007\n\nProgress: done\n/),
    ])
    expect(agent.events().filter(({ type }) => type === 'result')).toHaveLength(2)
  })

  it('is interrupted and goes on with the next message', async () => {
    const agent = start({ argv: STREAMING, steps: [{ do: 'say', text: 'at it' }, { do: 'hang' }] })
    agent.input.write(message('begin'))
    await until(() => agent.lines.some((line) => line.includes('at it')))
    agent.input.write(
      `${JSON.stringify({ type: 'control_request', request_id: 'r1', request: { subtype: 'interrupt' } })}\n`,
    )
    await until(() => agent.lines.some((line) => line.includes('"result"')))
    expect(agent.events().at(-1)).toMatchObject({ is_error: true, terminal_reason: 'aborted_streaming' })
    expect(agent.lines.join('')).toContain('"request_id":"r1"')
    agent.input.end(message('leave it'))
    await agent.ended
    expect(speech(agent.events())).toContain('heard: leave it')
  })

  it('asks before it uses a tool, and heeds the answer', async () => {
    const steps: Step[] = [
      { do: 'run', command: 'echo first', asks: true },
      { do: 'run', command: 'echo second', asks: true },
    ]
    const agent = start({ argv: [...STREAMING, '--permission-prompt-tool', 'stdio'], steps })
    agent.input.write(message('begin'))
    const answers = [{ behavior: 'allow' }, { behavior: 'deny', message: 'not that' }]
    for (const [i, response] of answers.entries()) {
      const asked = (): Line[] => agent.events().filter(({ type }) => type === 'control_request')
      await until(() => asked().length === i + 1)
      expect(asked()[i]).toMatchObject({ request: { subtype: 'can_use_tool', tool_name: 'Bash' } })
      const answer = { subtype: 'success', request_id: asked()[i]?.request_id, response }
      agent.input.write(`${JSON.stringify({ type: 'control_response', response: answer })}\n`)
    }
    agent.input.end()
    await agent.ended
    expect(toolResults(agent.events())).toEqual(['first\n', 'not that'])
    expect(agent.events().at(-1)).toMatchObject({ permission_denials: [{ tool_name: 'Bash' }] })
  })

  it('is denied a tool when nobody can be asked', async () => {
    const { code, result } = await play({ steps: [{ do: 'edit', file: 'a.txt', write: 'x', asks: true }] })
    expect([code, result.permission_denials]).toEqual([0, [expect.objectContaining({ tool_name: 'Write' })]])
    expect(() => readFileSync(join(workspace, 'a.txt'))).toThrow()
  })
})

describe('a session', () => {
  it('is gone on with, and its costs add up', async () => {
    const first = await play({ steps: [{ do: 'say', text: 'the number is 41' }] })
    const session = String(first.result.session_id)
    const second = await play({
      playbook: JSON.stringify({
        entries: [
          { resumed: true, steps: [{ do: 'say', text: 'you said 41' }] },
          { steps: [{ do: 'say', text: 'never' }] },
        ],
      }),
      argv: ['-p', '--resume', session],
    })
    expect(second.said).toEqual(['you said 41'])
    expect(second.result.session_id).toBe(session)
    expect(Number(second.result.total_cost_usd)).toBeGreaterThan(Number(first.result.total_cost_usd))
  })

  it('that nobody knows is refused', async () => {
    const { code, result } = await play({ argv: ['-p', '--resume', '00000000-0000-4000-8000-000000000000'] })
    expect(code).toBe(1)
    expect(result).toMatchObject({
      is_error: true,
      errors: [expect.stringContaining('No conversation found')],
    })
  })
})
