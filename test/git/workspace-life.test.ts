import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listRefs } from '../../src/platform/git/repository-operations.ts'
import { createWorkspace } from '../../src/workspaces/create-workspace.ts'
import { inspectWorkspace } from '../../src/workspaces/inspect-workspace.ts'
import { emptyTrash, removeWorkspace } from '../../src/workspaces/remove-workspace.ts'
import { rescueWorkspace } from '../../src/workspaces/rescue-workspace.ts'
import { listWorkspaces, type Workspace } from '../../src/workspaces/workspace.ts'
import { openScratch, type Scratch, sh, write } from './scratch.ts'

let scratch: Scratch
let workspace: Workspace
beforeEach(async () => {
  scratch = await openScratch()
  workspace = await createWorkspace(scratch.ground, { agent: 'echo-001', task: 'task-004', slot: 0 })
})
afterEach(() => scratch.remove())

const integrationFile = (revision: string, path: string): string =>
  sh(scratch.ground.integration.gitDir, `git cat-file blob '${revision}:${path}'`)

describe('a workspace', () => {
  it('is a clone on its own branch, with no way to push and no hook', () => {
    expect(sh(workspace.path, 'git symbolic-ref HEAD')).toBe('refs/heads/agent/echo-001/task-004')
    expect(sh(workspace.path, 'git status --porcelain')).toBe('')
    expect(sh(workspace.path, 'git remote')).toBe('')
    expect(existsSync(join(workspace.path, '.git/hooks'))).toBe(false)
    expect(sh(workspace.path, 'git log --format=%s main')).toBe('first')
  })

  it('gives its commits to the integration repository under a number of the task', async () => {
    sh(workspace.path, 'echo one > one.txt && git add -A && git commit -qm one')
    const first = await inspectWorkspace(scratch.ground, workspace)
    expect(first.exported).toMatchObject({ kind: 'exported', ref: 'refs/axiom/runs/task-004/1' })
    expect(first.uncommitted).toEqual([])
    sh(workspace.path, 'echo two > two.txt && git add -A && git commit -qm two')
    expect((await inspectWorkspace(scratch.ground, workspace)).exported).toMatchObject({
      ref: 'refs/axiom/runs/task-004/2',
    })
    expect((await inspectWorkspace(scratch.ground, workspace)).exported).toMatchObject({
      ref: 'refs/axiom/runs/task-004/2',
    })
    expect(integrationFile('refs/axiom/runs/task-004/2', 'two.txt')).toBe('two')
    expect(sh(scratch.ground.integration.gitDir, 'git fsck --full 2>&1')).toBe('')
  })

  it('shows what is uncommitted, ignored files aside, whatever the agent hid from its own git', async () => {
    write(workspace.path, { 'new.txt': 'new', 'ignored/x': 'x', 'src/add.js': 'changed' })
    sh(workspace.path, 'rm readme.md && git update-index --assume-unchanged src/add.js')
    expect((await inspectWorkspace(scratch.ground, workspace)).uncommitted).toEqual([
      { status: 'A', path: 'new.txt' },
      { status: 'D', path: 'readme.md' },
      { status: 'M', path: 'src/add.js' },
    ])
  })

  it('knows a file that is ignored and was committed all the same, and sees it change', async () => {
    write(workspace.path, { 'kept.log': 'kept' })
    sh(workspace.path, 'git add -f kept.log && git commit -qm kept')
    expect((await inspectWorkspace(scratch.ground, workspace)).uncommitted).toEqual([])
    write(workspace.path, { 'kept.log': 'changed' })
    expect((await inspectWorkspace(scratch.ground, workspace)).uncommitted).toEqual([
      { status: 'M', path: 'kept.log' },
    ])
  })

  it.each([
    ['a renamed branch', 'git branch -m elsewhere'],
    ['a detached HEAD', 'git checkout -q --detach'],
    ['packed refs', 'git pack-refs --all'],
    ['packed objects', 'git repack -qad'],
  ])('is exported from %s', async (_, line) => {
    sh(workspace.path, `echo one > one.txt && git add -A && git commit -qm one && ${line}`)
    const commit = sh(workspace.path, 'git rev-parse HEAD')
    expect((await inspectWorkspace(scratch.ground, workspace)).exported).toMatchObject({
      kind: 'exported',
      commit,
    })
  })

  it('answers for a deleted .git with a reason and the changed files', async () => {
    sh(workspace.path, 'echo one > one.txt && rm -rf .git')
    const { exported, uncommitted } = await inspectWorkspace(scratch.ground, workspace)
    expect(exported).toEqual({ kind: 'refused', reason: 'there is no .git directory' })
    expect(uncommitted).toEqual([{ status: 'A', path: 'one.txt' }])
  })

  it('refuses a commit whose objects git itself would not accept', async () => {
    sh(
      workspace.path,
      `blob=$(echo evil | git hash-object -w --stdin)
       tree=$(printf '100644 blob %s\t.git\n' "$blob" | git mktree)
       git update-ref HEAD "$(git commit-tree -p HEAD -m evil "$tree")"`,
    )
    expect((await inspectWorkspace(scratch.ground, workspace)).exported).toMatchObject({ kind: 'refused' })
    expect((await listRefs(scratch.ground.git, scratch.ground.integration, 'refs/axiom/runs')).size).toBe(0)
  })

  it('refuses a commit that lacks a file, also the second time', async () => {
    sh(
      workspace.path,
      `echo gone > gone.txt && git add -A && git commit -qm gone
       blob=$(git rev-parse HEAD:gone.txt) && rm -f .git/objects/$(echo $blob | cut -c1-2)/$(echo $blob | cut -c3-)`,
    )
    for (const _ of [1, 2]) {
      expect((await inspectWorkspace(scratch.ground, workspace)).exported).toMatchObject({ kind: 'refused' })
    }
    expect(sh(scratch.ground.integration.gitDir, 'git fsck --full 2>&1')).toBe('')
  })
})

describe('the rescue', () => {
  it('saves what is committed, staged, changed and untracked, and nothing a second time', async () => {
    sh(workspace.path, 'echo committed > c.txt && git add -A && git commit -qm c')
    sh(workspace.path, 'echo staged > s.txt && git add s.txt && echo changed > s.txt')
    write(workspace.path, { 'un\ntracked': 'untracked', 'ignored/x': 'x', 'src/add.js': 'edited' })
    const rescue = await rescueWorkspace(scratch.ground, workspace, 'test')
    expect(rescue.unsaved).toEqual([])
    const tree = 'refs/axiom/rescue/echo-001-task-004/1/tree'
    expect(rescue.refs).toContain(tree)
    expect(integrationFile(tree, 'c.txt')).toBe('committed')
    expect(integrationFile(tree, 's.txt')).toBe('changed')
    expect(integrationFile(tree, 'un\ntracked')).toBe('untracked')
    expect(integrationFile(tree, 'src/add.js')).toBe('edited')
    expect(sh(scratch.ground.integration.gitDir, `git ls-tree -r --name-only ${tree}`)).not.toContain(
      'ignored',
    )
    expect(integrationFile('refs/axiom/rescue/echo-001-task-004/1/staged', 's.txt')).toBe('staged')
    expect(await rescueWorkspace(scratch.ground, workspace, 'again')).toEqual({
      refs: [],
      unsound: [],
      unsaved: [],
    })
    expect(sh(scratch.ground.integration.gitDir, 'git fsck --full 2>&1')).toBe('')
  })

  it('saves commits that the agent reset away and branches it left', async () => {
    sh(
      workspace.path,
      `echo a > a && git add -A && git commit -qm a && git reset -q --hard HEAD~1
       git checkout -qb side && echo b > b && git add -A && git commit -qm b && git checkout -q main`,
    )
    const { refs, unsaved } = await rescueWorkspace(scratch.ground, workspace, 'test')
    expect(unsaved).toEqual([])
    const subjects = refs.map((ref) => sh(scratch.ground.integration.gitDir, `git log -1 --format=%s ${ref}`))
    expect(subjects.toSorted()).toEqual(['a', 'b'])
  })

  it('saves the work of a repository that the agent made inside, with and without a commit', async () => {
    sh(
      workspace.path,
      `mkdir -p in/side empty && cd in/side && git init -q && echo deep > deep && git add -A && git commit -qm deep
       echo deeper >> deep && cd ../../empty && git init -q && echo bare > bare`,
    )
    const { refs, unsaved } = await rescueWorkspace(scratch.ground, workspace, 'test')
    expect(unsaved).toEqual([])
    const saved = refs.flatMap((ref) =>
      sh(scratch.ground.integration.gitDir, `git ls-tree -r --name-only ${ref}`)
        .split('\n')
        .map((path) => integrationFile(ref, path)),
    )
    expect(saved).toEqual(expect.arrayContaining(['deep', 'deep\ndeeper', 'bare']))
  })

  it('saves the files of a workspace whose .git is gone, or is something else', async () => {
    write(workspace.path, { 'only.txt': 'only' })
    sh(workspace.path, 'rm -rf .git && ln -s /etc .git')
    const { refs } = await rescueWorkspace(scratch.ground, workspace, 'test')
    expect(integrationFile(refs[0] ?? '', 'only.txt')).toBe('only')
  })

  it('still works after the user has pruned every object the workspace began with', async () => {
    sh(
      scratch.user,
      `git checkout -q --orphan fresh && git commit -qm fresh && git branch -D main && git branch -m main
       git reflog expire --expire=now --all && git gc -q --prune=now`,
    )
    sh(workspace.path, 'git fsck && echo one > one.txt && git add -A && git commit -qm one')
    expect((await inspectWorkspace(scratch.ground, workspace)).exported.kind).toBe('exported')
  })
})

describe('the removal', () => {
  it('saves first, then takes the folder away', async () => {
    write(workspace.path, { 'work.txt': 'work' })
    const removal = await removeWorkspace(scratch.ground, workspace, 'landed')
    expect(removal).toEqual({ kind: 'removed', rescued: ['refs/axiom/rescue/echo-001-task-004/1/tree'] })
    expect(existsSync(workspace.path)).toBe(false)
    expect(await listWorkspaces(scratch.ground)).toEqual([])
    expect(await emptyTrash(scratch.ground)).toBe(2)
    expect(integrationFile('refs/axiom/rescue/echo-001-task-004/1/tree', 'work.txt')).toBe('work')
  })

  it('keeps a workspace whose work cannot be saved, and says why', async () => {
    sh(
      workspace.path,
      `echo gone > gone.txt && git add -A && git commit -qm gone
       blob=$(git rev-parse HEAD:gone.txt) && rm -f .git/objects/$(echo $blob | cut -c1-2)/$(echo $blob | cut -c3-)`,
    )
    const removal = await removeWorkspace(scratch.ground, workspace, 'cleanup')
    expect(removal.kind).toBe('kept')
    expect(existsSync(join(workspace.path, 'gone.txt'))).toBe(true)
    expect(await listWorkspaces(scratch.ground)).toHaveLength(1)
  })

  it('removes links, never what they lead to', async () => {
    const outside = join(scratch.root, 'outside')
    write(outside, { keep: 'keep' })
    writeFileSync(join(workspace.path, 'ignored.log'), 'x')
    sh(workspace.path, `mkdir ignored && ln -s ${outside} ignored/out`)
    await removeWorkspace(scratch.ground, workspace, 'landed')
    await emptyTrash(scratch.ground)
    expect(readFileSync(join(outside, 'keep'), 'utf8')).toBe('keep')
  })
})
