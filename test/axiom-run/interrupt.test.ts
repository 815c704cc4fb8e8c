import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { processesIn } from '../demo/demo-process.ts'
import { until } from '../interventions/project.ts'
import { ALONE, developer, lastLine, RunScene, summary, writes } from './scene.ts'

const CTRL_C = '\u0003'
const LONG_MS = 240_000
/** Longer than a test may take: whoever waited for such a check would be seen. */
const CHECK_SECONDS = 3_000

const waitsAt = (scene: string, arrived: string) =>
  [
    { do: 'run', command: `touch ${arrived}` },
    { do: 'barrier', path: scene, atMostMs: LONG_MS },
  ] as const

/** Everything that was held is free again, and nobody of this repository is left. */
async function expectAllFree(scene: RunScene): Promise<void> {
  for (const { id, leases } of await scene.cases({ type: 'task' }))
    expect([id, leases]).toEqual([id, undefined])
  await until(() => processesIn(scene.top).length === 0)
  expect(readdirSync(join(scene.root, '.axiom/processes')).filter((name) => name.endsWith('.json'))).toEqual(
    [],
  )
}

it('Ctrl-C once: running iterations are the last, their work is kept, and the next run goes on with it', async () => {
  const scene = await RunScene.open({ tasks: ['one', 'two', 'three'] })
  scene.play([
    {
      role: 'developer',
      tasks: ['one'],
      steps: [
        ...waitsAt(scene.gate('go'), scene.gate('one-waits')),
        { do: 'edit', file: 'one.txt', write: 'first half\n' },
        { do: 'commit', message: 'feat: half of it #task-001 @echo' },
        { do: 'say', text: 'The other half is for the next iteration.' },
      ],
    },
    developer('two', ...waitsAt(scene.gate('go'), scene.gate('two-waits')), ...writes('two.txt')),
  ])
  const run = scene.atTerminal(['--autopilot', '--yes', '--agents', '2'])
  await until(() => scene.isOpen('one-waits') && scene.isOpen('two-waits'))
  run.type(CTRL_C)
  await run.until('Ending with the running iterations')
  scene.openGate('go')
  const { code } = await run.ended
  expect([code, run.shown()]).toEqual([
    130,
    expect.stringContaining('0 done, 0 failed, 0 blocked, 3 waiting'),
  ])
  // Only what ran when it was asked to end has a history of work.
  expect((await scene.case('task-003')).fence ?? 0).toBe(0)
  const held = await scene.cases({ type: 'task' })
  expect(held.filter(({ status }) => status === 'active')).toEqual([])
  await until(() => processesIn(scene.top).length === 0)

  scene.play([
    {
      role: 'developer',
      tasks: ['one'],
      holds: { file: 'one.txt', text: 'first half' },
      steps: [
        { do: 'edit', file: 'one.txt', append: 'second half\n' },
        { do: 'commit', message: 'feat: the rest #task-001 @echo' },
        { do: 'signal', tag: 'COMPLETE' },
      ],
    },
    {
      role: 'developer',
      tasks: ['one'],
      steps: [{ do: 'signal', tag: 'BLOCKED', payload: 'the first half is lost' }],
    },
    developer('two', { do: 'signal', tag: 'BLOCKED', payload: 'it was complete already' }),
    developer('three', ...writes('three.txt')),
  ])
  const again = await scene.run(...ALONE)
  expect([again.code, lastLine(again)]).toEqual([0, summary({ done: 3 })])
  expect(scene.git('show main:one.txt')).toBe('first half\nsecond half')
  await expectAllFree(scene)
})

it('Ctrl-C twice: agents end at once with all they started, what they had not committed is kept, and the next run finishes', async () => {
  const scene = await RunScene.open({ tasks: ['one', 'two'] })
  scene.play([
    developer(
      'one',
      { do: 'edit', file: 'committed.txt', write: 'kept\n' },
      { do: 'commit', message: 'feat: a beginning #task-001 @echo' },
      { do: 'edit', file: 'loose.txt', write: 'kept too\n' },
      { do: 'double-fork', seconds: 900 },
      { do: 'ignore-sigterm' },
      ...waitsAt(scene.gate('never'), scene.gate('one-waits')),
    ),
    developer('two', ...waitsAt(scene.gate('never'), scene.gate('two-waits'))),
  ])
  const run = scene.begin([...ALONE, '--agents', '2'])
  await until(() => scene.isOpen('one-waits') && scene.isOpen('two-waits'))
  run.interrupt()
  await run.until('Ctrl-C again')
  run.interrupt()
  const ended = await run.ended
  expect([ended.code, lastLine(ended)]).toEqual([130, summary({ waiting: 2 })])
  await expectAllFree(scene)
  expect(await scene.tasks()).toEqual({ 'task-001': 'pending', 'task-002': 'pending' })
  const { saved } = (await scene.case('task-001')).metadata.run as { saved: string[] }
  expect(scene.git(`show ${saved[0]}:loose.txt`)).toBe('kept too')

  scene.play([
    {
      role: 'developer',
      tasks: ['one'],
      holds: { file: 'committed.txt', text: 'kept' },
      steps: writes('one.txt'),
    },
    {
      role: 'developer',
      tasks: ['one'],
      steps: [{ do: 'signal', tag: 'BLOCKED', payload: 'the beginning is lost' }],
    },
  ])
  const again = await scene.run(...ALONE)
  expect([again.code, lastLine(again)]).toEqual([0, summary({ done: 2 })])
  expect(scene.landed()).toEqual(expect.arrayContaining(['committed.txt', 'one.txt']))
  await expectAllFree(scene)
})

it.each([
  ['a developer claims to be done', '"$AXIOM_AGENT" = echo-001'],
  ['a batch is about to land', '"$AXIOM_AGENT" = integration'],
])(
  'Ctrl-C twice while checks run because %s: nothing is waited for, nothing half landed, and the next run lands it',
  async (_, isChecked) => {
    const scene = await RunScene.open({ tasks: ['one'] })
    const waits = `touch ${scene.gate('checked')}; while ! test -e ${scene.gate('go')}; do sleep 0.05; done`
    const line = `if test -e one.txt && test ${isChecked}; then ${waits}; fi`
    scene.configure({ verification: [{ name: 'slow', command: line, timeout: CHECK_SECONDS }] })
    scene.play([developer('one', ...writes('one.txt'))])
    const run = scene.begin(ALONE)
    await until(() => scene.isOpen('checked'))
    run.interrupt()
    await run.until('Ctrl-C again')
    run.interrupt()
    const ended = await run.ended
    expect([ended.code, lastLine(ended)]).toEqual([130, summary({ waiting: 1 })])
    expect(scene.landed()).not.toContain('one.txt')
    await until(() => processesIn(scene.top).length === 0)
    scene.openGate('go')
    const again = await scene.run(...ALONE)
    expect([again.code, lastLine(again)]).toEqual([0, summary({ done: 1 })])
    const subjects = scene.git('log --format=%s main').split('\n')
    expect(subjects.filter((subject) => subject.includes('#task-001'))).toHaveLength(1)
    // To be stopped is no failure of the attempt.
    expect((await scene.case('task-001')).metadata.execution).not.toHaveProperty('retryCount')
    await expectAllFree(scene)
  },
)
