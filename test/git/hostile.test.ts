import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorkspace } from '../../src/workspaces/create-workspace.ts'
import { inspectWorkspace } from '../../src/workspaces/inspect-workspace.ts'
import { emptyTrash, removeWorkspace } from '../../src/workspaces/remove-workspace.ts'
import { rescueWorkspace } from '../../src/workspaces/rescue-workspace.ts'
import { makeHostile, openTrap, type Trap } from './hostile-clone.ts'
import { groundFor, openScratch, type Scratch, sh } from './scratch.ts'

let scratch: Scratch
let trap: Trap
beforeEach(async () => {
  scratch = await openScratch()
  trap = openTrap(scratch.root)
})
afterEach(() => scratch.remove())

describe('a repository full of traps', () => {
  it('springs them when plain git works in it: the traps are real', async () => {
    const workspace = await createWorkspace(scratch.ground, { agent: 'echo-001', task: 'task-001', slot: 0 })
    makeHostile(workspace.path, trap)
    sh(workspace.path, 'git -c core.fsmonitor= -c core.hooksPath=/dev/null add -A')
    for (const line of [
      'git status',
      'git -c commit.gpgSign=false commit -am x',
      'git stash -u',
      'git diff HEAD~1',
    ]) {
      sh(workspace.path, `${line} || true`)
    }
    expect(trap.sprung()).toEqual(
      expect.arrayContaining(['inner-fsmonitor', 'outer-clean', 'outer-fsmonitor', 'outer-hook-pre-commit']),
    )
  })

  it('springs none when AXIOM looks at a workspace, exports, saves and removes it', async () => {
    const { ground } = scratch
    const workspace = await createWorkspace(ground, { agent: 'echo-001', task: 'task-001', slot: 0 })
    sh(
      workspace.path,
      'echo one > one.txt && git add -A && git commit -qm one && echo staged > s && git add s',
    )
    makeHostile(workspace.path, trap)
    // Twice, because git compares with what it saw before: a submodule in the index is where it would step in.
    for (const round of [1, 2]) {
      writeFileSync(join(workspace.path, 'one.txt'), `round ${round}`)
      const seen = await inspectWorkspace(ground, workspace)
      expect(seen.exported.kind).toBe('exported')
      expect(seen.nested).toEqual(['inner'])
      expect(seen.uncommitted.map(({ path }) => path)).toContain('one.txt')
    }
    for (const _ of [1, 2]) expect((await rescueWorkspace(ground, workspace, 'test')).unsaved).toEqual([])
    expect((await removeWorkspace(ground, workspace, 'test')).kind).toBe('removed')
    await emptyTrash(ground)
    expect(trap.sprung()).toEqual([])
  })

  it('springs none when the agent committed the inner repository as a submodule', async () => {
    const { ground } = scratch
    const workspace = await createWorkspace(ground, { agent: 'echo-001', task: 'task-001', slot: 0 })
    makeHostile(workspace.path, trap)
    sh(
      workspace.path,
      'git -c core.hooksPath=/dev/null -c core.fsmonitor= -c commit.gpgSign=false add inner || true',
    )
    sh(
      workspace.path,
      `git -c core.fsmonitor= update-index --add --cacheinfo 160000,$(git -C inner rev-parse HEAD),inner
       git update-ref HEAD $(git commit-tree -p HEAD -m link $(git write-tree))`,
    )
    sh(scratch.root, 'rm -f marks/*')
    for (const _ of [1, 2]) {
      expect((await inspectWorkspace(ground, workspace)).exported.kind).toBe('exported')
    }
    expect((await removeWorkspace(ground, workspace, 'test')).kind).toBe('removed')
    expect(trap.sprung()).toEqual([])
  })

  it('springs none when it is the user’s own and AXIOM fetches from it and makes workspaces', async () => {
    makeHostile(scratch.user, trap)
    sh(
      scratch.user,
      `git -c core.hooksPath=/dev/null -c core.fsmonitor= -c commit.gpgSign=false -c filter.trap.clean=cat \
         -c filter.trap.process= -c filter.trap.required=false add .gitattributes .gitmodules
       git update-ref HEAD $(git commit-tree -p HEAD -m traps $(git write-tree))`,
    )
    sh(scratch.root, 'rm -f marks/*; rm -rf again; mkdir again')
    const ground = await groundFor(join(scratch.root, 'again'), scratch.user)
    const workspace = await createWorkspace(ground, { agent: 'echo-001', task: 'task-001', slot: 0 })
    expect((await inspectWorkspace(ground, workspace)).uncommitted).toEqual([])
    expect((await removeWorkspace(ground, workspace, 'test')).kind).toBe('removed')
    expect(trap.sprung()).toEqual([])
  })

  it('springs none when the workspace was replaced by a copy of the hostile one, pipes and links included', async () => {
    const { ground } = scratch
    const workspace = await createWorkspace(ground, { agent: 'echo-001', task: 'task-001', slot: 0 })
    makeHostile(workspace.path, trap)
    cpSync(join(workspace.path, 'inner'), join(workspace.path, 'src/inner'), { recursive: true })
    sh(
      workspace.path,
      `mkfifo pipe .git/refs/heads/pipe .git/objects/pack/pack-${'a'.repeat(40)}.pack
       ln -s /etc/passwd link; ln -s / .git/refs/heads/root; ln -sf /dev/zero .git/index
       echo '${scratch.user}/.git/objects' >> .git/objects/info/alternates`,
    )
    const seen = await inspectWorkspace(ground, workspace)
    expect(seen.uncommitted.map(({ path }) => path)).toContain('link')
    expect((await removeWorkspace(ground, workspace, 'test')).kind).toBe('removed')
    expect(trap.sprung()).toEqual([])
  })
})
