import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { sh } from '../git/scratch.ts'
import { complete, integrationOf, landedOn, openScene, TASK, type Theatre, work } from './scene.ts'

let scene: Theatre
afterEach(() => scene.close())

const LOCKS = ['config.lock', 'packed-refs.lock', 'HEAD.lock', 'index.lock', 'refs/heads/main.lock']

describe('what a killed director left behind', () => {
  it('F22: locks and half-made checkouts are gone when the next one begins, and its work lands', async () => {
    scene = await openScene({ entries: [{ steps: [...work('greeting.txt', 'hello\n'), complete] }] })
    await (await scene.open())[Symbol.asyncDispose]()
    const locks = LOCKS.map((name) => join(integrationOf(scene), name))
    for (const lock of locks) writeFileSync(lock, '')
    const unfinished = join(scene.root, '.workspaces/.new-echo-009-task-001')
    mkdirSync(unfinished)
    await scene.run()
    expect(landedOn(scene)).toEqual([TASK])
    expect([...locks, unfinished].filter((path) => existsSync(path))).toEqual([])
  })

  it('is left alone by one that finds the seat taken', async () => {
    scene = await openScene()
    await using _seated = await scene.open()
    const unfinished = join(scene.root, '.workspaces/.new-echo-001-task-001')
    const lock = join(integrationOf(scene), 'index.lock')
    mkdirSync(unfinished)
    writeFileSync(lock, '')
    await expect(scene.open()).rejects.toMatchObject({ code: 'DIRECTOR_RUNNING' })
    expect([unfinished, lock].every((path) => existsSync(path))).toBe(true)
    sh(scene.root, `rm ${lock}`)
  })
})
