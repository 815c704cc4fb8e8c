import { afterEach, describe, expect, it } from 'vitest'
import { makeCheckpoint } from '../../src/director/checkpoints/make-checkpoint.ts'
import { previewRollback, rollBack } from '../../src/director/checkpoints/roll-back.ts'
import { type LandingHands, openLandingHands } from '../../src/director/land/open-landing-hands.ts'
import { queuedEntries } from './queue.ts'
import { integrating, type LandingScene, openLandingScene, sh } from './scene.ts'

let scene: LandingScene
afterEach(() => scene.close())

async function open(): Promise<LandingHands> {
  scene = await openLandingScene({ verification: ['! grep -rqs "^broken$" src'] })
  return openLandingHands(scene.world, { holder: 'dex-001', userEnvironment: {} })
}

/** Lands a change and makes its task done, as the director does. */
async function land(hands: LandingHands, name: string, files: Record<string, string | undefined>) {
  const { task, commit } = await scene.queue(name, files)
  const report = await hands.land({
    entries: (await queuedEntries(scene.world)).filter((one) => one.task === task),
  })
  expect(report.landings.get(task)?.kind).toBe('landed')
  await scene.commit({ kind: 'move', id: task, status: 'done', reason: 'landed' })
  return { task, commit, landed: await scene.target() }
}

const statusOf = async (id: string) => (await scene.task(id)).status
const gitDirOf = () => scene.scratch.ground.integration.gitDir

describe('a rollback', () => {
  it('says what will be lost, takes it back in one checked commit, and brings the cases back', async () => {
    const hands = await open()
    const kept = await land(hands, 'Kept', { 'src/a': 'a\n' })
    await makeCheckpoint(scene.world, { name: 'good', reason: 'test' })
    const atCheckpoint = sh(gitDirOf(), 'git rev-parse main^{tree}')
    const second = await land(hands, 'Second', { 'src/a': 'A\n', 'src/b': 'b\n' })
    const third = await land(hands, 'Third', { 'src/c': 'c\n' })
    const preview = await previewRollback(scene.world, 'good')
    expect(preview.lost.map(({ task }) => task)).toEqual([third.task, second.task])
    expect(preview.restored).toEqual([
      { id: third.task, from: 'done', to: 'pending' },
      { id: second.task, from: 'done', to: 'pending' },
    ])
    expect(await statusOf(third.task)).toBe('done')
    const done = await rollBack(scene.world, 'good')
    expect(done.kind).toBe('rolled-back')
    expect(sh(gitDirOf(), 'git rev-parse main^{tree} main^')).toBe(`${atCheckpoint}\n${third.landed}`)
    expect([await statusOf(kept.task), await statusOf(second.task), await statusOf(third.task)]).toEqual([
      ...['done', 'pending', 'pending'],
    ])
    expect(await rollBack(scene.world, 'good')).toMatchObject({ kind: 'nothing-to-do' })
  })

  it('lets the very same work land again afterwards, once', async () => {
    const hands = await open()
    await makeCheckpoint(scene.world, { name: 'empty', reason: 'test' })
    const { task, commit } = await land(hands, 'Work', { 'src/a': 'a\n' })
    await rollBack(scene.world, 'empty')
    expect(scene.show('src/a')).toBeUndefined()
    await scene.commit(
      { kind: 'claim', id: task, stage: 'develop', holder: 'echo-001', ttlMs: 60_000 },
      ...integrating(task, commit),
    )
    const entries = await queuedEntries(scene.world)
    expect(await hands.findLanded(entries)).toEqual(new Map())
    expect((await hands.land({ entries })).landings.get(task)).toMatchObject({
      kind: 'landed',
      alreadyThere: false,
    })
    expect(scene.show('src/a')).toBe('a\n')
    expect((await hands.land({ entries })).landings.get(task)).toMatchObject({
      kind: 'landed',
      alreadyThere: true,
    })
  })

  it('keeps what people committed since, and refuses where that rests on what would go', async () => {
    const hands = await open()
    const { user } = scene.scratch
    await makeCheckpoint(scene.world, { name: 'start', reason: 'test' })
    await land(hands, 'Work', { 'src/a': 'a\n' })
    await hands.publish()
    sh(user, 'echo mine > mine && git add mine && git commit -qm mine')
    await hands.takeIn({ seenBefore: null })
    expect((await previewRollback(scene.world, 'start')).kept.map(({ subject }) => subject)).toEqual(['mine'])
    expect((await rollBack(scene.world, 'start')).kind).toBe('rolled-back')
    expect([scene.show('mine'), scene.show('src/a')]).toEqual(['mine\n', undefined])
    await makeCheckpoint(scene.world, { name: 'again', reason: 'test' })
    await land(hands, 'More work', { 'src/b': 'b\n' })
    await hands.publish()
    sh(user, 'echo changed > src/b && git commit -qam change')
    await hands.takeIn({ seenBefore: null })
    const before = await scene.target()
    expect(await rollBack(scene.world, 'again')).toMatchObject({ kind: 'conflict', files: ['src/b'] })
    expect(await scene.target()).toBe(before)
  })

  it('does not bring back a target that is red, one that is unknown, or one that was damaged', async () => {
    const hands = await open()
    await makeCheckpoint(scene.world, { name: 'start', reason: 'test' })
    await land(hands, 'Work', { 'src/a': 'a\n' })
    const strict = { ...scene.world, config: { ...scene.world.config, verification: [] } }
    const config = {
      ...strict.config,
      verification: scene.world.config.verification.map((one) => ({ ...one, command: 'test -f src/a' })),
    }
    expect(await rollBack({ ...scene.world, config }, 'start')).toMatchObject({ kind: 'red' })
    expect(scene.show('src/a')).toBe('a\n')
    await expect(rollBack(scene.world, 'nothing')).rejects.toMatchObject({ code: 'CHECKPOINT_NOT_FOUND' })
    sh(gitDirOf(), 'git update-ref refs/axiom/checkpoints/start $(echo [] | git hash-object -w --stdin)')
    await expect(rollBack(scene.world, 'start')).rejects.toMatchObject({ code: 'CHECKPOINT_CORRUPTED' })
    expect(scene.show('src/a')).toBe('a\n')
  })

  it('ends as it should after a stop between branch and cases', async () => {
    const hands = await open()
    await makeCheckpoint(scene.world, { name: 'start', reason: 'test' })
    const { task } = await land(hands, 'Work', { 'src/a': 'a\n' })
    const { store } = scene.world
    const stopped = new Proxy(store, {
      get: (target, key) =>
        key === 'transact'
          ? () => Promise.reject(new Error('stopped'))
          : Reflect.get(target, key, target) instanceof Function
            ? Reflect.get(target, key, target).bind(target)
            : Reflect.get(target, key, target),
    })
    await expect(rollBack({ ...scene.world, store: stopped }, 'start')).rejects.toThrow('stopped')
    expect([scene.show('src/a'), await statusOf(task)]).toEqual([undefined, 'done'])
    expect(await rollBack(scene.world, 'start')).toMatchObject({ kind: 'nothing-to-do' })
    expect(await statusOf(task)).toBe('pending')
  })
})
