import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ALONE, lastLine, RunScene, summary } from './scene.ts'

const UNCLEAR = { key: 'one', content: 'Write notes', acceptanceCriteria: ['file one'], verify: [] }

it('a run that lands nothing leaves no checkout of an analyst in the folder of the person', async () => {
  const scene = await RunScene.open({
    tasks: [UNCLEAR],
    entries: [{ role: 'analyst', steps: [{ do: 'play', confidence: 'LOW' }] }],
  })
  const ran = await scene.run(...ALONE)
  expect([ran.code, lastLine(ran)]).toEqual([5, summary({ blocked: 1 })])
  expect(readdirSync(join(scene.root, '.workspaces/.trash'))).toEqual([])
})

it('the simulated analyst makes a task testable whose criteria are not', async () => {
  const scene = await RunScene.open({ tasks: [UNCLEAR] })
  const ran = await scene.run(...ALONE)
  expect([ran.code, lastLine(ran)], ran.stdout).toEqual([0, summary({ done: 1 })])
  const { metadata } = await scene.case('task-001')
  expect(metadata.acceptanceCriteria).toContain('file one')
})
