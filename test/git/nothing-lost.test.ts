import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Failure } from '../../src/platform/failure.ts'
import type { Git } from '../../src/platform/git/git.ts'
import { sweepStaleLocks } from '../../src/platform/git/sweep-stale-locks.ts'
import { createWorkspace, sweepUnfinished } from '../../src/workspaces/create-workspace.ts'
import { inspectWorkspace } from '../../src/workspaces/inspect-workspace.ts'
import { emptyTrash, removeWorkspace } from '../../src/workspaces/remove-workspace.ts'
import { rescueWorkspace } from '../../src/workspaces/rescue-workspace.ts'
import { type Ground, listWorkspaces, type Workspace } from '../../src/workspaces/workspace.ts'
import { groundFor, openScratch, type Scratch, sh } from './scratch.ts'

/** What an agent does to its workspace, `n` making each content its own. */
const AGENT_STEPS: Readonly<Record<string, (n: number) => string>> = {
  write: (n) => `mkdir -p d${n % 3} && echo content-${n} > d${n % 3}/file-${n % 5}`,
  stage: (n) => `echo staged-${n} > s-${n} && git add -f s-${n} && echo over-${n} > s-${n}`,
  commit: (n) => `echo committed-${n} > c-${n} && git add -A && git commit -qm c-${n}`,
  reset: () => 'git reset -q --hard HEAD~1',
  branch: (n) => `git checkout -q -b side-${n}`,
  detach: () => 'git checkout -q --detach',
  rename: (n) => `git branch -m renamed-${n}`,
  stash: (n) => `echo stashed-${n} > t-${n} && git add -A && git stash -q`,
  nest: (n) =>
    `mkdir -p in-${n} && cd in-${n} && git init -q && echo nested-${n} > x && git add -A && git commit -qm x && echo after-${n} > y`,
  pack: () => 'git repack -qad && git pack-refs --all',
  lock: () => 'touch .git/index.lock',
  unlock: () => 'rm -f .git/index.lock',
  destroy: () => 'rm -rf .git/refs .git/HEAD',
}
const AXIOM_STEPS = ['inspect', 'rescue', 'remove', 'crash-remove', 'crash-inspect', 'trash'] as const

const blobName = (content: Buffer): string =>
  createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')

/** Everything in a workspace that is somebody's work: files that are not ignored, and what its git has. */
function workIn(path: string, known: Set<string>): void {
  const visit = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory() && entry.name !== '.git') visit(join(folder, entry.name))
      else if (entry.isFile()) known.add(blobName(readFileSync(join(folder, entry.name))))
      if (entry.isDirectory() && entry.name === '.git') gitWork(folder, known)
    }
  }
  if (existsSync(path)) visit(path)
}

/** Blobs that the index and any commit object lead to, on a branch or on none; a broken .git is mended in a copy. */
function gitWork(folder: string, known: Set<string>): void {
  const listed = sh(
    folder,
    `copy=$(mktemp -d) && cp -a .git "$copy/git" && cd "$copy" && export GIT_DIR="$copy/git"
     mkdir -p git/refs && { test -e git/HEAD || echo 'ref: refs/heads/none' > git/HEAD; }
     git cat-file --batch-all-objects --batch-check | grep ' commit ' | cut -c1-40 > commits || true
     { git rev-list --objects --stdin < commits | cut -c1-40; git ls-files --stage | cut -c8-47; } | sort -u |
       git cat-file --batch-check | grep ' blob ' | cut -c1-40 || true
     rm -rf "$copy"`,
  )
  for (const name of listed.split('\n').filter((line) => line !== '')) known.add(name)
}

function savedBlobs(ground: Ground): Set<string> {
  const stores = [ground.integration.gitDir, join(ground.integration.gitDir, '../unsound.git')].filter(
    (dir) => existsSync(dir),
  )
  return new Set(
    stores.flatMap((dir) =>
      sh(dir, 'git rev-list --objects --all')
        .split('\n')
        .map((line) => line.slice(0, 40)),
    ),
  )
}

class Crash extends Error {}

/** A git that AXIOM loses hold of at its n-th call, as when it is killed there. */
function crashingGit(git: Git, calls: number): Git {
  let left = calls
  const guard = (): void => {
    left -= 1
    if (left < 0) throw new Crash('killed here')
  }
  return {
    run: (...call) =>
      Promise.resolve()
        .then(guard)
        .then(() => git.run(...call)),
    text: (...call) =>
      Promise.resolve()
        .then(guard)
        .then(() => git.text(...call)),
    read: (...call) =>
      Promise.resolve()
        .then(guard)
        .then(() => git.read(...call)),
  }
}

async function restart(scratch: Scratch): Promise<Ground> {
  const ground = await groundFor(scratch.root, scratch.user)
  await sweepUnfinished(ground)
  await sweepStaleLocks(ground.integration.gitDir, Date.now() + 60_000)
  return ground
}

interface World {
  ground: Ground
  workspace: Workspace
  /** Work that was in the workspace when AXIOM last did something to it. */
  readonly work: Set<string>
}

async function axiomStep(
  scratch: Scratch,
  world: World,
  step: (typeof AXIOM_STEPS)[number],
  n: number,
): Promise<void> {
  const { ground, workspace } = world
  const crashing = { ...ground, git: crashingGit(ground.git, n % 40) }
  const crash = async (act: Promise<unknown>): Promise<void> => {
    await act.catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error
    })
    world.ground = await restart(scratch)
  }
  if (step === 'inspect') await inspectWorkspace(ground, workspace)
  if (step === 'rescue') await rescueWorkspace(ground, workspace, 'test')
  if (step === 'remove') await removeWorkspace(ground, workspace, 'test')
  if (step === 'crash-inspect') await crash(inspectWorkspace(crashing, workspace))
  if (step === 'crash-remove') await crash(removeWorkspace(crashing, workspace, 'test'))
  if (step === 'trash') await emptyTrash(ground)
}

/** While the workspace stands, its work is in it; once it is gone, every blob must be reachable from a ref. */
function expectNothingLost({ ground, workspace, work }: World): void {
  if (existsSync(workspace.path)) return
  const saved = savedBlobs(ground)
  expect([...work].filter((blob) => !saved.has(blob))).toEqual([])
}

async function play(steps: readonly { who: string; n: number }[]): Promise<void> {
  const scratch = await openScratch()
  try {
    const world: World = {
      ground: scratch.ground,
      workspace: await createWorkspace(scratch.ground, { agent: 'echo-001', task: 'task-001', slot: 0 }),
      work: new Set(),
    }
    for (const { who, n } of [...steps, { who: 'remove', n: 0 }, { who: 'trash', n: 0 }]) {
      const line = AGENT_STEPS[who]?.(n)
      if (line !== undefined && existsSync(world.workspace.path))
        sh(world.workspace.path, `{ ${line}; } >/dev/null 2>&1 || true`)
      if (line !== undefined) continue
      world.work.clear()
      workIn(world.workspace.path, world.work)
      const stood = existsSync(world.workspace.path)
      if (!stood && who.endsWith('inspect')) {
        await expect(inspectWorkspace(world.ground, world.workspace)).rejects.toMatchObject({
          code: 'WORKSPACE_MISSING',
        })
        continue
      }
      await axiomStep(scratch, world, who as (typeof AXIOM_STEPS)[number], n)
      if (stood) expectNothingLost(world)
    }
    expect(sh(world.ground.integration.gitDir, 'git fsck --full 2>&1')).toBe('')
    expect(await listWorkspaces(world.ground)).toHaveLength(existsSync(world.workspace.path) ? 1 : 0)
  } finally {
    scratch.remove()
  }
}

it('loses nothing, whatever agents do and wherever AXIOM is killed', { timeout: 600_000 }, async () => {
  const step = fc.record({
    who: fc.constantFrom(...Object.keys(AGENT_STEPS), 'write', 'stage', 'commit', ...AXIOM_STEPS),
    n: fc.nat(999),
  })
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), play), {
    numRuns: Number(process.env.AXIOM_RUNS ?? 25),
    seed: Number(process.env.AXIOM_SEED ?? 20261115),
    endOnFailure: true,
  })
})

it('survives a kill at each single step of a removal', async () => {
  for (let calls = 0; calls < 45; calls += 3) {
    await play([
      { who: 'commit', n: 1 },
      { who: 'stage', n: 2 },
      { who: 'write', n: 3 },
      { who: 'nest', n: 4 },
      { who: 'crash-remove', n: calls },
    ])
  }
})

/** A small file system of its own; where that is not allowed, a limit on every file that git writes. */
function smallDisk(folder: string): { fill(): void; free(): void; unmount(): void } | undefined {
  mkdirSync(folder, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  const filler = join(folder, 'filler')
  return {
    fill: () => sh(folder, `dd if=/dev/zero of=${filler} bs=64k 2>/dev/null || true`),
    free: () => sh(folder, `rm -f ${filler}`),
    unmount: () => execFileSync('umount', ['-l', folder]),
  }
}

const fullDiskGit = (git: Git): Git => {
  const full = (): Promise<never> => Promise.reject(new Failure('GIT_DISK_FULL', 'No space left on device'))
  return {
    ...git,
    run: (place, words, options) => (words[0] === 'add' ? full() : git.run(place, words, options)),
  }
}

it('keeps a workspace when the disk is too full to save it, and saves it when there is room again', async () => {
  const folder = join(tmpdir(), `axiom-disk-${process.pid}`)
  const disk = smallDisk(folder)
  const scratch = await openScratch(undefined, folder)
  try {
    const workspace = await createWorkspace(scratch.ground, { agent: 'echo-001', task: 'task-001', slot: 0 })
    sh(workspace.path, 'echo committed > c && git add -A && git commit -qm c')
    writeFileSync(
      join(workspace.path, 'work.bin'),
      createHash('sha512').update('x').digest().toString('hex').repeat(4_000),
    )
    disk?.fill()
    const ground = disk ? scratch.ground : { ...scratch.ground, git: fullDiskGit(scratch.ground.git) }
    const first = await removeWorkspace(ground, workspace, 'disk').catch((error: unknown) => error)
    expect(first).not.toMatchObject({ kind: 'removed' })
    expect(statSync(join(workspace.path, 'work.bin')).size).toBe(512_000)
    disk?.free()
    const second = await removeWorkspace(await restart(scratch), workspace, 'disk')
    expect(second.kind).toBe('removed')
    expect(
      sh(
        scratch.ground.integration.gitDir,
        `git cat-file -s refs/axiom/rescue/${workspace.name}/1/tree:work.bin`,
      ),
    ).toBe('512000')
    expect(sh(scratch.ground.integration.gitDir, 'git fsck --full 2>&1')).toBe('')
  } finally {
    disk?.unmount()
    scratch.remove()
    execFileSync('rm', ['-rf', folder])
  }
})
