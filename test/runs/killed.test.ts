import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { Theatre } from '../delivery/theatre.ts'
import { Orchestrator } from './orchestrator.ts'
import { expectKept, filesInWorkspaces } from './saved-work.ts'
import { complete, landedOn, openScene, say, TASK, until, work } from './scene.ts'

let scene: Theatre
afterEach(() => scene.close())

describe('an orchestrator that is killed in the middle of a run', () => {
  it('leaves a task that the next one gives back and lands, knowing what was done', async () => {
    scene = await openScene({
      entries: [
        {
          agent: 'echo-001',
          iteration: 1,
          steps: [say('I take the first half.'), ...work('half.txt', 'half\n')],
        },
        {
          agent: 'echo-001',
          iteration: 2,
          steps: [{ do: 'edit', file: 'loose.txt', write: 'of the dead one' }, { do: 'hang' }],
        },
        {
          steps: [
            { do: 'edit', file: 'loose.txt', write: 'of the next one' },
            ...work('greeting.txt', 'hello\n'),
            complete,
          ],
        },
      ],
    })
    await scene.leave()
    const orchestrator = await Orchestrator.start(scene.scratch)
    orchestrator.go()
    await until(() => existsSync(join(scene.root, '.workspaces/echo-001-task-001/loose.txt')))
    await orchestrator.kill('SIGKILL')
    scene = Theatre.reopen(scene.scratch)
    expect(await scene.task(TASK)).toMatchObject({
      status: 'active',
      leases: { develop: { holder: 'echo-001' } },
      metadata: { execution: { iterations: 1 } },
    })
    const files = filesInWorkspaces(scene)
    expect(files.map(({ path }) => path)).toContain('echo-001-task-001/loose.txt')
    await scene.run()
    expectKept(scene, files, 'killed in the middle')
    expect(landedOn(scene)).toEqual([TASK])
    const prompt = scene.developersPrompts(TASK).get(2)
    expect(prompt).toContain('it was cut off without a word; restarts so far: 1')
    expect(prompt).toContain('I take the first half.')
    expect(prompt).toContain('feat: half.txt')
    expect(await scene.task(TASK)).toMatchObject({
      status: 'done',
      metadata: {
        assignee: 'echo-002',
        execution: {
          retryCount: 1,
          iterations: 2,
          workspace: '.workspaces/echo-001-task-001',
          codeChanges: { filesChanged: 3 },
        },
      },
    })
  })
})
