import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { configSchema } from '../../src/config/schema.ts'
import { personEventContext } from '../../src/project/delivery/event-context.ts'
import { answerQuestion } from '../../src/project/interventions/answer-question.ts'
import type { Entry } from '../../src/sim/playbook.ts'
import { sh } from '../git/scratch.ts'
import { complete, integrationOf, landedOn, openScene, type Theatre, until, work } from './scene.ts'

let scene: Theatre
afterEach(() => scene.close())

/** It goes on, and fails, as well when its folder is gone. */
const GATE = 'while [ -e begun.log ] && [ ! -e go.log ]; do sleep 0.05; done'
/** Waits in the middle of its work until it is let go on. */
const gated = (task: string, file: string): Entry => ({
  tasks: [task],
  steps: [
    { do: 'edit', file: 'begun.log', write: '' },
    { do: 'run', command: GATE, timeoutMs: 240_000 },
    ...work(file, `${file}\n`),
    complete,
  ],
})
const workspaceOf = (agent: string, task: string): string =>
  join(scene.root, '.workspaces', `${agent}-${task}`)
const isAtWork = (agent: string, task: string): boolean =>
  existsSync(join(workspaceOf(agent, task), 'begun.log'))
const letGoOn = (agent: string, task: string): void =>
  writeFileSync(join(workspaceOf(agent, task), 'go.log'), '')

/** What he has not committed: staged, changed, new. */
const OWN = { 'staged.txt': 'mine, staged\n', 'readme.md': 'mine, changed\n', 'new.txt': 'mine, new\n' }

function expectOwnUntouched(): void {
  for (const [file, text] of Object.entries(OWN))
    expect(readFileSync(join(scene.root, file), 'utf8')).toBe(text)
  expect(sh(scene.root, 'git status --porcelain').split('\n').toSorted()).toEqual(
    ['A  staged.txt', ' M readme.md', '?? new.txt'].map((line) => line.trim()).toSorted(),
  )
}

describe('a user who works in his repository while agents do', () => {
  it('F28: commits, rewrites, deletes a workspace and keeps files uncommitted; all lands on top, his bytes stay', async () => {
    scene = await openScene({
      files: { '.gitignore': '.axiom/\n.w*/\n*.log\n' },
      tasks: ['One', 'Two', 'Three'],
      entries: [
        gated('task-001', 'one.txt'),
        { ...gated('task-002', 'two.txt'), agent: 'echo-002' },
        { tasks: ['task-002'], steps: [...work('two.txt', 'two.txt\n'), complete] },
        gated('task-003', 'three.txt'),
      ],
    })
    const { root } = scene
    for (const [file, text] of Object.entries(OWN)) writeFileSync(join(root, file), text)
    sh(root, 'git add staged.txt')
    const isDone = async (id: string): Promise<boolean> => (await scene.task(id)).status === 'done'
    await scene.run(async () => {
      // He commits while the first agent is at work on what was there before.
      await until(() => isAtWork('echo-001', 'task-001'))
      sh(root, 'echo his > his.txt && git add his.txt && git commit -qm "his own" his.txt')
      letGoOn('echo-001', 'task-001')
      await until(() => isDone('task-001'))
      // He deletes the workspace under the second one.
      await until(() => isAtWork('echo-002', 'task-002'))
      rmSync(workspaceOf('echo-002', 'task-002'), { recursive: true })
      await until(async () => (await scene.task('task-002')).status === 'blocked')
      expect((await scene.task('task-002')).metadata.run).toMatchObject({
        hold: { reason: expect.stringContaining('It was removed from outside') },
      })
      const world = personEventContext(join(root, '.axiom'), configSchema.parse({}))
      const answer = { id: 'task-002', by: 'user', text: 'that was me: start again' }
      expect(await answerQuestion(await scene.store(), world, answer)).toMatchObject({ kind: 'answered' })
      // He rewrites what he had committed, and what had landed on it, as after a force-push.
      await until(() => isAtWork('echo-003', 'task-003'))
      sh(
        root,
        'git update-ref refs/heads/main $(git commit-tree -p $(git rev-list --max-parents=0 HEAD) -m rewritten HEAD^{tree})',
      )
      letGoOn('echo-003', 'task-003')
      await until(async () => (await isDone('task-003')) && (await isDone('task-002')))
    })
    expectOwnUntouched()
    expect(landedOn(scene).toSorted()).toEqual(['task-001', 'task-002', 'task-003'])
    const history = sh(integrationOf(scene), 'git log --format=%s main')
    expect(history).toContain('his own')
    expect(sh(integrationOf(scene), 'git show main:his.txt')).toBe('his')
    expect(scene.notices.map(({ code }) => code)).toContain('REMOTE_FORCE_PUSH')
    // His branch is his: it was left where he put it.
    expect(sh(root, 'git log -1 --format=%s main')).toBe('rewritten')
  })
})
