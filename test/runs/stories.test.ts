import { afterEach, describe, expect, it } from 'vitest'
import { applyWord } from '../../src/director/apply-word.ts'
import { gitWordWorld } from '../../src/director/git-word-world.ts'
import { personsWord } from '../../src/director/speak.ts'
import { sh } from '../git/scratch.ts'
import { complete, openScene, type Scene, type SceneOptions, say, work } from './scene.ts'

let scene: Scene
const open = async (options: SceneOptions): Promise<Scene> => {
  scene = await openScene(options)
  return scene
}
afterEach(() => scene.close())

describe('an agent that', () => {
  it('does its work is proven, kept for the record, and its task is in review', async () => {
    await open({
      entries: [
        {
          steps: [
            say('<axiom>PROGRESS:50</axiom>'),
            ...work('greeting.txt', 'hello\nworld\n'),
            say('<axiom>DISCOVERY_GLOBAL:greetings end with a line feed</axiom>'),
            complete,
          ],
        },
      ],
      verification: ['grep -q hello greeting.txt'],
    })
    const { end, agent } = await scene.run()
    expect(end.kind).toBe('complete')
    expect(agent).toBe('echo-001')
    const task = await scene.task()
    const commit = sh(scene.scratch.ground.integration.gitDir, 'git rev-parse refs/axiom/runs/task-001/1')
    expect(task).toMatchObject({
      status: 'review',
      leases: { develop: { holder: 'echo-001' } },
      metadata: {
        assignee: 'echo-001',
        execution: {
          startedAt: expect.any(String),
          completedAt: expect.any(String),
          durationMs: expect.any(Number),
          iterations: 1,
          workspace: '.workspaces/echo-001-task-001',
          branch: 'agent/echo-001/task-001',
          finalCommit: commit,
          verificationPassed: true,
          codeChanges: { filesChanged: 1, linesAdded: 2, linesRemoved: 0 },
          signals: ['PROGRESS:50', 'DISCOVERY_GLOBAL:greetings end with a line feed', 'COMPLETE'],
        },
        run: { evidence: expect.any(String) },
      },
    })
    const evidence = (task.metadata.run as { evidence: string }).evidence
    const kept = JSON.parse(Buffer.from((await scene.store.getBlob(evidence)) ?? []).toString())
    expect(kept.proof).toMatchObject({ commit, task: 'task-001', agent: 'echo-001' })
    expect(await scene.store.query({ type: 'discovery' })).toMatchObject([
      { content: 'greetings end with a line feed', parentId: 'task-001', metadata: { scope: 'global' } },
    ])
    expect(scene.rows.map(({ progress }) => progress)).toContain(50)
    expect(scene.rows.at(-1)).toMatchObject({ state: 'completed', progress: 50 })
  })

  it('fails twice and then passes has its task proven, in the same workspace and claim', async () => {
    await open({
      entries: [
        { iteration: 1, steps: [...work('half.txt', 'half\n'), { do: 'exit', code: 3 }] },
        { iteration: 2, steps: [{ do: 'exit', code: 4 }] },
        { iteration: 3, steps: [...work('greeting.txt', 'hello\n'), complete] },
      ],
    })
    const { end, fence } = await scene.run()
    expect(end.kind).toBe('complete')
    expect(fence).toBe(1)
    expect(scene.promptOf(3)).toContain('exit code 4')
    expect((await scene.task()).metadata.execution).toMatchObject({
      iterations: 3,
      codeChanges: { filesChanged: 2 },
    })
    expect((await scene.task()).metadata.execution).not.toHaveProperty('lastError')
  })

  it('fails a third time has its task failed, and its workspace stays', async () => {
    await open({
      entries: [
        {
          steps: [
            { do: 'edit', file: 'a.txt', write: 'a' },
            { do: 'exit', code: 3 },
          ],
        },
      ],
    })
    expect((await scene.run()).end).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('exit code 3'),
    })
    const task = await scene.task()
    expect(task).toMatchObject({ status: 'failed', metadata: { execution: { iterations: 3 } } })
    expect(task.leases).toBeUndefined()
    expect(sh(scene.scratch.ground.workspacesDir, 'cat echo-001-task-001/a.txt')).toBe('a')
  })

  it('lies about its completion is told so until it does the work', async () => {
    await open({
      entries: [
        { iteration: 1, steps: [{ do: 'lie' }] },
        {
          iteration: 2,
          steps: [{ do: 'edit', file: 'greeting.txt', write: 'hello\n' }, say('Now it is done.'), complete],
        },
        { iteration: 3, steps: [...work('greeting.txt', 'hello\n'), say('Really.'), complete] },
      ],
      verification: ['grep -q hello greeting.txt'],
    })
    expect((await scene.run()).end.kind).toBe('complete')
    expect(scene.promptOf(2)).toContain('There is no commit since the work began')
    expect(scene.promptOf(3)).toContain('These files are not committed: greeting.txt')
    expect(scene.log().filter(({ event }) => event === 'verification')).toMatchObject([
      { result: 'refused' },
      { result: 'refused' },
      { result: 'proven', checks: ['grep -q hello greeting.txt: passed'] },
    ])
  })

  it('leaves a check red gets its output and needs a second iteration', async () => {
    await open({
      entries: [
        { iteration: 1, steps: [...work('greeting.txt', 'good day\n'), complete] },
        { iteration: 2, steps: [...work('greeting.txt', 'hello\n'), complete] },
      ],
      verification: ["grep hello greeting.txt || { printf 'missing-%s\\n' hello; exit 1; }"],
    })
    expect((await scene.run()).end.kind).toBe('complete')
    expect(scene.promptOf(2)).toContain('missing-hello')
    expect((await scene.task()).metadata.execution).toMatchObject({ iterations: 2, verificationPassed: true })
  })

  it('asks is held by its question alone, and goes on with the answer where it stood', async () => {
    await open({
      entries: [
        { iteration: 1, steps: [...work('half.txt', 'half\n'), { do: 'ask', question: 'which greeting?' }] },
        { iteration: 2, steps: [...work('greeting.txt', 'hello\n'), complete] },
      ],
    })
    expect((await scene.run()).end).toMatchObject({
      kind: 'pending',
      question: { question: 'which greeting?' },
    })
    const asked = await scene.task()
    expect(asked.status).toBe('blocked')
    expect(asked.leases).toBeUndefined()
    const [question] = await scene.store.query({ type: 'pending' })
    expect(question).toMatchObject({
      status: 'pending',
      metadata: { question: 'which greeting?', waitingTask: 'task-001' },
    })
    expect((await scene.store.query({ ready: true })).map(({ id }) => id)).toEqual(['task-002'])
    const text = 'hello, in lower case'
    const occurrence = personsWord('task-001', 'ANSWERED', { id: 'answer-1', by: 'user', text })
    await applyWord(scene.store, gitWordWorld(scene.world), { about: 'task-001', occurrence })
    const { end } = await scene.run({ agent: 'echo-001' })
    expect(end.kind).toBe('complete')
    // Two iterations in two runs are invocations of one agent, not spawns.
    expect(JSON.parse(scene.read('metrics/counters.json'))).toMatchObject({ echo: 1 })
    expect(scene.promptOf(2)).toContain('hello, in lower case')
    expect((await scene.task()).metadata.execution).toMatchObject({
      iterations: 2,
      codeChanges: { filesChanged: 2 },
    })
  })

  it('crashes gives its task back; another goes on in its workspace and knows what happened', async () => {
    await open({
      entries: [
        {
          iteration: 1,
          steps: [
            say('I begin with the first half.'),
            ...work('half.txt', 'half\n'),
            { do: 'edit', file: 'loose.txt', write: 'x' },
            { do: 'crash' },
          ],
        },
        { iteration: 2, steps: [...work('greeting.txt', 'hello\n'), complete] },
      ],
    })
    expect((await scene.run()).end).toMatchObject({ kind: 'restart', cause: 'crashed' })
    expect(await scene.task()).toMatchObject({
      status: 'pending',
      metadata: {
        execution: { retryCount: 1, iterations: 1, lastError: expect.stringContaining('AGENT_CRASHED') },
      },
    })
    const history = await scene.store.history('task-001')
    expect(history.at(-1)?.reason).toContain('crashed')
    const second = await scene.run()
    expect(second).toMatchObject({ agent: 'echo-002', fence: 2, end: { kind: 'complete' } })
    expect(JSON.parse(scene.read('metrics/counters.json'))).toMatchObject({ echo: 2 })
    const prompt = scene.promptOf(2)
    expect(prompt).toContain('The last attempt broke off')
    expect(prompt).toContain('feat: half.txt')
    expect(prompt).toContain('I begin with the first half.')
    expect((await scene.task()).metadata.execution).toMatchObject({
      retryCount: 1,
      iterations: 2,
      codeChanges: { filesChanged: 3 },
    })
  })

  it('crashes whenever it is started has its task failed after two restarts', async () => {
    await open({ entries: [{ steps: [{ do: 'crash' }] }] })
    const ends = [await scene.run(), await scene.run(), await scene.run()].map(({ end }) => end.kind)
    expect(ends).toEqual(['restart', 'restart', 'failed'])
    expect(await scene.task()).toMatchObject({ status: 'failed', metadata: { execution: { retryCount: 2 } } })
  })

  it('says the same three times is held, and the task says why', async () => {
    await open({ entries: [{ steps: [say('Let me think about it once more.')] }] })
    expect((await scene.run()).end).toMatchObject({ kind: 'blocked', warning: { kind: 'loop' } })
    expect(await scene.task()).toMatchObject({
      status: 'blocked',
      metadata: { run: { hold: { kind: 'loop', reason: 'the same output 3 times in a row' } } },
    })
  })

  it('cannot be understood is asked twice, then replaced by one that is told how to signal', async () => {
    await open({
      entries: [
        ...[1, 2, 3, 4, 5].map((iteration) => ({ iteration, steps: [say(`Thought number ${iteration}.`)] })),
        { iteration: 6, steps: [...work('greeting.txt', 'hello\n'), complete] },
      ],
    })
    expect((await scene.run()).end).toMatchObject({ kind: 'restart', cause: 'silent' })
    expect(
      [2, 3, 4, 5].map((number) => scene.promptOf(number).includes('A checkpoint is asked of you')),
    ).toEqual([false, false, true, true])
    expect(await scene.task()).toMatchObject({
      status: 'pending',
      metadata: { execution: { retryCount: 1 } },
    })
    expect(await scene.run()).toMatchObject({ agent: 'echo-002', end: { kind: 'complete' } })
    expect(scene.promptOf(6)).toContain('How to signal')
  })

  it('is blocked frees its slot, and what lies in its workspace is saved', async () => {
    await open({
      entries: [
        {
          steps: [
            { do: 'edit', file: 'loose.txt', write: 'unsaved' },
            { do: 'signal', tag: 'BLOCKED', payload: 'no database' },
          ],
        },
      ],
    })
    expect((await scene.run()).end).toMatchObject({ kind: 'blocked', reason: 'no database' })
    const task = await scene.task()
    expect(task).toMatchObject({ status: 'blocked', metadata: { run: { hold: { reason: 'no database' } } } })
    const [ref] = (task.metadata.run as { saved: string[] }).saved
    expect(sh(scene.scratch.ground.integration.gitDir, `git show ${ref}:loose.txt`)).toBe('unsaved')
  })

  it('speaks for another task or in the middle of its work is not heard, and the log says why', async () => {
    await open({
      entries: [
        {
          iteration: 1,
          steps: [
            say('READY_FOR_REVIEW: task-002\n'),
            complete,
            say('REVIEW_PASSED: task-001\n'),
            { do: 'spoof' },
            say('There is more to do.'),
          ],
        },
        { iteration: 2, steps: [...work('greeting.txt', 'hello\n'), complete] },
      ],
    })
    expect((await scene.run()).end.kind).toBe('complete')
    expect((await scene.task()).metadata.execution).toMatchObject({ iterations: 2, signals: ['COMPLETE'] })
    const problems = scene.read('logs/signals.jsonl').trim().split('\n')
    expect(problems.map((line) => JSON.parse(line))).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({
          level: 'warn',
          code: 'SIGNAL_FOREIGN_TASK',
          agent: 'echo-001',
          task: 'task-001',
        }),
        expect.objectContaining({ code: 'SIGNAL_NOT_LAST', raw: '<axiom>COMPLETE</axiom>' }),
        expect.objectContaining({ code: 'SIGNAL_WRONG_SENDER' }),
      ]),
    )
  })
})
