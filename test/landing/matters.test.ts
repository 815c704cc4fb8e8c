import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { Director } from '../../src/director/director.ts'
import { userGitEnvironment } from '../../src/director/land/remote/user-git-environment.ts'
import { makeMeans } from '../../src/director/open/make-means.ts'
import { openHands } from '../../src/director/open/open-hands.ts'
import { rulesOf } from '../../src/director/open/rules-of.ts'
import { foldInbox } from '../../src/events/inbox.ts'
import { personEventContext } from '../../src/project/delivery/event-context.ts'
import { readProject } from '../../src/project/document.ts'
import { answerQuestion } from '../../src/project/interventions/answer-question.ts'
import { openRemoteScene, type RemoteScene, until } from './remote-scene.ts'
import { type LandingScene, openLandingScene, sh } from './scene.ts'

let scene: LandingScene | RemoteScene
afterEach(() => scene.close())

/** A director, for as long as it takes until this holds; each time it is a new one, as after a restart. */
async function direct(holds: () => unknown | Promise<unknown>): Promise<void> {
  const userEnvironment = userGitEnvironment({})
  const hands = await openHands(scene.world, {
    holder: 'dex-001',
    userEnvironment,
    environment: {},
    isWalled: true,
  })
  const means = makeMeans(scene.world, hands, () => undefined)
  const rules = rulesOf(scene.world.config, { slots: 1, nonInteractive: false })
  const director = new Director({ means, rules, stays: true })
  const ended = director.run()
  try {
    await Promise.race([until(holds), ended.then(() => Promise.reject(new Error('it ended')))])
  } finally {
    director.leave('now')
    await ended
  }
}

const inbox = async () => foldInbox(await scene.store.query({}))
const asks = (kind: string, words: string) => async () =>
  (await inbox()).some((entry) => entry.kind === kind && `${entry.question} ${entry.context}`.includes(words))
const isQuiet = async () => (await inbox()).length === 0
const answer = async (text: string) => {
  const [entry] = await inbox()
  const words = personEventContext(join(scene.scratch.user, '.axiom'), scene.world.config)
  expect(await answerQuestion(scene.store, words, { id: entry?.id ?? '', text, by: 'user' })).toMatchObject({
    kind: 'answered',
  })
}

/** A project whose first landing the user has. */
async function open() {
  scene = await openLandingScene({ verification: ['test ! -e broken'] })
  const { task } = await scene.queue('Add a', { 'src/a': 'a\n' })
  const { user } = scene.scratch
  await direct(() => sh(user, 'git log -1 --format=%s').includes(task))
  await direct(async () => (await readProject(scene.store)).project.seenUserCommit === (await scene.target()))
  return { user, task }
}

describe('a branch that the user rewrote', () => {
  const rewrite = (user: string) =>
    sh(user, 'git reset -q --hard HEAD~1 && echo b > b && git add b && git commit -qm b')

  it('is asked about once, and joined with what landed when he says so, by whoever directs then', async () => {
    const { user } = await open()
    rewrite(user)
    await direct(asks('conflict', 'no longer in your branch'))
    const [entry] = await inbox()
    expect(entry).toMatchObject({
      fallback: 'leave',
      options: [{ label: 'merge' }, { label: 'mine' }, { label: 'leave' }],
    })
    expect(entry?.deadline).not.toBeNull()
    expect(sh(user, 'git log --format=%s').split('\n')).toEqual(['b', 'first'])
    await answer('merge')
    await direct(
      () => sh(user, 'ls src b').includes('a\n') && sh(user, 'git status --porcelain -- src b') === '',
    )
    expect(scene.show('b')).toBe('b\n')
    expect(scene.show('src/a')).toBe('a\n')
    await direct(isQuiet)
  })

  it('counts as it is when he says so: what landed is taken back, and stays in the history', async () => {
    const { user } = await open()
    const landed = await scene.target()
    rewrite(user)
    await direct(asks('conflict', 'no longer in your branch'))
    await answer('2')
    await direct(() => scene.show('b') !== undefined)
    expect(scene.show('src/a')).toBeUndefined()
    sh(scene.scratch.ground.integration.gitDir, `git merge-base --is-ancestor ${landed} main`)
    await direct(async () => sh(user, 'git rev-parse main') === (await scene.target()))
  })

  it('is left alone when he says so, and not asked about again', async () => {
    const { user } = await open()
    rewrite(user)
    await direct(asks('conflict', 'no longer in your branch'))
    await answer('leave')
    const { task } = await scene.queue('Add c', { 'src/c': 'c\n' })
    await direct(async () => (await scene.task(task)).status === 'done' && (await isQuiet()))
    const asked = await scene.store.query({ type: 'pending' })
    expect(asked).toHaveLength(1)
    expect(asked[0]?.metadata.matter).toMatchObject({ followed: true })
    expect(sh(user, 'git log -1 --format=%s')).toBe('b')
  })
})

describe('a branch that is gone', () => {
  it('is made again when he says so', async () => {
    const { user } = await open()
    sh(user, 'git checkout -q --detach && git branch -qD main')
    await direct(asks('publish', 'git fetch'))
    await answer('restore')
    await direct(
      async () =>
        sh(user, 'git for-each-ref --format="%(objectname)" refs/heads/main') === (await scene.target()),
    )
    await direct(isQuiet)
  })
})

describe('publishing that is refused', () => {
  it('names the files and the command, and settles itself when nothing is in the way any more', async () => {
    const { user } = await open()
    sh(user, 'mkdir -p src && echo mine > src/c')
    const { task } = await scene.queue('Add c', { 'src/c': 'c\n' })
    await direct(asks('publish', 'src/c'))
    const [entry] = await inbox()
    expect(entry?.context).toContain('merge --ff-only')
    expect((await scene.task(task)).status).toBe('done')
    expect(sh(user, 'cat src/c')).toBe('mine')
    sh(user, 'rm src/c')
    await direct(async () => sh(user, 'git log -1 --format=%s').includes(task) && (await isQuiet()))
  })
})

describe("the user's own commits", () => {
  it('that are red or in conflict are asked about, and taken in when he mended them', async () => {
    const { user } = await open()
    sh(user, 'echo yes > broken && git add broken && git commit -qm broken')
    await direct(asks('conflict', 'red'))
    sh(user, 'git rm -q broken && git commit -qm mended')
    await direct(async () => (await isQuiet()) && sh(user, 'git rev-parse main') === (await scene.target()))
  })
})

describe("a remote's target", () => {
  it('that was rewritten holds every offer until he says that it counts', async () => {
    const remote = await openRemoteScene()
    scene = remote
    remote.merge('echo x > x && git add x && git commit -qm x && git push -q origin main')
    const { remote: bare } = remote
    await direct(async () => (await scene.target()) === sh(bare, 'git rev-parse main'))
    const before = await scene.target()
    remote.merge(
      'git reset -q --hard HEAD~1 && echo y > y && git add y && git commit -qm y && git push -qf origin main',
    )
    await scene.queue('Add a', { 'src/a': 'a\n' })
    await direct(asks('conflict', 'rewritten'))
    expect(remote.branches().size).toBe(0)
    expect(await scene.target()).toBe(before)
    await answer('follow')
    await direct(() => remote.branches().size === 1)
    expect(await scene.target()).toBe(sh(bare, 'git rev-parse main'))
    expect(
      sh(scene.scratch.ground.integration.gitDir, 'git for-each-ref refs/axiom/rescue/target'),
    ).toContain(before)
  })
})
