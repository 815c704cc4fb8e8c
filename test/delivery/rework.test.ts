import { afterEach, describe, expect, it } from 'vitest'
import { orderRun } from '../../src/director/develop/run-prompt.ts'
import { openRunWorkspace } from '../../src/director/develop/run-workspace.ts'
import { openTaskWorkspace } from '../../src/director/develop/task-workspace.ts'
import { assemblePrompt } from '../../src/personas/assemble-prompt.ts'
import { createExpert } from '../../src/project/experts.ts'
import { sh } from '../git/scratch.ts'
import { openScene, type Scene, type SceneOptions } from '../hands-scene.ts'
import { Line, TASK } from './line.ts'

let scene: Scene
const open = async (options: SceneOptions): Promise<Line> => {
  scene = await openScene(options)
  return new Line(scene)
}
afterEach(() => scene.close())

/** What the developer of the task is told now. */
async function developersPrompt(line: Line): Promise<string> {
  const place = await openRunWorkspace(scene.world, { agent: 'echo-001', task: TASK, slot: 0 })
  if (place.kind === 'failed') throw new Error(place.output)
  const order = await orderRun(scene.world, { agent: 'echo-001', task: await line.task(), place })
  return assemblePrompt({ ...order.prompt, iteration: order.first }, { tokensMax: 100_000 }).message
}

describe('rework', () => {
  it('has the findings of every round before it, under the same claim', async () => {
    const line = await open({
      entries: [
        {
          role: 'critic',
          agent: 'critic-001',
          steps: [
            { do: 'play', verdict: 'failed', issues: [{ file: 'greeting.txt', line: 1, text: 'too short' }] },
          ],
        },
        { role: 'auditor', steps: [{ do: 'play', verdict: 'failed' }] },
      ],
    })
    await line.handIn({ 'greeting.txt': 'hello\n' })
    const claim = (await line.task()).leases?.develop
    await line.perform('critic')
    expect(await developersPrompt(line)).toContain('greeting.txt:1: too short')
    await line.handIn({ 'greeting.txt': 'hello, world\n' })
    await line.perform('critic')
    await line.perform('auditor')
    const task = await line.task()
    expect(task).toMatchObject({ status: 'active', leases: { develop: claim } })
    const prompt = await developersPrompt(line)
    expect(prompt).toContain('Findings, round 1 of 2')
    expect(prompt).toContain('greeting.txt:1: too short')
    expect(prompt).toContain('Findings, round 2 of 2')
    expect(prompt).toContain('it is not shown by any test')
    expect(prompt).toContain('Take the points above first')
  })
})

describe('an expert', () => {
  const LEDGER = {
    name: 'greetings',
    gap: 'how people greet',
    supports: ['developer' as const],
    tasks: [],
    expertise: ['hello is always right'],
    triggers: [{ role: 'developer', when: 'a greeting is unclear' }],
  }
  const REQUEST = [
    'EXPERT_REQUEST',
    'Target Agent: greetings',
    'Request Type: decision',
    'Context Snapshot: none',
    '',
    '---DELEGATION PROMPT START---',
    'Which greeting fits an evening?',
    '---DELEGATION PROMPT END---',
  ].join('\n')

  async function asked(line: Line): Promise<void> {
    const answer = await scene.store.transact({
      commands: [{ kind: 'create', type: 'directive', content: 'Greet people' }],
      by: 'user',
    })
    expect(answer.kind).toBe('committed')
    await createExpert(scene.world, 'dir-001', LEDGER)
    await line.claim('develop', 'echo-001')
    await line.tell('CLAIMED')
    expect(await developersPrompt(line)).toContain('greetings: how people greet; hello is always right')
    expect(await line.say('developer', REQUEST)).toMatchObject({
      kind: 'moved',
      delivery: { state: 'consulting', request: { expert: 'greetings' } },
    })
  }

  it('made for a plan is asked with a snapshot, and its advice reaches the developer', async () => {
    const line = await open({})
    await asked(line)
    const id = (await line.delivery()).request?.id ?? ''
    const { result, answer } = await line.perform('expert')
    expect(result).toMatchObject({ kind: 'said', signal: { name: 'EXPERT_ADVICE', payload: id } })
    expect(answer).toMatchObject({ kind: 'moved', delivery: { state: 'developing', expertTries: 1 } })
    const [prompt = ''] = line.promptsOf('experts')
    expect(prompt).toContain(`The id of the request is ${id}`)
    expect(prompt).toContain('hello is always right')
    expect(prompt).toContain('Which greeting fits an evening?')
    expect(prompt).toContain('greeting.txt says hello')
    expect(scene.read(`agents/experts/requests/${id}.md`)).toContain('Which greeting fits an evening?')
    const told = await developersPrompt(line)
    expect(told).toContain('Advice of an expert')
    expect(told).toContain('Take the simpler of the two')
    const [directive] = await scene.store.query({ ids: ['dir-001'] })
    expect(directive?.metadata.experts).toEqual(['greetings'])
  })

  it('that cannot help leads to the person, with what it tried', async () => {
    const line = await open({ entries: [{ role: 'expert', steps: [{ do: 'play', verdict: 'failed' }] }] })
    await asked(line)
    const { answer } = await line.perform('expert')
    expect(answer).toMatchObject({ kind: 'moved', delivery: { state: 'asking' } })
    expect(await scene.store.query({ type: 'pending' })).toMatchObject([{ metadata: { waitingTask: TASK } }])
  })

  it('that speaks of another request is not heard', async () => {
    const line = await open({
      entries: [
        {
          role: 'expert',
          steps: [
            { do: 'signal', line: 'EXPERT_ADVICE', task: 'task-001-other', body: 'Recommendation:\nno' },
          ],
        },
      ],
    })
    await asked(line)
    const { result, answer } = await line.perform('expert')
    expect(result).toMatchObject({ kind: 'lost', iterations: 3 })
    expect(answer).toMatchObject({ kind: 'moved', delivery: { state: 'consulting', expertTries: 2 } })
    expect(line.promptsOf('experts')[1]).toContain('Your answer names another request')
  })
})

/** The sandbox gives the workspace another owner. */
const GIT = "git -c safe.directory='*'"
const git = (path: string, words: string): string => sh(path, `${GIT} ${words}`)

describe('work that was held up by a repair', () => {
  /** Moves the target of record as a landing does. */
  async function land(line: Line, files: Readonly<Record<string, string>>): Promise<string> {
    const commit = await line.commitFiles(files)
    sh(scene.world.ground.integration.gitDir, `git update-ref refs/heads/main ${commit}`)
    return commit
  }

  async function heldUp(line: Line): Promise<string> {
    await line.claim('develop', 'echo-001')
    await line.tell('CLAIMED')
    const opened = await openTaskWorkspace(scene.world, {
      agent: 'echo-001',
      task: await line.task(),
      slot: 0,
    })
    if (opened.kind !== 'ready') throw new Error(opened.output)
    const { path } = opened.workspace
    sh(path, "printf 'mine\\n' > shared.txt && git add -A && git commit -qm mine && printf 'x' > loose.txt")
    await line.say('developer', `INFRA_BLOCKED: ${TASK}\n\nIssue: no state\n`)
    return path
  }

  async function reopen(line: Line) {
    const opened = await openTaskWorkspace(scene.world, {
      agent: 'echo-001',
      task: await line.task(),
      slot: 0,
    })
    if (opened.kind !== 'ready') throw new Error(opened.output)
    return opened
  }

  it('goes on with the repair merged in, and with everything it had', async () => {
    const line = await open({})
    const path = await heldUp(line)
    const landed = await land(line, { 'state.txt': 'ready\n' })
    const opened = await reopen(line)
    expect(opened.workspace.path).toBe(path)
    expect(sh(path, 'cat state.txt shared.txt loose.txt')).toBe('ready\nmine\nx')
    expect(git(path, `merge-base --is-ancestor ${landed} HEAD && ${GIT} log -1 --format=%an`)).toBe(
      'echo-001',
    )
    expect(opened.head).toBe(git(path, 'rev-parse HEAD'))
    expect(opened.news).toMatchObject([{ text: expect.stringContaining(landed) }])
    expect((await reopen(line)).news).toBeUndefined()
  })

  it('is told to merge where that conflicts, and loses nothing', async () => {
    const line = await open({})
    const path = await heldUp(line)
    const before = git(path, 'rev-parse HEAD')
    const landed = await land(line, { 'shared.txt': 'theirs\n' })
    const opened = await reopen(line)
    expect(git(path, 'rev-parse HEAD')).toBe(before)
    expect(sh(path, `cat shared.txt && ${GIT} status --short`)).toBe('mine\n?? loose.txt')
    expect(opened.news).toMatchObject([{ text: expect.stringContaining(`git merge ${landed}`) }])
  })
})
