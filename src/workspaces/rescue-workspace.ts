import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isRealDirectory, kindOf } from '../platform/files/read-regular-file.ts'
import type { Repository } from '../platform/git/git.ts'
import { layOutRepository } from '../platform/git/lay-out-repository.ts'
import { listForeignRefs, readForeignHead } from '../platform/git/read-foreign-refs.ts'
import { commitTree, resolveCommit, treeOf } from '../platform/git/repository-operations.ts'
import { snapshotWorkTree } from '../platform/git/snapshot-work-tree.ts'
import { tipsOf, withForeignObjects } from './export-commits.ts'
import {
  isSaved,
  isTreeSaved,
  joinRescues,
  NOTHING,
  nextRescue,
  RESCUE,
  type Rescue,
  saveCommit,
} from './rescue-store.ts'
import { type Ground, observerOf, openObserver, type Workspace } from './workspace.ts'

const NESTED_DEPTH_MAX = 3
const NESTED_MAX = 50
const AUTHOR = { name: 'AXIOM', email: 'rescue@axiom.invalid' }
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** A directory with work in it: the workspace itself, or a repository created inside it. */
interface Spot {
  readonly name: string
  readonly path: string
  /** The path inside the workspace, with a colon; empty for the workspace itself. */
  readonly label: string
  readonly depth: number
  readonly observer: string
  readonly base: string | undefined
}

/**
 * Saves everything in a workspace that the integration repository does not have: commits that no kept ref
 * reaches, staged and uncommitted changes, and the same for repositories inside it. Ignored files are not
 * saved. Work that is saved already is not saved again.
 */
export async function rescueWorkspace(ground: Ground, workspace: Workspace, reason: string): Promise<Rescue> {
  if (!(await isRealDirectory(workspace.path))) return NOTHING
  const { name, path, base } = workspace
  return ground.integration.writing.pass(async () => {
    const prefix = `${RESCUE}/${name}/${await nextRescue(ground, name)}`
    const parts: Rescue[] = []
    const spots: Spot[] = [
      { name, path, label: '', depth: 0, observer: (await openObserver(ground, name)).gitDir, base },
    ]
    for (const [i, spot] of spots.entries()) {
      const { nested, ...saved } = await rescueSpot(
        ground,
        spot,
        `${prefix}/${i === 0 ? '' : `nested-${i}-`}`,
        reason,
      )
      parts.push(saved)
      const inner = nested.map((inside) => nestedSpot(ground, spot, inside))
      if (spot.depth < NESTED_DEPTH_MAX && spots.length + inner.length <= NESTED_MAX) spots.push(...inner)
      else
        parts.push({ ...NOTHING, unsaved: inner.map(({ label }) => `${label} too many repositories inside`) })
    }
    return joinRescues(parts)
  })
}

function nestedSpot(ground: Ground, outer: Spot, inside: string): Spot {
  const path = join(outer.path, inside)
  const label = `${outer.label.replace(/: $/, '/')}${inside}: `
  const observer = `${observerOf(ground, outer.name).gitDir}-nested`
  return { name: outer.name, path, label, depth: outer.depth + 1, observer, base: undefined }
}

async function rescueSpot(
  ground: Ground,
  spot: Spot,
  prefix: string,
  reason: string,
): Promise<Rescue & { nested: readonly string[] }> {
  if (spot.depth > 0) await openNestedObserver(ground, spot.observer)
  const commits = await rescueCommits(ground, spot, prefix)
  const parent = await keptParent(ground, spot)
  const { tree, nested, problems } = await snapshotWorkTree(
    ground.git,
    { gitDir: spot.observer, workTree: spot.path },
    parent,
  )
  const work = await rescueTree(ground, spot, { tree, parent, ref: `${prefix}tree`, reason })
  const unsaved = problems.map((problem) => `${spot.label}${problem}`)
  return { ...joinRescues([commits, work, { ...NOTHING, unsaved }]), nested }
}

async function openNestedObserver(ground: Ground, gitDir: string): Promise<void> {
  await rm(gitDir, { recursive: true, force: true })
  layOutRepository(gitDir, { head: 'none', borrowFrom: ground.integration.gitDir })
}

/** Saves commits of the workspace, with or without a ref, and its index, unless they are kept already. */
async function rescueCommits(ground: Ground, spot: Spot, prefix: string): Promise<Rescue> {
  return withForeignObjects(ground, spot, async (from, names) => {
    const refs = await listForeignRefs(join(spot.path, '.git'))
    const tips = await tipsOf(ground, from, [...new Set([...names, ...refs.values()])])
    const wanted = tips.map((commit, i): [string, string] => [`${prefix}commit-${i + 1}`, commit])
    const staged = await commitOfIndex(ground, spot, from)
    if (staged !== undefined) wanted.push([`${prefix}staged`, staged])
    const parts: Rescue[] = []
    for (const [ref, commit] of wanted) {
      if (!(await isSaved(ground, commit)))
        parts.push(await saveCommit(ground, from, ref, commit, spot.label))
    }
    return joinRescues(parts)
  })
}

/** The index as a commit on top of HEAD; undefined when it equals HEAD or cannot be written as a tree. */
async function commitOfIndex(ground: Ground, spot: Spot, from: Repository): Promise<string | undefined> {
  const index = join(spot.path, '.git/index')
  if ((await kindOf(index)) !== 'file') return undefined
  const head = await readForeignHead(join(spot.path, '.git'))
  const indexFile = join(from.gitDir, 'copied-index')
  await copyFile(index, indexFile)
  const { git } = ground
  const written = await git.run({ ...from, indexFile }, ['write-tree'], { expect: [0, 128] })
  if (written.exitCode !== 0) return undefined
  const tree = written.stdout.toString('utf8').trim()
  const parent = head.kind === 'commit' ? await resolveCommit(git, from, head.commit) : spot.base
  if (tree === (parent === undefined ? EMPTY_TREE : await treeOf(git, from, parent))) return undefined
  // With a fixed time, so that the same staged files give the same commit and are saved once.
  return commitTree(git, from, {
    tree,
    parents: parent === undefined ? [] : [parent],
    message: `Staged in ${spot.label}${spot.name}\n`,
    author: AUTHOR,
    atMs: 0,
  })
}

/** The parent of saved work: HEAD when it was kept, else the base of the workspace. */
async function keptParent(ground: Ground, spot: Spot): Promise<string | undefined> {
  const head = await readForeignHead(join(spot.path, '.git'))
  if (head.kind !== 'commit') return spot.base
  return (await resolveCommit(ground.git, ground.integration, head.commit)) ?? spot.base
}

async function rescueTree(
  ground: Ground,
  spot: Spot,
  work: { tree: string; parent: string | undefined; ref: string; reason: string },
): Promise<Rescue> {
  const { git } = ground
  const { tree, parent, ref, reason } = work
  const observer = { gitDir: spot.observer }
  const unchanged = tree === (parent === undefined ? EMPTY_TREE : await treeOf(git, observer, parent))
  if (unchanged || (await isTreeSaved(ground, spot.name, tree))) return NOTHING
  const commit = await commitTree(git, observer, {
    tree,
    parents: parent === undefined ? [] : [parent],
    message: `Rescue of ${spot.label}${spot.name}\n\nReason: ${reason}\n`,
    author: AUTHOR,
    atMs: ground.now(),
  })
  return saveCommit(ground, observer, ref, commit, spot.label)
}
