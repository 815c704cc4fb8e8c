import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Git } from '../../src/platform/git/git.ts'
import { sweepStaleLocks } from '../../src/platform/git/sweep-stale-locks.ts'
import { createWorkspace, sweepUnfinished } from '../../src/workspaces/create-workspace.ts'
import { inspectWorkspace } from '../../src/workspaces/inspect-workspace.ts'
import { emptyTrash, removeWorkspace } from '../../src/workspaces/remove-workspace.ts'
import { rescueWorkspace } from '../../src/workspaces/rescue-workspace.ts'
import { type Ground, listWorkspaces, type Workspace } from '../../src/workspaces/workspace.ts'
import { seedOr } from '../seed.ts'
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

export async function restart(scratch: Scratch): Promise<Ground> {
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

/** So many random lives of a workspace. */
export function expectNothingLostIn(lives: number): void {
  it(`loses nothing in ${lives} lives, whatever agents do and wherever AXIOM is killed`, {
    timeout: 600_000,
  }, async () => {
    const step = fc.record({
      who: fc.constantFrom(...Object.keys(AGENT_STEPS), 'write', 'stage', 'commit', ...AXIOM_STEPS),
      n: fc.nat(999),
    })
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), play), {
      numRuns: lives,
      seed: seedOr(20_261_115),
      endOnFailure: true,
    })
  })
}

/** Every so many calls of git into a removal. */
export function expectKillsSurvived(every: number): void {
  it('survives a kill at the single steps of a removal', async () => {
    for (let calls = 0; calls < 45; calls += every) {
      await play([
        { who: 'commit', n: 1 },
        { who: 'stage', n: 2 },
        { who: 'write', n: 3 },
        { who: 'nest', n: 4 },
        { who: 'crash-remove', n: calls },
      ])
    }
  })
}
