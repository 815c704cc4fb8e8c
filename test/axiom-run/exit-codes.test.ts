import { describe, expect, it } from 'vitest'
import { ALONE, developer, lastLine, linesOf, RunScene, summary, writes } from './scene.ts'

/** Made once for the tests that only need a project. */
const SHARED = new RunScene()
let opened: Promise<RunScene> | undefined
function shared(): Promise<RunScene> {
  opened ??= RunScene.open({ tasks: ['one'] }, SHARED)
  return opened
}

const blocked = developer('two', { do: 'signal', tag: 'BLOCKED', payload: 'the key is missing' })
const failing = (task: string) => developer(task, { do: 'exit', code: 3 })

describe('how a run ends', () => {
  it('0: everything is done or deferred, and the last line is the summary', async () => {
    const scene = await RunScene.open({
      tasks: ['one', 'two', 'three'],
      entries: [developer('one', ...writes('one.txt')), developer('two', ...writes('two.txt'))],
    })
    await scene.ok('case', 'defer', 'task-003')
    const ran = await scene.run(...ALONE)
    expect([ran.code, ran.stderr]).toEqual([0, ''])
    expect(lastLine(ran)).toBe(summary({ done: 2 }))
    const lines = linesOf(ran)
    expect(lines.filter(({ type }) => type === 'summary')).toHaveLength(1)
    expect(
      lines.filter(
        ({ type, caseType, status }) => type === 'case:completed' && caseType === 'task' && status === 'done',
      ),
    ).toHaveLength(2)
    expect(scene.landed()).toEqual(expect.arrayContaining(['one.txt', 'two.txt']))
  })

  it('5: a person is needed and nothing failed; his answer and another run finish it', async () => {
    const scene = await RunScene.open({
      tasks: ['one', 'two', { key: 'three', dependsOn: ['two'] }],
      entries: [blocked],
    })
    const ran = await scene.run(...ALONE)
    expect([ran.code, lastLine(ran)]).toEqual([5, summary({ done: 1, blocked: 1, waiting: 1 })])
    scene.play([])
    await scene.answerAll('the key is here now')
    const again = await scene.run(...ALONE)
    expect([again.code, lastLine(again)]).toEqual([0, summary({ done: 3 })])
  })

  it('6: some failed and some landed; 1: none landed', async () => {
    const scene = await RunScene.open({ tasks: ['one', 'two'], entries: [failing('one')] })
    const partly = await scene.run(...ALONE)
    expect([partly.code, lastLine(partly)]).toEqual([6, summary({ done: 1, failed: 1 })])
    const other = await RunScene.open({ tasks: ['one', 'two'], entries: [failing('one'), blocked] })
    const none = await other.run(...ALONE)
    expect([none.code, lastLine(none)]).toEqual([1, summary({ failed: 1, blocked: 1 })])
    other.play([])
    await other.ok('retry', 'task-001')
    await other.answerAll('the key is here now')
    const again = await other.run(...ALONE)
    expect([again.code, lastLine(again)]).toEqual([0, summary({ done: 2 })])
  })

  it('three failures in a row pause it; what was not begun waits for the next run', async () => {
    const tasks = ['one', 'two', 'three', 'four']
    const scene = await RunScene.open({
      tasks,
      entries: [{ role: 'developer', steps: [{ do: 'exit', code: 3 }] }],
    })
    const ran = await scene.run(...ALONE, '--agents', '1')
    expect([ran.code, lastLine(ran)]).toEqual([1, summary({ failed: 3, waiting: 1 })])
    expect(linesOf(ran).filter(({ code }) => code === 'PAUSED')).toHaveLength(1)
    scene.play([])
    for (const id of ['task-001', 'task-002', 'task-003']) await scene.ok('retry', id)
    const again = await scene.run(...ALONE)
    expect([again.code, lastLine(again)]).toEqual([0, summary({ done: 4 })])
  })
})

it.each([
  ['--agents', '0'],
  ['--agents', '51'],
  ['--until', 'count:0'],
  ['--until', 'duration:soon'],
  ['--until', 'time:25:00'],
])('2: %s %s is refused before anything begins', async (...argv) => {
  const scene = await shared()
  const ran = await scene.run(...ALONE, ...argv)
  expect(ran.code, ran.stderr).toBe(2)
  expect(JSON.parse(ran.stderr)).toMatchObject({ error: { code: 'USAGE' } })
  expect(await scene.tasks()).toEqual({ 'task-001': 'pending' })
})
