import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openTaskWorkspace } from '../../src/director/develop/task-workspace.ts'
import { confirmAudit } from '../../src/director/review/confirm-audit.ts'
import { deliveryOf } from '../../src/project/task-notes.ts'
import { runAxiom } from '../cli/run-axiom.ts'
import { sh } from '../git/scratch.ts'
import { openScene, type Scene } from '../hands-scene.ts'
import { Line, TASK } from './line.ts'

let scene: Scene
afterEach(() => scene.close())

const PER_TASK = { review: { defaultMode: 'per-task' } }

/** A task that passed critic and auditor and waits for the person. */
async function waiting(
  files: Readonly<Record<string, string>> = { 'greeting.txt': 'hello\n' },
): Promise<Line> {
  scene = await openScene({ config: PER_TASK, verification: ['grep -q hello greeting.txt'] })
  writeFileSync(join(scene.world.root, '.axiom/config.json'), JSON.stringify(PER_TASK))
  const line = new Line(scene)
  await pass(line, files)
  return line
}

async function pass(line: Line, files: Readonly<Record<string, string>>): Promise<void> {
  await line.handIn(files)
  await line.perform('critic')
  await line.perform('auditor')
  const task = await line.task()
  const { commit } = deliveryOf(task)
  expect(await confirmAudit(scene.world, { task, delivery: deliveryOf(task), slot: 0 })).toMatchObject({
    kind: 'confirmed',
  })
  await line.tell('CONFIRMED', { commit: commit ?? '' })
  expect((await line.delivery()).state).toBe('person-review')
}

const axiom = (...args: string[]) => runAxiom(scene.world.root, args)
const feedback = () => JSON.parse(scene.read(`feedback/${TASK}.json`)) as object[]

describe('a person', () => {
  it('sees what waits, with its evidence, and approves exactly that commit', async () => {
    const line = await waiting()
    const { commit } = await line.delivery()
    const listed = await axiom('review', '--json')
    expect(JSON.parse(listed.stdout)).toMatchObject([
      {
        id: TASK,
        commit,
        part: 'alone',
        criteria: ['greeting.txt says hello'],
        evidence: expect.arrayContaining([expect.stringContaining('VERIFIED')]),
      },
    ])
    const shown = await axiom('review', TASK)
    expect(shown.stdout).toContain('C1: VERIFIED')
    const approved = await axiom('review', TASK, 'approve', '--note', 'well done', '--json')
    expect(JSON.parse(approved.stdout)).toMatchObject({
      task: TASK,
      decision: 'approve',
      commit,
      state: 'integrating',
    })
    expect(feedback()).toMatchObject([
      { decision: 'approve', commit, text: 'well done', issues: [], option: null, hint: null, by: 'user' },
    ])
    const again = await axiom('review', TASK, 'approve', '--json')
    expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('NOTHING_TO_REVIEW') })
    expect((await axiom('review')).stdout).toContain('Nothing waits')
  })

  it('sends it back with quick issues and words, which the developer reads; both rounds are kept', async () => {
    const line = await waiting()
    expect((await axiom('review', TASK, 'changes')).stderr).toContain('REVIEW_NO_WORDS')
    const sent = await axiom(
      ...['review', TASK, 'changes', '--issue', 'tests', '--issue', 'naming'],
      ...['--note', 'greet in the evening, too', '--hint', 'see the readme'],
    )
    expect(sent).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('developing') })
    expect(await line.delivery()).toMatchObject({ state: 'developing', rounds: { person: 1 } })
    expect(feedback()).toMatchObject([
      {
        decision: 'changes',
        issues: ['tests', 'naming'],
        text: 'greet in the evening, too',
        option: 'keep',
        hint: 'see the readme',
      },
    ])
    await pass(line, { 'greeting.txt': 'hello\ngood evening\n' })
    // The critic of the second round was told.
    expect(line.promptsOf('critic').at(-1)).toContain('greet in the evening, too')
    await axiom('review', 'all', 'approve')
    expect((await line.delivery()).state).toBe('integrating')
    expect(feedback()).toMatchObject([{ decision: 'changes' }, { decision: 'approve' }])
  })

  it.each([
    ['keep', 'half\n', 'hello'],
    ['fresh', undefined, undefined],
    ['checkpoint', undefined, 'hello'],
  ] as const)('who asks for %s finds the work going on from there', async (option, loose, greeting) => {
    const line = await waiting()
    const { commit } = await line.delivery()
    const { ground } = scene.world
    // What the developer left in its workspace.
    const task = await line.task()
    const opened = await openTaskWorkspace(scene.world, { agent: 'echo-001', task, slot: 0 })
    if (opened.kind !== 'ready') throw new Error(opened.output)
    const { path, base } = opened.workspace
    sh(path, `git reset -q --hard ${commit} && printf 'half\\n' > loose.txt`)
    const sent = await axiom(
      ...['review', TASK, 'changes', '--note', 'again', '--option', option],
      ...(option === 'checkpoint' ? ['--from', commit ?? ''] : []),
    )
    expect(sent.exitCode, sent.stderr).toBe(0)
    const next = await openTaskWorkspace(scene.world, { agent: 'echo-001', task: await line.task(), slot: 0 })
    if (next.kind !== 'ready') throw new Error(next.output)
    const at = next.workspace.path
    const read = (file: string) =>
      sh(at, `cat ${file} 2>/dev/null || true`) === '' ? undefined : sh(at, `cat ${file}`)
    expect(read('greeting.txt')).toBe(greeting)
    expect(read('loose.txt')).toBe(loose?.trim())
    expect(next.workspace.base).toBe(option === 'checkpoint' ? commit : base)
    expect((await line.task()).metadata.rework).toBeUndefined()
    // Nothing that was there is lost.
    if (option !== 'keep')
      expect(sh(ground.integration.gitDir, 'git for-each-ref refs/axiom/rescue')).not.toBe('')
  })
})
