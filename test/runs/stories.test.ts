import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { configSchema } from '../../src/config/schema.ts'
import { personEventContext } from '../../src/project/delivery/event-context.ts'
import { answerQuestion } from '../../src/project/interventions/answer-question.ts'
import { sh } from '../git/scratch.ts'
import {
  complete,
  integrationOf,
  landedOn,
  logOf,
  openScene,
  type SceneOptions,
  say,
  TASK,
  type Theatre,
  work,
} from './scene.ts'

let scene: Theatre
const open = async (options: SceneOptions): Promise<void> => {
  scene = await openScene(options)
}
afterEach(() => scene.close())

const promptOf = (iteration: number): string => scene.developersPrompts(TASK).get(iteration) ?? ''
const executionOf = async (id = TASK) => (await scene.task(id)).metadata.execution
const spawned = () => JSON.parse(scene.read('metrics/counters.json')) as Record<string, number>

/** Of the last commit on the target. */
function trailersOf(): Record<string, string> {
  const lines = sh(integrationOf(scene), "git log -1 --format='%(trailers:only)' main").split('\n')
  return Object.fromEntries(lines.map((line) => line.split(': ')))
}

async function expectLanded(id = TASK): Promise<void> {
  expect(await scene.task(id)).toMatchObject({ status: 'done' })
  expect(landedOn(scene).filter((task) => task === id)).toEqual([id])
}

describe('an agent that', () => {
  it('does its work is proven, kept for the record, reviewed, audited and landed', async () => {
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
      verification: ['test ! -e readme.txt'],
    })
    expect(await scene.run()).toBe('nothing-left')
    await expectLanded()
    const task = await scene.task(TASK)
    const commit = sh(integrationOf(scene), 'git rev-parse refs/axiom/runs/task-001/1')
    expect(task).toMatchObject({
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
    const store = await scene.store()
    const evidence = (task.metadata.run as { evidence: string }).evidence
    const kept = JSON.parse(Buffer.from((await store.getBlob(evidence)) ?? []).toString())
    expect(kept.proof).toMatchObject({ commit, task: TASK, agent: 'echo-001' })
    expect(await store.query({ type: 'discovery' })).toMatchObject([
      { content: 'greetings end with a line feed', parentId: TASK, metadata: { scope: 'global' } },
    ])
    expect(await scene.moves(TASK)).toEqual([
      'CLAIMED by director: queued → developing',
      'COMPLETE by echo-001: developing → critique',
      'REVIEW_PASSED by critic-001: critique → audit',
      'AUDIT_PASSED by auditor-001: audit → confirming',
      'CONFIRMED by director: confirming → integrating',
      'LANDED by director: integrating → landed',
    ])
    const shown = scene.rows.filter(({ agent }) => agent === 'echo-001')
    expect(shown.map(({ progress }) => progress)).toContain(50)
    expect(shown.at(-1)).toMatchObject({ state: 'completed', progress: 50 })
    expect(scene.show('greeting.txt')).toBe('hello\nworld')
  })

  it('fails twice and then passes has its work landed, from the same workspace and claim', async () => {
    await open({
      entries: [
        { iteration: 1, steps: [...work('half.txt', 'half\n'), { do: 'exit', code: 3 }] },
        { iteration: 2, steps: [{ do: 'exit', code: 4 }] },
        { iteration: 3, steps: [...work('greeting.txt', 'hello\n'), complete] },
      ],
    })
    await scene.run()
    await expectLanded()
    expect(promptOf(3)).toContain('exit code 4')
    expect(trailersOf()).toMatchObject({ Agent: 'echo-001', Fence: '1' })
    expect(await executionOf()).toMatchObject({ iterations: 3, codeChanges: { filesChanged: 2 } })
    expect(await executionOf()).not.toHaveProperty('lastError')
    expect(spawned()).toMatchObject({ echo: 1 })
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
    await scene.run()
    const task = await scene.task(TASK)
    expect(task).toMatchObject({
      status: 'failed',
      metadata: { execution: { iterations: 3, lastError: expect.stringContaining('exit code 3') } },
    })
    expect(task.leases).toBeUndefined()
    expect(sh(scene.root, 'cat .workspaces/echo-001-task-001/a.txt')).toBe('a')
    expect(landedOn(scene)).toEqual([])
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
      verification: ['test ! -e readme.txt'],
    })
    await scene.run()
    await expectLanded()
    expect(promptOf(2)).toContain('There is no commit since the work began')
    expect(promptOf(3)).toContain('These files are not committed: greeting.txt')
    expect(logOf(scene).filter(({ event }) => event === 'verification')).toMatchObject([
      { result: 'refused' },
      { result: 'refused' },
      { result: 'proven', checks: ['test ! -e readme.txt: passed'] },
    ])
  })

  it('leaves a check red gets its output and needs a second iteration', async () => {
    await open({
      entries: [
        { iteration: 1, steps: [...work('greeting.txt', 'good day\n'), complete] },
        { iteration: 2, steps: [...work('greeting.txt', 'hello again\n'), complete] },
      ],
      files: { 'greeting.txt': 'hello\n' },
      verification: ["grep hello greeting.txt || { printf 'missing-%s\\n' hello; exit 1; }"],
    })
    await scene.run()
    await expectLanded()
    expect(promptOf(2)).toContain('missing-hello')
    expect(await executionOf()).toMatchObject({ iterations: 2, verificationPassed: true })
  })

  it('asks is held by its question alone, and goes on with the answer where it stood', async () => {
    await open({
      tasks: ['Add a greeting', 'Add a farewell'],
      entries: [
        {
          tasks: [TASK],
          iteration: 1,
          steps: [...work('half.txt', 'half\n'), { do: 'ask', question: 'which greeting?' }],
        },
        { tasks: [TASK], iteration: 2, steps: [...work('greeting.txt', 'hello\n'), complete] },
        { steps: [...work('farewell.txt', 'bye\n'), complete] },
      ],
    })
    await scene.run()
    const asked = await scene.task(TASK)
    expect(asked.status).toBe('blocked')
    expect(asked.leases).toBeUndefined()
    await expectLanded('task-002')
    const store = await scene.store()
    const [question] = await store.query({ type: 'pending' })
    expect(question).toMatchObject({
      status: 'pending',
      metadata: { question: 'which greeting?', waitingTask: TASK },
    })
    const answer = { id: TASK, by: 'user', text: 'hello, in lower case' }
    expect(
      await answerQuestion(
        store,
        personEventContext(join(scene.root, '.axiom'), configSchema.parse({})),
        answer,
      ),
    ).toMatchObject({
      kind: 'answered',
    })
    await scene.run()
    await expectLanded()
    // One for each task, and one more because the answer came when the director was away: a restart is a new spawn.
    expect(spawned()).toMatchObject({ echo: 3 })
    expect(promptOf(2)).toContain('hello, in lower case')
    expect(await executionOf()).toMatchObject({ iterations: 2, codeChanges: { filesChanged: 2 } })
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
    await scene.run()
    await expectLanded()
    expect(trailersOf()).toMatchObject({ Agent: 'echo-002', Fence: '2' })
    expect(await executionOf()).toMatchObject({
      retryCount: 1,
      iterations: 2,
      workspace: '.workspaces/echo-001-task-001',
      codeChanges: { filesChanged: 3 },
    })
    expect((await scene.moves(TASK)).filter((move) => move.startsWith('AGENT_LOST'))).toEqual([
      'AGENT_LOST by director: developing → queued (crashed: AGENT_CRASHED: exit code 137)',
    ])
    expect(spawned()).toMatchObject({ echo: 2 })
    const prompt = promptOf(2)
    expect(prompt).toContain('The last attempt broke off')
    expect(prompt).toContain('feat: half.txt')
    expect(prompt).toContain('I begin with the first half.')
  })

  it('crashes whenever it is started has its task failed after two restarts', async () => {
    await open({ entries: [{ steps: [{ do: 'crash' }] }] })
    await scene.run()
    expect(await scene.task(TASK)).toMatchObject({
      status: 'failed',
      metadata: { execution: { retryCount: 2 } },
    })
    expect(spawned()).toMatchObject({ echo: 3 })
  })

  it('says the same three times is held, and the task says why', async () => {
    await open({ entries: [{ steps: [say('Let me think about it once more.')] }] })
    await scene.run()
    expect(await scene.task(TASK)).toMatchObject({
      status: 'blocked',
      metadata: {
        execution: { iterations: 3 },
        run: { hold: { kind: 'loop', reason: 'the same output 3 times in a row' } },
      },
    })
  })

  it('cannot be understood is asked twice, then replaced by one that is told how to signal', async () => {
    await open({
      entries: [
        ...[1, 2, 3, 4, 5].map((iteration) => ({ iteration, steps: [say(`Thought number ${iteration}.`)] })),
        { iteration: 6, steps: [...work('greeting.txt', 'hello\n'), complete] },
      ],
    })
    await scene.run()
    await expectLanded()
    const asked = [2, 3, 4, 5].map((number) => promptOf(number).includes('A checkpoint is asked of you'))
    expect(asked).toEqual([false, false, true, true])
    expect(await scene.task(TASK)).toMatchObject({ metadata: { assignee: 'echo-002' } })
    expect(await executionOf()).toMatchObject({ retryCount: 1 })
    expect(promptOf(6)).toContain('How to signal')
  })

  it('is blocked frees its slot, and what lies in its workspace is saved', async () => {
    await open({
      tasks: ['Add a greeting', 'Add a farewell'],
      entries: [
        {
          tasks: [TASK],
          steps: [
            { do: 'edit', file: 'loose.txt', write: 'unsaved' },
            { do: 'signal', tag: 'BLOCKED', payload: 'no database' },
          ],
        },
        { steps: [...work('farewell.txt', 'bye\n'), complete] },
      ],
    })
    await scene.run()
    await expectLanded('task-002')
    const task = await scene.task(TASK)
    expect(task).toMatchObject({ status: 'blocked', metadata: { run: { hold: { reason: 'no database' } } } })
    const [ref] = (task.metadata.run as { saved: string[] }).saved
    expect(sh(integrationOf(scene), `git show ${ref}:loose.txt`)).toBe('unsaved')
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
    await scene.run()
    await expectLanded()
    expect(await executionOf()).toMatchObject({ iterations: 2, signals: ['COMPLETE'] })
    const problems = scene.read('logs/signals.jsonl').trim().split('\n')
    expect(problems.map((line) => JSON.parse(line))).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({
          level: 'warn',
          code: 'SIGNAL_FOREIGN_TASK',
          agent: 'echo-001',
          task: TASK,
        }),
        expect.objectContaining({ code: 'SIGNAL_NOT_LAST', raw: '<axiom>COMPLETE</axiom>' }),
        expect.objectContaining({ code: 'SIGNAL_WRONG_SENDER' }),
      ]),
    )
  })
})
