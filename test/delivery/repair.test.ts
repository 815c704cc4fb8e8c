import { readdirSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { sh } from '../git/scratch.ts'
import { openScene, type Scene, type SceneOptions, say } from '../hands-scene.ts'
import { Line, TASK } from './line.ts'

let scene: Scene
const open = async (options: SceneOptions): Promise<Line> => {
  scene = await openScene(options)
  return new Line(scene)
}
afterEach(() => scene.close())

/** Red on the target as it is: nobody wrote the file that the check looks for. */
const CHECK = 'grep -q ready state.txt'
const REPORT = [
  `INFRA_BLOCKED: ${TASK}`,
  '',
  'Issue: the state file is missing',
  `Command: ${CHECK}`,
  'Output: grep: state.txt: No such file or directory',
  'Environment: local',
].join('\n')
const repairBy = (text: string) => [
  { do: 'edit' as const, file: 'state.txt', write: text },
  { do: 'commit' as const, message: 'fix: the state file' },
]

async function reported(line: Line): Promise<void> {
  await line.claim('develop', 'echo-001')
  await line.tell('CLAIMED')
  await line.say('developer', REPORT)
  expect((await line.delivery()).state).toBe('remediating')
}

describe('a repair', () => {
  it('of a check that is really red is seen green by the health auditor and by AXIOM, and then lands', async () => {
    const line = await open({
      entries: [
        { role: 'remediator', steps: [...repairBy('ready\n'), { do: 'play', reason: 'no state file' }] },
      ],
      verification: [CHECK],
    })
    await reported(line)
    const target = await line.target()
    const { result } = await line.perform('remediator')
    expect(result).toMatchObject({ kind: 'said', signal: { name: 'REMEDIATION_COMPLETE' } })
    const repair = (result.kind === 'said' && result.commit) || ''
    expect(sh(scene.world.ground.integration.gitDir, `git show ${repair}:state.txt`)).toBe('ready')
    expect(sh(scene.world.ground.integration.gitDir, `git rev-parse ${repair}^`)).toBe(target)
    // Nothing of it bears the name of the task that met the fault.
    expect(sh(scene.world.ground.integration.gitDir, 'git for-each-ref refs/axiom/runs')).toContain(
      `refs/axiom/runs/${TASK}-repair/1`,
    )
    const health = await line.perform('health-auditor')
    expect(health.result).toMatchObject({ kind: 'said', commit: repair, checksGreen: true })
    expect(await line.delivery()).toMatchObject({ state: 'repair-landing', repairCommit: repair })
    expect(line.promptsOf('max')[0]).toContain('no state file')
    expect(line.promptsOf('remediator')[0]).toContain('the state file is missing')
    expect(readdirSync(scene.world.ground.workspacesDir)).toEqual(['.trash'])
  })

  it('that is called healthy but is red for AXIOM is tried again, with what AXIOM saw', async () => {
    const line = await open({
      entries: [
        {
          role: 'remediator',
          agent: 'remediator-001',
          steps: [...repairBy('nearly\n'), say('REMEDIATION_COMPLETE')],
        },
        { role: 'remediator', steps: [...repairBy('ready\n'), { do: 'play' }] },
        { role: 'health-auditor', agent: 'max-001', steps: [say('HEALTH_AUDIT: HEALTHY')] },
      ],
      verification: [CHECK],
    })
    await reported(line)
    await line.perform('remediator')
    const first = await line.perform('health-auditor')
    expect(first.result).toMatchObject({ kind: 'said', checksGreen: false })
    expect(await line.delivery()).toMatchObject({ state: 'remediating', repairAttempts: 2 })
    await line.perform('remediator')
    const told = line.promptsOf('remediator').at(-1) ?? ''
    expect(told).toContain('This is attempt 2.')
    expect(told).toContain('After attempt 1 a fresh checkout is still red')
    expect(told).toContain(CHECK)
    await line.perform('health-auditor')
    expect((await line.delivery()).state).toBe('repair-landing')
  })

  it('that is left uncommitted is not accepted until it is committed', async () => {
    const line = await open({
      entries: [
        {
          role: 'remediator',
          iteration: 1,
          steps: [{ do: 'edit', file: 'state.txt', write: 'ready\n' }, say('REMEDIATION_COMPLETE')],
        },
        { role: 'remediator', steps: [{ do: 'commit', message: 'fix: state' }, say('REMEDIATION_COMPLETE')] },
      ],
      verification: [CHECK],
    })
    await reported(line)
    const { result } = await line.perform('remediator')
    expect(result).toMatchObject({
      kind: 'said',
      iterations: 2,
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
    })
    expect(line.promptsOf('remediator')[1]).toContain('These files are not committed: state.txt')
  })

  it('that never succeeds ends before the person after its attempts, and his guidance reaches the next', async () => {
    const line = await open({
      entries: [{ role: 'remediator', steps: [{ do: 'crash' }] }],
      verification: [CHECK],
      config: { review: { remediationAttempts: 2 } },
    })
    await reported(line)
    await line.perform('remediator')
    expect(await line.delivery()).toMatchObject({ state: 'remediating', repairAttempts: 2 })
    await line.perform('remediator')
    expect((await line.delivery()).state).toBe('repair-escalated')
    const [question] = await scene.store.query({ type: 'pending' })
    expect(question?.metadata).toMatchObject({
      waitingTask: TASK,
      options: [{ label: 'retry' }, { label: 'override' }, { label: 'halt' }],
    })
    await line.decide('RETRY', 'write the word ready into state.txt')
    expect(await line.delivery()).toMatchObject({ state: 'remediating', repairAttempts: 1 })
    scene.play([{ role: 'remediator', steps: [...repairBy('ready\n'), { do: 'play' }] }])
    await line.perform('remediator')
    expect(line.promptsOf('remediator').at(-1)).toContain('write the word ready into state.txt')
    expect((await line.delivery()).state).toBe('health-check')
  })
})

describe('an analyst', () => {
  it('writes out a task without criteria, looking at the code; vague words are sent back to it', async () => {
    const line = await open({
      entries: [
        { role: 'analyst', agent: 'axel-001', steps: [{ do: 'play', criteria: ['it is nicer'] }] },
        {
          role: 'analyst',
          steps: [
            { do: 'run', command: 'cat src/add.js', mustPass: true },
            { do: 'play', criteria: ['farewell.txt contains "goodbye"'] },
          ],
        },
      ],
    })
    await line.tell('UNDERSPECIFIED')
    expect((await line.delivery()).state).toBe('specifying')
    await line.perform('analyst')
    expect(await line.delivery()).toMatchObject({ state: 'specifying', ownTries: 1 })
    await line.perform('analyst')
    expect(line.promptsOf('axel').at(-1)).toContain('No test could show these criteria')
    const task = await line.task()
    expect(task).toMatchObject({
      status: 'pending',
      metadata: { acceptanceCriteria: ['farewell.txt contains "goodbye"'] },
    })
    expect((await line.delivery()).state).toBe('queued')
  })

  it('that is not sure asks the person', async () => {
    const line = await open({ entries: [{ role: 'analyst', steps: [{ do: 'play', confidence: 'LOW' }] }] })
    await line.tell('UNDERSPECIFIED')
    await line.perform('analyst')
    expect(await line.delivery()).toMatchObject({ state: 'asking', resume: ['specifying'] })
    expect((await line.task()).status).toBe('blocked')
  })
})
