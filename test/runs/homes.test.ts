import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { complete, openScene, type Theatre, work } from './scene.ts'

let scene: Theatre
afterEach(() => scene.close())

const homes = (): string[] => readdirSync(join(scene.root, '.axiom/private')).toSorted()

it('homes of agents go with the end of their task and at the next start, and stay where it may go on', async () => {
  scene = await openScene({
    tasks: ['Add a greeting', 'Add a farewell'],
    entries: [
      { tasks: ['task-001'], steps: [...work('greeting.txt', 'hello\n'), complete] },
      { tasks: ['task-002'], steps: [{ do: 'signal', tag: 'BLOCKED', payload: 'nobody says goodbye' }] },
    ],
  })
  // Left by an orchestrator that died between the landing and the cleaning.
  const left = join(scene.root, '.axiom/private/echo-900')
  mkdirSync(join(left, 'tasks'), { recursive: true })
  mkdirSync(join(left, 'home'))
  writeFileSync(join(left, 'tasks/task-900'), '')
  await scene.run()
  expect(await scene.task('task-001')).toMatchObject({ status: 'done' })
  const waiting = await scene.task('task-002')
  expect(waiting.status).not.toBe('done')
  expect(homes()).toEqual(['checks', waiting.metadata.assignee])
  expect(existsSync(join(scene.root, '.axiom/private', String(waiting.metadata.assignee), 'home'))).toBe(true)
  // A start alone takes away nothing in which a session may go on.
  await scene.run()
  expect(homes()).toContain(waiting.metadata.assignee)
  const store = await scene.store()
  await store.transact({ commands: [{ kind: 'delete', id: 'task-002', reason: 'not wanted' }], by: 'user' })
  await scene.run()
  expect(homes()).toEqual(['checks'])
})
