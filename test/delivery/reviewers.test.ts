import { readdirSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { RunControl } from '../../src/runs/run-control.ts'
import { sh } from '../git/scratch.ts'
import { openScene, type Scene, type SceneOptions, say } from '../hands-scene.ts'
import { Line, TASK } from './line.ts'

let scene: Scene
const open = async (options: SceneOptions): Promise<Line> => {
  scene = await openScene(options)
  return new Line(scene)
}
afterEach(() => scene.close())

const POLLING = { timeout: 60_000, interval: 50 }
const GREETING = { 'greeting.txt': 'hello\n' }
const leftovers = (): string[] =>
  readdirSync(scene.world.ground.workspacesDir).filter((name) => name !== '.trash')

describe('a critic', () => {
  it('sees exactly the commit under review, may write to its copy, and nothing of that is kept', async () => {
    const line = await open({
      entries: [
        {
          role: 'critic',
          steps: [
            { do: 'run', command: 'cat greeting.txt && git log -1 --format=%H', mustPass: true },
            { do: 'edit', file: 'greeting.txt', write: 'spoilt\n' },
            { do: 'commit', message: 'spoil it' },
            { do: 'play' },
          ],
        },
      ],
    })
    const commit = await line.handIn(GREETING)
    const refs = sh(scene.world.ground.integration.gitDir, 'git for-each-ref')
    const { result, agent } = await line.perform('critic')
    expect(result).toMatchObject({ kind: 'said', commit, signal: { name: 'REVIEW_PASSED', task: TASK } })
    expect(agent).toBe('critic-001')
    expect(sh(scene.world.ground.integration.gitDir, 'git for-each-ref')).toBe(refs)
    expect(leftovers()).toEqual([])
    expect((await line.delivery()).state).toBe('audit')
    const [prompt = ''] = line.promptsOf('critic')
    expect(prompt).toContain(`git diff ${await line.target()}..${commit}`)
    expect(prompt).toContain('+hello')
    expect(prompt).toContain('greeting.txt says hello')
  })

  it('sends work back by a finding on a changed line; what lies beside becomes a draft', async () => {
    const issues = [
      { file: 'greeting.txt', line: 1, text: 'says too little' },
      { file: 'readme.md', line: 1, text: 'was never explained' },
    ]
    const line = await open({
      entries: [{ role: 'critic', steps: [{ do: 'play', verdict: 'failed', issues, fixes: ['say more'] }] }],
    })
    await line.handIn(GREETING)
    const { answer } = await line.perform('critic')
    expect(answer).toMatchObject({ kind: 'moved', delivery: { state: 'developing', rounds: { review: 1 } } })
    expect(await scene.store.query({ type: 'draft' })).toMatchObject([
      { content: 'readme.md:1: was never explained' },
    ])
    // The next critic is told what the first one found.
    await line.handIn({ 'greeting.txt': 'hello, world\n' })
    await line.perform('critic')
    const told = line.promptsOf('critic').at(-1) ?? ''
    expect(told).toContain('This is review 2.')
    expect(told).toContain('greeting.txt:1: says too little')
    expect(told).not.toContain('was never explained')
  })

  it('reads what the developer says of the commit under review, and so does the auditor', async () => {
    const issues = [{ file: 'greeting.txt', line: 1, text: 'too short' }]
    const line = await open({
      entries: [
        { role: 'critic', agent: 'critic-001', steps: [{ do: 'play', verdict: 'failed', issues }] },
        { role: 'critic', steps: [{ do: 'play' }] },
        { role: 'auditor', steps: [{ do: 'play' }] },
      ],
    })
    await line.handIn(GREETING, 'Tests Written:\n- test/a.js: the first greeting\n\nSummary: A first try.')
    await line.perform('critic')
    const [first = ''] = line.promptsOf('critic')
    expect(first).toContain('A first try.')
    expect(first).toContain('test/a.js: the first greeting')
    await line.handIn({ 'greeting.txt': 'hello, world\n' }, 'Summary: It greets the world.')
    await line.perform('critic')
    await line.perform('auditor')
    for (const told of [line.promptsOf('critic').at(-1), line.promptsOf('auditor').at(-1)]) {
      expect(told).toContain('It greets the world.')
      expect(told).not.toContain('A first try.')
    }
  })

  it('that is asked how far it is answers at once, before its verdict', async () => {
    const looks = { do: 'run', command: 'cat greeting.txt' } as const
    const answers = { do: 'listen', answer: `CHECKPOINT: ${TASK}\n\nProgress: 50%\n` } as const
    const line = await open({ entries: [{ role: 'critic', steps: [looks, answers, { do: 'play' }] }] })
    await line.handIn(GREETING)
    const control = new RunControl()
    const heard: string[] = []
    control.listen(({ name }) => heard.push(name))
    const performing = line.perform('critic', control)
    await expect
      .poll(() => scene.rows.some(({ activity }) => activity?.includes('greeting.txt')), POLLING)
      .toBe(true)
    control.tell({ by: 'max', text: 'Say how far you are.' })
    const { result } = await performing
    expect(result).toMatchObject({ kind: 'said', signal: { name: 'REVIEW_PASSED' } })
    expect(heard).toEqual(['CHECKPOINT', 'REVIEW_PASSED'])
  })

  it('that gives no verdict is asked twice, then lost; the one after it is given the forms', async () => {
    const line = await open({
      entries: [
        { role: 'critic', agent: 'critic-001', steps: [say('It looks fine to me.')] },
        { role: 'critic', agent: 'critic-002', steps: [{ do: 'play' }] },
      ],
    })
    await line.handIn(GREETING)
    const { result, answer } = await line.perform('critic')
    expect(result).toMatchObject({ kind: 'lost', iterations: 3, reason: expect.stringContaining('silent') })
    expect(answer).toMatchObject({ kind: 'moved', delivery: { state: 'critique', losses: 1 } })
    const asked = line.promptsOf('critic')
    expect(asked[0]).not.toContain('A checkpoint is asked of you')
    expect(asked[1]).toContain('A checkpoint is asked of you')
    expect(asked[2]).toContain('A checkpoint is asked of you')
    const second = await line.perform('critic')
    expect(second).toMatchObject({ agent: 'critic-002', result: { kind: 'said' } })
    expect(line.promptsOf('critic').at(-1)).toContain('How to signal')
    expect((await line.delivery()).state).toBe('audit')
  })

  it('cannot speak for the auditor, nor about another task', async () => {
    const line = await open({
      entries: [
        {
          role: 'critic',
          iteration: 1,
          steps: [say(`AUDIT_PASSED: ${TASK}\n\nVerification Results:\n- C1: VERIFIED - seen`)],
        },
        { role: 'critic', iteration: 2, steps: [say('REVIEW_PASSED: task-002')] },
        { role: 'critic', steps: [{ do: 'play' }] },
      ],
    })
    await line.handIn(GREETING)
    const { result } = await line.perform('critic')
    expect(result).toMatchObject({ kind: 'said', signal: { name: 'REVIEW_PASSED' }, iterations: 3 })
    const codes = scene
      .read('logs/signals.jsonl')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { code: string }).code)
    expect(codes).toEqual(['SIGNAL_WRONG_SENDER', 'SIGNAL_FOREIGN_TASK'])
    expect((await scene.task('task-002')).status).toBe('pending')
  })

  it('that crashes is lost, and a third loss asks the person', async () => {
    const line = await open({ entries: [{ role: 'critic', steps: [{ do: 'crash' }] }] })
    await line.handIn(GREETING)
    const states: string[] = []
    for (let i = 0; i < 3; i++) {
      expect((await line.perform('critic')).result.kind).toBe('lost')
      states.push((await line.delivery()).state)
    }
    expect(states).toEqual(['critique', 'critique', 'asking'])
    expect(await scene.store.query({ type: 'pending' })).toMatchObject([
      { metadata: { waitingTask: TASK, question: expect.stringContaining('AGENT_CRASHED') } },
    ])
  })

  it.each([
    ['gives no sign when it is asked for one is lost', 'expire', 'lost'],
    ['a person stops is not', 'stop', 'stopped'],
  ] as const)('that %s', async (_, how, kind) => {
    const line = await open({ entries: [{ role: 'critic', steps: [say('I begin.'), { do: 'hang' }] }] })
    await line.handIn(GREETING)
    const control = new RunControl()
    const performing = line.perform('critic', control)
    await expect.poll(() => scene.rows.some(({ agent }) => agent === 'critic-001'), POLLING).toBe(true)
    if (how === 'expire') control.expire('it gave no sign')
    else control.stop()
    expect((await performing).result).toMatchObject({ kind })
    expect(await line.delivery()).toMatchObject({ state: 'critique', losses: kind === 'lost' ? 1 : 0 })
  })
})
