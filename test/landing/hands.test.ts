import { afterEach, describe, expect, it } from 'vitest'
import { openLandingHands } from '../../src/director/land/open-landing-hands.ts'
import { userGitEnvironment } from '../../src/director/land/remote/user-git-environment.ts'
import { queuedEntries } from './queue.ts'
import { integrating, type LandingScene, openLandingScene, sh } from './scene.ts'

/** Nothing that says it is broken, and every use has its definition. */
const CHECK = '! grep -rqs "^broken$" src'

let scene: LandingScene
afterEach(() => scene.close())

const open = async (options: Parameters<typeof openLandingScene>[0] = {}) => {
  scene = await openLandingScene({ verification: [CHECK], ...options })
  return openLandingHands(scene.world, { holder: 'dex-001', userEnvironment: userGitEnvironment({}) })
}

const kindsOf = ({ landings }: { landings: ReadonlyMap<string, { kind: string }> }) =>
  Object.fromEntries([...landings].map(([task, { kind }]) => [task, kind]))

describe('the queue', () => {
  it('holds what waits to be landed, with the type its agent gave it and what it still depends on', async () => {
    await open()
    const first = await scene.queue('Add a\nand more', { 'src/a': 'a\n' })
    const second = await scene
      .queue('Add b', { 'src/b': 'b\n' }, { dependsOn: [first.task] })
      .catch(() => null)
    expect(second).toBeNull()
    expect(await queuedEntries(scene.world)).toEqual([
      {
        ...{ task: first.task, source: first.commit, agent: 'echo-001', fence: 1, type: 'feat' },
        ...{ description: 'Add a', dependsOn: [] },
      },
    ])
  })
})

describe('landing', () => {
  it('checks the merged result in the sandbox on a fresh checkout, set up, and lands what is green', async () => {
    const hands = await open({
      verification: [CHECK, 'test -f made-by-set-up', 'test ! -e secret'],
      config: { workspace: { setup: ['touch made-by-set-up'] } },
    })
    const good = await scene.queue('Add a', { 'src/a': 'a\n' })
    const bad = await scene.queue('Break it', { 'src/b': 'broken\n' })
    const own = await scene.queue(
      'Own check',
      { 'src/c': 'c\n' },
      { metadata: { verify: ['test -f src/z'] } },
    )
    const report = await hands.land({ entries: await queuedEntries(scene.world) })
    expect(kindsOf(report)).toEqual({ [good.task]: 'landed', [bad.task]: 'rejected', [own.task]: 'rejected' })
    expect(scene.show('src/a')).toBe('a\n')
    expect(scene.show('src/b')).toBeUndefined()
    const rejected = report.landings.get(bad.task)
    if (rejected?.kind !== 'rejected') throw new Error('not rejected')
    expect(rejected.feedback).toContain('grep -rqs')
    const evidence = JSON.parse(String(Buffer.from((await scene.store.getBlob(rejected.evidence)) ?? [])))
    expect(evidence).toMatchObject({
      commit: rejected.commit,
      checks: [{ code: 'VERIFICATION_FAILED' }, {}, {}],
    })
  })

  it('lands nothing of a task that was taken out of the queue, claimed anew or has a newer commit', async () => {
    const hands = await open()
    const { task, commit } = await scene.queue('Add a', { 'src/a': 'a\n' })
    const entries = await queuedEntries(scene.world)
    await scene.commit({ kind: 'move', id: task, status: 'failed', reason: 'taken out' })
    await scene.commit({ kind: 'update', id: task, metadata: { delivery: null } })
    expect((await hands.land({ entries })).landings.get(task)).toMatchObject({ reason: 'fence-lost' })
    await scene.commit(
      { kind: 'move', id: task, status: 'pending', reason: 'again' },
      { kind: 'claim', id: task, stage: 'develop', holder: 'echo-002', ttlMs: 60_000 },
      ...integrating(task, commit),
    )
    expect((await hands.land({ entries })).landings.get(task)).toMatchObject({ reason: 'fence-lost' })
    expect(scene.show('src/a')).toBeUndefined()
  })

  it('is found again in git by whoever asks', async () => {
    const hands = await open()
    const { task } = await scene.queue('Add a', { 'src/a': 'a\n' })
    const entries = await queuedEntries(scene.world)
    expect(await hands.findLanded(entries)).toEqual(new Map())
    await hands.land({ entries })
    expect(await hands.findLanded(entries)).toEqual(new Map([[task, await scene.target()]]))
  })

  it('stops for an integrator when another one has opened its hands', async () => {
    const hands = await open()
    const { task } = await scene.queue('Add a', { 'src/a': 'a\n' })
    const entries = await queuedEntries(scene.world)
    await openLandingHands(scene.world, { holder: 'dex-002', userEnvironment: {} })
    expect((await hands.land({ entries })).landings.get(task)).toEqual({
      kind: 'deferred',
      reason: 'turn-lost',
    })
    expect(scene.show('src/a')).toBeUndefined()
  })
})

describe("the user's branch", () => {
  it('gets what landed, gives what he committed, and is left alone when it is gone', async () => {
    const hands = await open()
    const { user } = scene.scratch
    await scene.queue('Add a', { 'src/a': 'a\n' })
    await hands.land({ entries: await queuedEntries(scene.world) })
    expect(await hands.publish()).toMatchObject({ kind: 'published', workTree: user })
    expect(sh(user, 'cat src/a; git status --porcelain -- src')).toBe('a')
    sh(user, 'echo mine > mine && git add mine && git commit -qm mine')
    const taken = await hands.takeIn({ seenBefore: null })
    expect(taken).toMatchObject({ intake: { kind: 'taken-in' }, user: sh(user, 'git rev-parse main') })
    expect(scene.show('mine')).toBe('mine\n')
    sh(user, 'git commit -q --amend -m rewritten')
    expect(await hands.takeIn({ seenBefore: taken.user })).toMatchObject({ intake: { kind: 'rewritten' } })
    sh(user, 'git checkout -q --detach && git branch -D main')
    expect(await hands.takeIn({ seenBefore: taken.user })).toEqual({
      intake: { kind: 'nothing-new' },
      user: null,
    })
    expect(await hands.publish()).toMatchObject({ kind: 'missing' })
  })
})

describe('the target', () => {
  it('is looked at before anything lands on it', async () => {
    const hands = await open()
    expect(await hands.probeTarget()).toEqual({ kind: 'green' })
    const { user } = scene.scratch
    sh(user, 'mkdir -p src && echo broken > src/b && git add src && git commit -qm broken')
    await hands.takeIn({ seenBefore: null })
    sh(
      scene.scratch.ground.integration.gitDir,
      `git fetch -q ${user} main && git update-ref refs/heads/main FETCH_HEAD`,
    )
    expect(await hands.probeTarget()).toMatchObject({ kind: 'red', commit: sh(user, 'git rev-parse main') })
  })
})
