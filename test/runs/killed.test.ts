import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { countProcessesWith } from '../clients/scratch.ts'
import { complete, openScene, type Scene, say, work } from './scene.ts'

const PROGRAM = join(import.meta.dirname, 'programs/doomed.ts')
const WAIT_MAX_MS = 120_000

let scene: Scene
afterEach(() => scene.close())

/** Starts an orchestrator of its own and kills it, without a chance to say goodbye, when its agent is in the middle. */
async function killInTheMiddle(root: string, sign: string): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let shown = ''
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString()
  })
  const gone = new Promise((resolve) => child.once('exit', resolve))
  const begun = Date.now()
  while (!shown.includes(sign)) {
    if (Date.now() - begun > WAIT_MAX_MS) throw new Error(`never saw "${sign}" in: ${shown}`)
    await sleep(20)
  }
  await sleep(300)
  child.kill('SIGKILL')
  await gone
}

describe('an orchestrator that is killed in the middle of a run', () => {
  it('leaves a task that the next one gives back and finishes, knowing what was done', async () => {
    const entries = [
      {
        agent: 'echo-001',
        iteration: 1,
        steps: [say('I take the first half.'), ...work('half.txt', 'half\n')],
      },
      {
        agent: 'echo-001',
        iteration: 2,
        steps: [
          { do: 'edit' as const, file: 'loose.txt', write: 'not committed' },
          { do: 'run' as const, command: 'echo in the middle' },
          { do: 'hang' as const },
        ],
      },
      { steps: [...work('greeting.txt', 'hello\n'), complete] },
    ]
    scene = await openScene({ entries })
    const { root } = scene.scratch
    await scene.store.close()
    await killInTheMiddle(root, 'in the middle')
    scene = await openScene({ root })
    const abandoned = await scene.task()
    expect(abandoned).toMatchObject({
      status: 'active',
      leases: { develop: { holder: 'echo-001' } },
      metadata: { execution: { iterations: 1 } },
    })
    const begun = Date.now()
    while (countProcessesWith(root) > 0 && Date.now() - begun < WAIT_MAX_MS) await sleep(50)
    expect(countProcessesWith(root)).toBe(0)
    await scene.commit({ kind: 'recover', id: 'task-001', reason: 'its holder died', holderDead: true })
    const { end, agent, fence } = await scene.run()
    expect(end.kind).toBe('complete')
    expect([agent, fence]).toEqual(['echo-002', 2])
    const prompt = scene.promptOf(2)
    expect(prompt).toContain('it was cut off without a word; restarts so far: 1')
    expect(prompt).toContain('I take the first half.')
    expect(prompt).toContain('feat: half.txt')
    expect((await scene.task()).metadata.execution).toMatchObject({
      retryCount: 1,
      iterations: 2,
      workspace: '.workspaces/echo-001-task-001',
      codeChanges: { filesChanged: 3 },
    })
  })
})
