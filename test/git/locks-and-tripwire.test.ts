import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sweepStaleLocks } from '../../src/platform/git/sweep-stale-locks.ts'
import { createWorkspace, sweepUnfinished } from '../../src/workspaces/create-workspace.ts'
import { inspectWorkspace } from '../../src/workspaces/inspect-workspace.ts'
import { removeWorkspace } from '../../src/workspaces/remove-workspace.ts'
import { compareFingerprints, fingerprintRepository } from '../../src/workspaces/repository-fingerprint.ts'
import { observerOf } from '../../src/workspaces/workspace.ts'
import { openScratch, type Scratch, sh, write } from './scratch.ts'

let scratch: Scratch
const started: ChildProcess[] = []
beforeEach(async () => {
  scratch = await openScratch()
})
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  scratch.remove()
})

function plantLock(path: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '')
  const old = Date.now() / 1000 - 60
  utimesSync(path, old, old)
  return path
}

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !holds(); tries += 1) await new Promise((go) => setTimeout(go, 10))
  expect(holds()).toBe(true)
}

describe('locks that a killed git left behind', () => {
  it('are removed, and work goes on', async () => {
    const { ground } = scratch
    const { gitDir } = ground.integration
    const workspace = await createWorkspace(ground, { agent: 'echo-001', task: 'task-001', slot: 0 })
    const locks = [
      ...['HEAD.lock', 'config.lock', 'packed-refs.lock', 'refs/axiom/runs/task-001/1.lock'].map((name) =>
        join(gitDir, name),
      ),
      ...['index.lock', 'HEAD.lock'].map((name) => join(workspace.path, '.git', name)),
    ].map(plantLock)
    expect(() => sh(workspace.path, 'git add -A')).toThrow(/index\.lock/)
    const swept = [
      await sweepStaleLocks(gitDir, Date.now()),
      await sweepStaleLocks(join(workspace.path, '.git'), Date.now()),
    ]
    expect(swept.flatMap(({ removed }) => removed).toSorted()).toEqual(locks.toSorted())
    sh(workspace.path, 'echo one > one && git add -A && git commit -qm one')
    expect((await inspectWorkspace(ground, workspace)).exported.kind).toBe('exported')
  })

  it('are left alone while a process holds them open, works in the repository, or has just begun', async () => {
    const { gitDir } = scratch.ground.integration
    const held = plantLock(join(gitDir, 'packed-refs.lock'))
    const holder = spawn('sh', ['-c', 'exec 9<"$1"; echo ready; exec sleep 600', 'sh', held], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    started.push(holder)
    let ready = false
    holder.stdout?.on('data', () => {
      ready = true
    })
    await until(() => ready)
    expect(await sweepStaleLocks(gitDir, Date.now())).toMatchObject({ removed: [], left: [{ path: held }] })
    holder.kill('SIGKILL')
    await until(() => holder.signalCode !== null)
    expect((await sweepStaleLocks(gitDir, Date.now())).removed).toEqual([held])

    const worked = plantLock(join(gitDir, 'HEAD.lock'))
    const worker = spawn('git', ['--git-dir', gitDir, 'cat-file', '--batch'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    started.push(worker)
    await until(() => worker.pid !== undefined && existsSync(`/proc/${worker.pid}/fd`))
    expect((await sweepStaleLocks(gitDir, Date.now())).left).toMatchObject([{ path: worked }])
    worker.kill('SIGKILL')
    await until(() => worker.signalCode !== null)

    writeFileSync(join(gitDir, 'config.lock'), '')
    expect(await sweepStaleLocks(gitDir, Date.now())).toEqual({
      removed: [worked],
      left: [{ path: join(gitDir, 'config.lock'), why: 'just made' }],
    })
  })

  it('are judged by age alone where there is no table of processes', async () => {
    const { gitDir } = scratch.ground.integration
    const lock = plantLock(join(gitDir, 'HEAD.lock'))
    expect((await sweepStaleLocks(gitDir, Date.now(), '/nonexistent')).left).toHaveLength(1)
    expect((await sweepStaleLocks(gitDir, Date.now() + 3_600_000, '/nonexistent')).removed).toEqual([lock])
  })

  it('are not sought through a link that an agent put in place of its .git', async () => {
    const workspace = await createWorkspace(scratch.ground, { agent: 'echo-001', task: 'task-001', slot: 0 })
    const lock = plantLock(join(scratch.user, '.git/index.lock'))
    sh(workspace.path, `rm -rf .git && ln -s ${scratch.user}/.git .git`)
    expect(await sweepStaleLocks(join(workspace.path, '.git'), Date.now())).toEqual({ removed: [], left: [] })
    expect(existsSync(lock)).toBe(true)
  })
})

describe('what a crash left of AXIOM’s own', () => {
  it('heals: a half-made workspace goes, a broken observer is made anew', async () => {
    const { ground } = scratch
    write(join(ground.workspacesDir, '.new-echo-009-task-009'), { half: 'made' })
    expect(await sweepUnfinished(ground)).toEqual(['.new-echo-009-task-009'])
    const workspace = await createWorkspace(ground, { agent: 'echo-001', task: 'task-001', slot: 0 })
    write(workspace.path, { 'work.txt': 'work' })
    const { gitDir } = observerOf(ground, workspace.name)
    writeFileSync(join(gitDir, 'index'), 'torn')
    plantLock(join(gitDir, 'index.lock'))
    expect((await inspectWorkspace(ground, workspace)).uncommitted).toEqual([
      { status: 'A', path: 'work.txt' },
    ])
    sh(scratch.root, `rm -rf ${gitDir}`)
    expect((await inspectWorkspace(ground, workspace)).uncommitted).toEqual([
      { status: 'A', path: 'work.txt' },
    ])
    expect((await removeWorkspace(ground, workspace, 'test')).kind).toBe('removed')
  })
})

describe('the tripwire', () => {
  const look = () =>
    fingerprintRepository(scratch.ground.git, scratch.user, scratch.ground.integration.gitDir)

  it('stays quiet while agents work and the user only looks', async () => {
    const before = await look()
    const workspace = await createWorkspace(scratch.ground, { agent: 'echo-001', task: 'task-001', slot: 0 })
    sh(workspace.path, 'echo one > one && git add -A && git commit -qm one')
    await inspectWorkspace(scratch.ground, workspace)
    await removeWorkspace(scratch.ground, workspace, 'landed')
    sh(scratch.user, 'touch readme.md && git status && git log && git diff')
    expect(compareFingerprints(before, await look())).toEqual([])
  })

  it.each([
    ['HEAD', 'git checkout -q --detach', 'HEAD'],
    ['a branch', 'git branch evil', 'refs/heads/evil'],
    ['a moved branch', 'git commit -q --allow-empty -m x', 'refs/heads/main'],
    ['the index', 'echo x > x && git add x', 'index'],
    ['a hook', 'mkdir -p .git/hooks && echo x > .git/hooks/pre-commit', 'hooks/pre-commit'],
    [
      'a hook made executable',
      'mkdir -p .git/hooks && cp /bin/true .git/hooks/post-commit',
      'hooks/post-commit',
    ],
    ['the configuration', 'git config core.fsmonitor /bin/evil', 'config'],
    ['attributes', 'mkdir -p .git/info && echo "* filter=x" > .git/info/attributes', 'info/attributes'],
    ['a worktree', 'git worktree add -q ../other', 'worktrees/other/HEAD'],
    ['alternates', 'echo /evil > .git/objects/info/alternates', 'objects/info/alternates'],
  ])('names %s when it changed', async (_, line, part) => {
    const before = await look()
    sh(scratch.user, line)
    expect(compareFingerprints(before, await look()).map((change) => change.part)).toContain(part)
  })
})
