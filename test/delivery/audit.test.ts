import { afterEach, describe, expect, it } from 'vitest'
import { confirmAudit } from '../../src/director/review/confirm-audit.ts'
import { deliveryOf } from '../../src/project/task-notes.ts'
import { openScene, type Scene, type SceneOptions, say } from '../hands-scene.ts'
import { Line, TASK } from './line.ts'

let scene: Scene
const open = async (options: SceneOptions): Promise<Line> => {
  scene = await openScene(options)
  return new Line(scene)
}
afterEach(() => scene.close())

const GREETING = { 'greeting.txt': 'hello\n' }
const passed = (...commands: string[]): string =>
  [
    `AUDIT_PASSED: ${TASK}`,
    'Verification Results:\n- C1: VERIFIED - grep found it',
    `Commands Executed:\n${commands.map((command) => `- ${command} (local): PASS`).join('\n')}`,
    'Summary: fine',
  ].join('\n\n')

async function audited(line: Line): Promise<void> {
  await line.handIn(GREETING)
  await line.perform('critic')
  await line.perform('auditor')
}

async function confirm(line: Line) {
  const task = await line.task()
  return confirmAudit(scene.world, { task, delivery: deliveryOf(task), slot: 0 })
}

describe('an audit', () => {
  it('counts when AXIOM saw its commands and the checks green on a fresh checkout', async () => {
    const line = await open({
      entries: [{ role: 'auditor', steps: [say(passed('grep hello greeting.txt', 'the unit tests'))] }],
      verification: ['test -f greeting.txt'],
    })
    await audited(line)
    expect((await line.delivery()).state).toBe('confirming')
    const result = await confirm(line)
    expect(result.kind).toBe('confirmed')
    const digest = result.kind === 'confirmed' ? result.evidence : ''
    const kept = JSON.parse(Buffer.from((await scene.store.getBlob(digest)) ?? []).toString())
    expect(kept).toMatchObject({
      results: [{ command: 'test -f greeting.txt' }, { command: 'grep hello greeting.txt', output: 'hello' }],
      notRepeated: ['the unit tests'],
    })
  })

  it('whose command fails for AXIOM is refuted, with what it printed; the next auditor is told', async () => {
    const line = await open({
      entries: [
        {
          role: 'auditor',
          agent: 'auditor-001',
          steps: [
            // Only in this auditor's own copy: what it made itself proves nothing.
            { do: 'run', command: 'echo goodbye > proof.txt', mustPass: true },
            say(passed('cat proof.txt')),
          ],
        },
        { role: 'auditor', steps: [say(passed('grep hello greeting.txt'))] },
      ],
    })
    await audited(line)
    const refuted = await confirm(line)
    expect(refuted).toMatchObject({ kind: 'refuted', text: expect.stringContaining('proof.txt') })
    const { commit } = await line.delivery()
    await line.tell('REFUTED', { commit: commit ?? '', text: refuted.kind === 'refuted' ? refuted.text : '' })
    expect(await line.delivery()).toMatchObject({ state: 'audit', auditorFaults: 1 })
    await line.perform('auditor')
    const told = line.promptsOf('auditor').at(-1) ?? ''
    expect(told).toContain('What your audit called green is red')
    expect(told).toContain('No such file')
    expect((await confirm(line)).kind).toBe('confirmed')
  })

  it('that leaves a criterion without evidence is asked for it', async () => {
    const line = await open({
      entries: [
        {
          role: 'auditor',
          agent: 'auditor-001',
          steps: [say(`AUDIT_PASSED: ${TASK}\n\nSummary: it looks right`)],
        },
        { role: 'auditor', steps: [{ do: 'play' }] },
      ],
    })
    await audited(line)
    expect(await line.delivery()).toMatchObject({ state: 'audit', auditorFaults: 1 })
    await line.perform('auditor')
    const told = line.promptsOf('auditor').at(-1) ?? ''
    expect(told).toContain('showed no evidence for')
    expect(told).toContain('greeting.txt says hello')
    expect((await line.delivery()).state).toBe('confirming')
  })

  it('that fails a criterion sends the work back, and every finding reaches the developer', async () => {
    const line = await open({
      entries: [{ role: 'auditor', steps: [{ do: 'play', verdict: 'failed' }] }],
    })
    await audited(line)
    expect(await line.delivery()).toMatchObject({ state: 'developing', rounds: { audit: 1 } })
    expect((await line.task()).leases).toMatchObject({ develop: { holder: 'echo-001' } })
  })
})
