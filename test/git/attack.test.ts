import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorkspace } from '../../src/workspaces/create-workspace.ts'
import { inspectWorkspace } from '../../src/workspaces/inspect-workspace.ts'
import { fetchTarget, targetOfRecord } from '../../src/workspaces/integration-repository.ts'
import { removeWorkspace } from '../../src/workspaces/remove-workspace.ts'
import { compareFingerprints, fingerprintRepository } from '../../src/workspaces/repository-fingerprint.ts'
import type { Workspace } from '../../src/workspaces/workspace.ts'
import { makeHostile, openTrap } from './hostile-clone.ts'
import { runnerFor } from './sandbox.ts'
import { openScratch, type Scratch, sh, write } from './scratch.ts'

let scratch: Scratch
let workspace: Workspace
let sibling: Workspace
beforeEach(async () => {
  scratch = await openScratch()
  workspace = await createWorkspace(scratch.ground, { agent: 'echo-001', task: 'task-001', slot: 0 })
  sibling = await createWorkspace(scratch.ground, { agent: 'echo-002', task: 'task-002', slot: 1 })
})
afterEach(() => scratch.remove())

/** Every byte below a folder, so that nothing can change unseen. */
function digestOf(folder: string): string {
  const hash = createHash('sha256')
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => ({ path: join(entry.parentPath, entry.name), isFile: entry.isFile() }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
  for (const { path, isFile } of entries) hash.update(`\0${path}\0`).update(isFile ? readFileSync(path) : '')
  return hash.digest('hex')
}

describe('an agent in the sandbox that attacks', () => {
  it('reaches neither the integration repository, nor the user’s, nor another workspace', async () => {
    const { ground, user } = scratch
    write(user, { 'uncommitted.txt': 'precious', 'src/add.js': 'edited by the user' })
    sh(user, 'git add src/add.js')
    const { gitDir, objects } = ground.integration
    const before = [user, gitDir, sibling.path].map(digestOf)
    const tripwire = await fingerprintRepository(ground.git, user, gitDir)
    const attacks = [
      `rm -rf ${objects}/pack/* ${objects}/??/*`,
      `chmod -R 777 ${objects}; echo x > ${objects}/info/alternates; echo x > ${objects}/pack/planted`,
      `git -C ${user} update-ref refs/heads/main 0000000000000000000000000000000000000001`,
      `echo ${'1'.repeat(40)} > ${gitDir}/refs/heads/main`,
      `git --git-dir=${gitDir} branch -D main; git --git-dir=${gitDir} update-ref -d refs/heads/main`,
      `git push ${gitDir} HEAD:refs/heads/main; git push --force ${user}/.git HEAD:refs/heads/main`,
      `mkdir -p ${gitDir}/hooks ${user}/.git/hooks; echo x > ${gitDir}/hooks/post-update; echo x > ${user}/.git/hooks/pre-commit`,
      `git config --file ${gitDir}/config core.fsmonitor /bin/false; git config --file ${user}/.git/config core.fsmonitor /bin/false`,
      `echo '* filter=x' > ${gitDir}/info/attributes; echo '* filter=x' > ${user}/.git/info/attributes`,
      `rm -rf ${user} ${sibling.path}/* ${sibling.path}/.git; echo x > ${sibling.path}/planted`,
      `rm -rf ../echo-002-task-002; ln -s ${user} escape; echo x > escape/planted`,
      `echo ${user}/.git/objects > .git/objects/info/alternates; echo 'gitdir: ${user}/.git' > .git/commondir`,
    ]
    const run = runnerFor(scratch)
    for (const line of attacks) {
      const { ending } = await run({
        line: `{ ${line}; } 2>/dev/null; true`,
        cwd: workspace.path,
        environment: {},
        timeoutMs: 60_000,
      })
      expect(ending, line).toEqual({ kind: 'exited', exitCode: 0 })
    }
    // Compared before anything else of ours runs.
    expect([user, gitDir, sibling.path].map(digestOf)).toEqual(before)
    expect(compareFingerprints(tripwire, await fingerprintRepository(ground.git, user, gitDir))).toEqual([])
    expect(sh(gitDir, 'git fsck --full 2>&1')).toBe('')
    expect(sh(user, 'git fsck 2>&1 && cat uncommitted.txt')).toContain('precious')
  })

  it('is still read and removed, and none of what it planted runs', async () => {
    const { ground } = scratch
    const trap = openTrap(scratch.root)
    const run = runnerFor(scratch)
    const line = 'echo one > one.txt && git add -A && git commit -qm one'
    expect((await run({ line, cwd: workspace.path, environment: {}, timeoutMs: 60_000 })).ending).toEqual({
      kind: 'exited',
      exitCode: 0,
    })
    sh(workspace.path, 'chown -R "$(id -u)" .')
    makeHostile(workspace.path, trap)
    sh(workspace.path, 'chown -R 65534:65534 . || true')
    expect((await inspectWorkspace(ground, workspace)).exported.kind).toBe('exported')
    expect((await removeWorkspace(ground, workspace, 'attack')).kind).toBe('removed')
    expect(trap.sprung()).toEqual([])
  })
})

describe('the user, while agents work', () => {
  it('may edit, commit, force-push and prune: his files stay, the target of record stays, and it is seen', async () => {
    const { ground, user } = scratch
    const record = await targetOfRecord(ground.git, ground.integration)
    sh(workspace.path, 'echo one > one.txt && git add -A && git commit -qm one')
    write(user, { 'draft.txt': 'uncommitted', 'readme.md': 'edited' })
    sh(user, 'git add draft.txt')
    expect(await fetchTarget(ground.git, ground.integration, join(user, '.git'))).toMatchObject({
      kind: 'same',
    })
    sh(user, 'git commit -qm mine')
    expect(await fetchTarget(ground.git, ground.integration, join(user, '.git'))).toMatchObject({
      kind: 'different',
      record,
      user: sh(user, 'git rev-parse main'),
    })
    sh(
      user,
      'git commit -q --amend -m rewritten && git reflog expire --expire=now --all && git gc -q --prune=now',
    )
    const seen = digestOf(user)
    expect(await fetchTarget(ground.git, ground.integration, join(user, '.git'))).toMatchObject({
      kind: 'different',
      user: sh(user, 'git rev-parse main'),
    })
    expect((await inspectWorkspace(ground, workspace)).exported.kind).toBe('exported')
    expect((await removeWorkspace(ground, workspace, 'landed')).kind).toBe('removed')
    expect(await targetOfRecord(ground.git, ground.integration)).toBe(record)
    expect(digestOf(user)).toBe(seen)
    expect(readFileSync(join(user, 'readme.md'), 'utf8')).toBe('edited')
  })

  it('may delete a workspace by hand: it is gone, and nothing else minds', async () => {
    sh(scratch.root, `rm -rf ${workspace.path}`)
    expect(await removeWorkspace(scratch.ground, workspace, 'gone')).toEqual({ kind: 'removed', rescued: [] })
    expect((await inspectWorkspace(scratch.ground, sibling)).exported.kind).toBe('nothing-new')
  })

  it('may have a branch that does not exist yet', async () => {
    sh(scratch.user, 'git branch -m main other')
    expect(
      await fetchTarget(scratch.ground.git, scratch.ground.integration, join(scratch.user, '.git')),
    ).toEqual({ kind: 'unborn' })
  })
})
