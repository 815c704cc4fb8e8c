import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { lastLanding } from '../../src/integration/landing-record.ts'
import { personEventContext } from '../../src/project/delivery/event-context.ts'
import { answerQuestion } from '../../src/project/interventions/answer-question.ts'
import { queuedEntries } from './queue.ts'
import { openRemoteScene, type RemoteScene, until } from './remote-scene.ts'
import { sh } from './scene.ts'

let scene: RemoteScene
afterEach(() => scene.close())

const doneOf = async (task: string) => (await scene.task(task)).status === 'done'
const pushedOf = async (task: string) => lastLanding(await scene.task(task))?.pushed
const open = async () =>
  (await scene.store.query({ type: 'pending' })).filter(({ status }) => status !== 'done')
const answer = (id: string, text: string) =>
  answerQuestion(scene.store, personEventContext(join(scene.scratch.user, '.axiom'), scene.world.config), {
    id,
    text,
    by: 'user',
  })

/** How people at a remote bring a branch to its target. */
const WAYS = {
  'as it is': 'git merge -q --ff-only origin/$B && git push -q origin main',
  'by a merge commit': 'git merge -q --no-ff -m "Merge it" origin/$B && git push -q origin main',
  'rebased behind other work':
    'echo x > other && git add other && git commit -qm other && git cherry-pick origin/$B >/dev/null && git push -q origin main',
  'squashed under other words, its branch deleted':
    'echo x > other && git add other && git commit -qm other && git merge -q --squash origin/$B && git commit -qm "Theirs (#7)" && git push -q origin main :$B',
  'squashed together with a change of the same commit':
    'git merge -q --squash origin/$B && echo x > other && git add other && git commit -qm "More (#8)" && git push -q origin main',
  'squashed after a person added to the branch':
    'git checkout -q -B b origin/$B && echo more >> src/a && git commit -qam more && git push -q origin b:$B && git checkout -q main && git merge -q --squash b && git commit -qm "Both (#9)" && git push -q origin main',
}

describe('where others land', () => {
  it.each(Object.entries(WAYS))('a verified branch that is merged %s is landed', async (_, way) => {
    scene = await openRemoteScene()
    const { task } = await scene.queue('Add a', { 'src/a': 'a\n' })
    const red = await scene.queue('Break it', { broken: 'yes\n' })
    await scene.directed(async () => {
      await until(() => pushedOf(task))
      const [branch = '', commit] = [...scene.branches()][0] ?? []
      expect(branch).toBe(`agent/echo-001/${task}`)
      expect(await pushedOf(task)).toMatchObject({ branch, commit })
      // What is red is pushed nowhere: its developer has it back.
      await until(async () => (await scene.stateOf(red.task)) !== 'integrating')
      expect(scene.branches().size).toBe(1)
      expect(await scene.stateOf(task)).toBe('integrating')
      scene.merge(way.replaceAll('$B', branch))
      await until(() => doneOf(task))
      // The user's own branch follows.
      const main = sh(scene.remote, 'git rev-parse main')
      await until(() => sh(scene.scratch.user, 'git rev-parse main') === main)
    })
    expect(await scene.target()).toBe(sh(scene.remote, 'git rev-parse main'))
    expect(scene.show('src/a')).toContain('a\n')
  })

  it('looks at an offered branch again when the target moved, and leaves it to those who review it', async () => {
    scene = await openRemoteScene()
    const { task } = await scene.queue('Add a', { 'src/a': 'a\n' })
    await scene.directed(async () => {
      await until(() => pushedOf(task))
      const before = [...scene.branches()]
      scene.merge('echo x > other && git add other && git commit -qm other && git push -q origin main')
      const main = sh(scene.remote, 'git rev-parse main')
      await until(async () => (await pushedOf(task))?.target === main)
      expect([...scene.branches()]).toEqual(before)
      // What now breaks it goes back before anybody merges it.
      scene.merge('echo yes > broken && git add broken && git commit -qm broken && git push -q origin main')
      await until(async () => (await scene.stateOf(task)) !== 'integrating')
      expect(await doneOf(task)).toBe(false)
    })
  })

  it('asks a person when the remote refuses a branch, and pushes again when he says so', async () => {
    scene = await openRemoteScene()
    const hook = join(scene.remote, 'hooks/pre-receive')
    writeFileSync(hook, '#!/bin/sh\necho "not on a Friday" >&2\nexit 1\n')
    chmodSync(hook, 0o755)
    const { task } = await scene.queue('Add a', { 'src/a': 'a\n' })
    await scene.directed(async () => {
      await until(async () => (await scene.stateOf(task)) === 'asking')
    })
    const [question] = await open()
    expect(question?.metadata).toMatchObject({
      fallback: 'defer',
      context: expect.stringContaining('not on a Friday'),
      options: [{ label: 'retry' }, { label: 'rework' }, { label: 'defer' }],
    })
    expect(scene.branches().size).toBe(0)
    rmSync(hook)
    expect(await answer(question?.id ?? '', 'retry')).toMatchObject({ kind: 'answered', task })
    await scene.directed(() => until(() => pushedOf(task)))
    expect(scene.branches().size).toBe(1)
  })

  it('asks a person when a branch was closed without a merge, and gives it back with his words', async () => {
    scene = await openRemoteScene()
    const { task } = await scene.queue('Add a', { 'src/a': 'a\n' })
    await scene.directed(async () => {
      await until(() => pushedOf(task))
      sh(scene.remote, `git update-ref -d refs/heads/agent/echo-001/${task}`)
      await until(async () => (await scene.stateOf(task)) === 'asking')
      const [question] = await open()
      expect(question?.metadata.context).toContain('closed without a merge')
      await answer(question?.id ?? '', 'use another name for it')
      await until(async () => (await scene.stateOf(task)) === 'developing')
    })
  })

  it("overwrites nothing that is somebody else's on the branch", async () => {
    scene = await openRemoteScene()
    const { task } = await scene.queue('Add a', { 'src/a': 'a\n' })
    scene.merge(
      `echo x > x && git add x && git commit -qm mine && git push -q origin HEAD:agent/echo-001/${task}`,
    )
    const before = [...scene.branches()]
    await scene.directed(async () => {
      await until(async () => (await scene.stateOf(task)) === 'asking')
    })
    expect([...scene.branches()]).toEqual(before)
    expect((await open())[0]?.metadata.context).toContain('commits of somebody else')
  })

  it('waits for a remote that cannot be reached, and goes on when it can', async () => {
    scene = await openRemoteScene()
    const { task } = await scene.queue('Add a', { 'src/a': 'a\n' })
    renameSync(scene.remote, `${scene.remote}.away`)
    await scene.directed(async () => {
      await until(() => scene.notices.some(({ code }) => code === 'REMOTE_FETCH_FAILED'))
      expect(await scene.stateOf(task)).toBe('integrating')
      renameSync(`${scene.remote}.away`, scene.remote)
      await until(() => pushedOf(task))
    })
  })

  it('brings a reworked task to the same branch', async () => {
    scene = await openRemoteScene()
    const { task, commit } = await scene.queue('Add a', { 'src/a': 'a\n' })
    await scene.directed(() => until(() => pushedOf(task)))
    const { integration } = scene.scratch.ground
    const again = sh(
      integration.gitDir,
      `git commit-tree -p ${commit} -m again $(printf '100644 blob %s\\tnew\\n' $(echo new | git hash-object -w --stdin) | git mktree)`,
    )
    const delivery = (await scene.task(task)).metadata.delivery as object
    await scene.commit({ kind: 'update', id: task, metadata: { delivery: { ...delivery, commit: again } } })
    await scene.directed(() => until(async () => (await pushedOf(task))?.source === again))
    expect([...scene.branches().keys()]).toEqual([`agent/echo-001/${task}`])
    expect(sh(scene.remote, `git show agent/echo-001/${task}:new`)).toBe('new')
  })
})

describe('one who stops between two steps', () => {
  it('after the push finds its branch, and pushes no other', async () => {
    scene = await openRemoteScene()
    const { task } = await scene.queue('Add a', { 'src/a': 'a\n' })
    const hands = await scene.hands()
    await hands.follow?.([])
    const report = await hands.land({ entries: await queuedEntries(scene.world) })
    expect(report.landings.get(task)?.kind).toBe('pushed')
    expect(await pushedOf(task)).toBeUndefined()
    const before = [...scene.branches()]
    // The same work, committed in another second, is another commit.
    const madeAt = Number(sh(scene.remote, `git log -1 --format=%ct ${before[0]?.[1]}`))
    await until(() => Date.now() / 1000 > madeAt + 1)
    await scene.directed(() => until(() => pushedOf(task)))
    expect([...scene.branches()]).toEqual(before)
    expect((await pushedOf(task))?.commit).toBe(before[0]?.[1])
  })

  it('after the push finds that it was merged and deleted meanwhile', async () => {
    scene = await openRemoteScene()
    const { task } = await scene.queue('Add a', { 'src/a': 'a\n' })
    const hands = await scene.hands()
    await hands.follow?.([])
    await hands.land({ entries: await queuedEntries(scene.world) })
    scene.merge(`${WAYS['as it is']} && git push -q origin :$B`.replaceAll('$B', `agent/echo-001/${task}`))
    await scene.directed(() => until(() => doneOf(task)))
    expect(scene.branches().size).toBe(0)
  })

  it('after the merge, and after the merge was seen, still tells it once', async () => {
    scene = await openRemoteScene()
    const { task } = await scene.queue('Add a', { 'src/a': 'a\n' })
    await scene.directed(() => until(() => pushedOf(task)))
    scene.merge(WAYS['by a merge commit'].replaceAll('$B', `agent/echo-001/${task}`))
    const hands = await scene.hands()
    const pushed = await pushedOf(task)
    const [entry] = await queuedEntries(scene.world)
    if (!entry || !pushed) throw new Error('not offered')
    const seen = await hands.follow?.([{ ...entry, pushed }])
    expect(seen).toMatchObject({ kind: 'seen', target: { kind: 'moved' } })
    expect(await doneOf(task)).toBe(false)
    await scene.directed(() => until(() => doneOf(task)))
    const history = await scene.store.history(task)
    expect(history.filter((entry) => JSON.stringify(entry).includes('"done"'))).toHaveLength(1)
  })
})
