import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Publication, publishTarget } from '../../src/integration/publish-target.ts'
import { type IntegrationScratch, openIntegrationScratch, sh, write } from './scratch.ts'

const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', '.gitignore': '*.log\n' }

function publish({ ground, integration, user }: IntegrationScratch): Promise<Publication> {
  return publishTarget({
    git: ground.git,
    integration,
    user: { gitDir: join(user, '.git') },
    target: 'main',
  })
}

/** Something lands: the target of record moves. */
async function land(scratch: IntegrationScratch, files: Record<string, string | undefined>): Promise<string> {
  const { gitDir } = scratch.integration
  const commit = await scratch.commit(sh(gitDir, 'git rev-parse main'), files)
  sh(gitDir, `git update-ref refs/heads/main ${commit}`)
  return commit
}

const state = (user: string) =>
  sh(user, 'git rev-parse HEAD; git status --porcelain=v2 --ignored; git diff; git diff --cached')

describe('publishing', () => {
  it('moves a branch that is not checked out', async () => {
    await using scratch = await openIntegrationScratch(FILES)
    sh(scratch.user, 'git checkout -q -b other')
    const before = state(scratch.user)
    const commit = await land(scratch, { 'a.txt': 'A\n' })
    expect(await publish(scratch)).toEqual({
      ...{ kind: 'published', from: scratch.first, to: commit, workTree: undefined },
    })
    expect(sh(scratch.user, 'git rev-parse main')).toBe(commit)
    expect(state(scratch.user)).toBe(before)
    expect(await publish(scratch)).toEqual({ kind: 'same', commit })
  })

  it('moves a checked-out branch with index and files, and leaves staged, unstaged and new files alone', async () => {
    await using scratch = await openIntegrationScratch(FILES)
    const { user } = scratch
    write(user, { 'b.txt': 'staged\n', 'c.txt': 'unstaged\n', 'new.txt': 'new\n', 'x.log': 'ignored\n' })
    sh(
      user,
      `git add b.txt && printf '#!/bin/sh\\ntouch ${user}/hooked' > .git/hooks/post-merge && chmod +x .git/hooks/*`,
    )
    const before = sh(user, 'git status --porcelain --ignored; git diff; git diff --cached')
    const commit = await land(scratch, { 'a.txt': 'A\n', 'd.txt': 'd\n' })
    expect(await publish(scratch)).toMatchObject({ kind: 'published', to: commit, workTree: user })
    expect(sh(user, 'git status --porcelain --ignored; git diff; git diff --cached')).toBe(before)
    expect(readFileSync(join(user, 'a.txt'), 'utf8')).toBe('A\n')
    expect(existsSync(join(user, 'hooked'))).toBe(false)
    sh(user, 'git commit -qm mine')
    expect(sh(user, 'git diff --name-only HEAD^ HEAD')).toBe('b.txt')
    expect(sh(user, 'git show HEAD:d.txt HEAD:a.txt')).toBe('d\nA')
  })

  it.each([
    ['an unstaged change', 'echo mine > a.txt', ['a.txt']],
    ['a staged change', 'echo mine > a.txt; git add a.txt', ['a.txt']],
    ['a new file', 'echo mine > d.txt', ['d.txt']],
    ['an ignored file', 'echo mine > e.log', ['e.log']],
    ['a lock of another git', 'touch .git/index.lock', []],
    ['an unfinished merge', 'git rev-parse HEAD > .git/MERGE_HEAD', []],
  ])('is refused by %s, which stays as it is', async (_name, line, files) => {
    await using scratch = await openIntegrationScratch(FILES)
    const { user } = scratch
    sh(user, line)
    const before = state(user)
    const commit = await land(scratch, { 'a.txt': 'A\n', 'd.txt': 'd\n', 'e.log': 'e\n' })
    const outcome = await publish(scratch)
    expect(outcome).toMatchObject({ kind: 'refused', workTree: user, files })
    expect(outcome).toMatchObject({ command: `git -C ${user} merge --ff-only ${commit}` })
    expect(state(user)).toBe(before)
  })

  it('works in another work tree that has the branch, and not in two', async () => {
    await using scratch = await openIntegrationScratch(FILES)
    const second = join(scratch.root, 'second')
    sh(scratch.user, `git checkout -q -b other && git worktree add -q ${second} main`)
    const commit = await land(scratch, { 'a.txt': 'A\n' })
    expect(await publish(scratch)).toMatchObject({ kind: 'published', to: commit, workTree: second })
    expect(sh(second, 'git status --porcelain; cat a.txt')).toBe('A')
    sh(scratch.user, 'git checkout -q --ignore-other-worktrees main')
    await land(scratch, { 'a.txt': 'AA\n' })
    expect(await publish(scratch)).toMatchObject({ kind: 'refused', files: [] })
    expect(sh(second, 'git rev-parse main')).toBe(commit)
  })

  it('leaves a branch alone that is being rebased', async () => {
    await using scratch = await openIntegrationScratch(FILES)
    const { user } = scratch
    sh(user, `git commit -q --allow-empty -m more && git fetch -q . main`)
    sh(scratch.integration.gitDir, `git fetch -q ${user} main:main`)
    sh(user, `GIT_SEQUENCE_EDITOR='sed -i 1ibreak' git rebase -q -i HEAD^ || true`)
    const before = state(user)
    await land(scratch, { 'a.txt': 'A\n' })
    expect(await publish(scratch)).toMatchObject({ kind: 'refused' })
    expect(state(user)).toBe(before)
  })

  it("tells the user's own commits, a rewritten and a deleted branch, and moves nothing", async () => {
    await using scratch = await openIntegrationScratch(FILES)
    const { user } = scratch
    sh(user, 'git commit -q --allow-empty -m mine')
    const mine = sh(user, 'git rev-parse main')
    expect(await publish(scratch)).toEqual({ kind: 'ahead', user: mine, record: scratch.first })
    const record = await land(scratch, { 'a.txt': 'A\n' })
    expect(await publish(scratch)).toEqual({ kind: 'diverged', user: mine, record })
    expect(sh(user, 'git rev-parse main')).toBe(mine)
    sh(user, 'git checkout -q -b other && git branch -qD main')
    expect(await publish(scratch)).toMatchObject({ kind: 'missing' })
    expect(sh(user, 'git branch --list main')).toBe('')
  })
})
