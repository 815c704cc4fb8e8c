import { copyFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isRealDirectory, kindOf } from '../platform/files/read-regular-file.ts'
import { borrowObjects } from '../platform/git/copy-foreign-objects.ts'
import type { Repository } from '../platform/git/git.ts'
import { listForeignRefs, readForeignHead } from '../platform/git/read-foreign-refs.ts'
import { commitTree, initBare, isReferenced, listRefs, resolveCommit, treeOf } from '../platform/git/repository-operations.ts'
import { snapshotWorkTree } from '../platform/git/snapshot-work-tree.ts'
import { RUNS, tipsOf, withForeignObjects } from './export-commits.ts'
import { importCommits, nextNumber } from './import-commits.ts'
import { type Ground, observerOf, type Workspace } from './workspace.ts'

/** Saved work stays below this prefix until a person removes it. */
export const RESCUE = 'refs/axiom/rescue'

export interface Rescue {
  /** Refs that now keep what would have been lost, by what they hold. */
  readonly refs: readonly string[]
  /** Why something could not be saved; a workspace with such reasons must not be removed. */
  readonly unsaved: readonly string[]
}

const NESTED_DEPTH_MAX = 3
const NESTED_MAX = 50
const AUTHOR = { name: 'AXIOM', email: 'rescue@axiom.invalid' }

/** A directory with work in it: the workspace itself, or a repository somebody made inside it. */
interface Spot {
  readonly name: string
  readonly path: string
  /** The path inside the workspace; empty for the workspace itself. */
  readonly label: string
  readonly depth: number
  readonly observer: string
  readonly base: string | undefined
}

/**
 * Saves everything of a workspace that the integration repository does not have: commits that no kept ref leads to,
 * what is staged, what lies in the work tree uncommitted, and the same of repositories inside it. Ignored files are
 * not saved. Saving twice what is saved already does nothing.
 */
export async function rescueWorkspace(ground: Ground, workspace: Workspace, reason: string): Promise<Rescue> {
  if (!(await isRealDirectory(workspace.path))) return { refs: [], unsaved: [] }
  const { gitDir } = observerOf(ground, workspace.name)
  return ground.integration.writing.pass(async () => {
    const prefix = `${RESCUE}/${workspace.name}`
    const number = await nextNumber(ground, prefix)
    const refs: string[] = []
    const unsaved: string[] = []
    const spots: Spot[] = [
      { name: workspace.name, path: workspace.path, label: '', depth: 0, observer: gitDir, base: workspace.base },
    ]
    for (const [i, spot] of spots.entries()) {
      const part = i === 0 ? '' : `nested-${i}-`
      const saved = await rescueSpot(ground, spot, `${prefix}/${number}/${part}`, reason)
      refs.push(...saved.refs)
      unsaved.push(...saved.unsaved)
      for (const path of saved.nested) {
        const label = spot.label === '' ? path : `${spot.label}/${path}`
        if (spot.depth >= NESTED_DEPTH_MAX || spots.length > NESTED_MAX) {
          unsaved.push(`${label}: too many repositories inside each other`)
        } else spots.push(nestedSpot(spot, path, label, gitDir))
      }
    }
    return { refs, unsaved }
  })
}

function nestedSpot(outer: Spot, path: string, label: string, gitDir: string): Spot {
  const observer = `${gitDir}-nested`
  return { name: outer.name, path: join(outer.path, path), label, depth: outer.depth + 1, observer, base: undefined }
}

async function rescueSpot(
  ground: Ground,
  spot: Spot,
  prefix: string,
  reason: string,
): Promise<Rescue & { nested: readonly string[] }> {
  if (spot.label !== '') await openNestedObserver(ground, spot.observer)
  const commits = await rescueCommits(ground, spot, `${prefix}commit`)
  const head = await readForeignHead(join(spot.path, '.git'))
  const parent = await keptParent(ground, spot, head.kind === 'commit' ? head.commit : undefined)
  const observer = { gitDir: spot.observer, workTree: spot.path }
  const shot = await snapshotWorkTree(ground.git, observer, parent)
  const tree = await rescueTree(ground, spot, { tree: shot.tree, parent, ref: `${prefix}tree`, reason })
  return {
    refs: [...commits.refs, ...tree.refs],
    unsaved: [...commits.unsaved, ...tree.unsaved, ...shot.problems.map((problem) => `${spot.label}: ${problem}`)],
    nested: shot.nested,
  }
}

async function openNestedObserver(ground: Ground, gitDir: string): Promise<void> {
  await rm(gitDir, { recursive: true, force: true })
  await mkdir(gitDir, { recursive: true })
  await initBare(ground.git, gitDir, 'none')
  await borrowObjects(gitDir, ground.integration.objects)
}

/** Commits of the workspace, on a ref or on none, and what its index holds, as far as they are not kept yet. */
async function rescueCommits(ground: Ground, spot: Spot, refPrefix: string): Promise<Rescue> {
  return withForeignObjects(ground, spot, async (from, names) => {
    const staged = await commitOfIndex(ground, spot, from)
    const refs = await listForeignRefs(join(spot.path, '.git'))
    const tips = await tipsOf(ground, from, [...new Set([...names, ...refs.values()])])
    const wanted = [...new Set([...tips, ...(staged === undefined ? [] : [staged])])]
    const saved: string[] = []
    const unsaved: string[] = []
    const known = await knownCommits(ground, spot)
    const bundle = join(observerOf(ground, spot.name).folder, 'rescued.bundle')
    for (const commit of wanted) {
      if (await isReferenced(ground.git, ground.integration, commit)) continue
      const ref = `${refPrefix}-${saved.length + 1}`
      const imported = await importCommits(ground, { from, keep: new Map([[ref, commit]]), known, bundle })
      if (imported.kind === 'imported') saved.push(ref)
      else unsaved.push(`${spot.label}: commit ${commit}: ${imported.reason}`)
    }
    return { refs: saved, unsaved }
  })
}

async function knownCommits(ground: Ground, spot: Spot): Promise<string[]> {
  const runs = await listRefs(ground.git, ground.integration, `${RUNS}/`)
  const rescues = await listRefs(ground.git, ground.integration, `${RESCUE}/${spot.name}/`)
  return [...(spot.base === undefined ? [] : [spot.base]), ...runs.values(), ...rescues.values()]
}

/** What is staged, as a commit upon HEAD; nothing when it equals HEAD or cannot be read as a tree. */
async function commitOfIndex(ground: Ground, spot: Spot, from: Repository): Promise<string | undefined> {
  const index = join(spot.path, '.git/index')
  const head = await readForeignHead(join(spot.path, '.git'))
  if ((await kindOf(index)) !== 'file' || head.kind === 'unreadable') return undefined
  const indexFile = join(from.gitDir, 'copied-index')
  await copyFile(index, indexFile)
  const { git } = ground
  const written = await git.run({ ...from, indexFile }, ['write-tree'], { expect: [0, 128] })
  if (written.exitCode !== 0) return undefined
  const tree = written.stdout.toString('utf8').trim()
  const parent = head.kind === 'commit' ? await resolveCommit(git, from, head.commit) : undefined
  if (parent !== undefined && (await treeOf(git, from, parent)) === tree) return undefined
  if (parent === undefined && tree === EMPTY_TREE) return undefined
  return commitTree(git, from, {
    tree,
    parents: parent === undefined ? [] : [parent],
    message: `Staged in ${spot.name}${spot.label === '' ? '' : ` (${spot.label})`}\n`,
    author: AUTHOR,
    atMs: 0,
  })
}

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** The commit that saved work stands upon: HEAD when it was kept, else where the workspace began. */
async function keptParent(ground: Ground, spot: Spot, head: string | undefined): Promise<string | undefined> {
  if (head !== undefined && (await resolveCommit(ground.git, ground.integration, head))) return head
  return spot.base
}

async function rescueTree(
  ground: Ground,
  spot: Spot,
  work: { tree: string; parent: string | undefined; ref: string; reason: string },
): Promise<Rescue> {
  const { git } = ground
  const observer = { gitDir: spot.observer }
  const { tree, parent, ref, reason } = work
  if (parent === undefined ? tree === EMPTY_TREE : (await treeOf(git, observer, parent)) === tree) {
    return { refs: [], unsaved: [] }
  }
  if (await savedBefore(ground, spot, tree)) return { refs: [], unsaved: [] }
  const commit = await commitTree(git, observer, {
    tree,
    parents: parent === undefined ? [] : [parent],
    message: `Rescue of ${spot.name}${spot.label === '' ? '' : ` (${spot.label})`}\n\nReason: ${reason}\n`,
    author: AUTHOR,
    atMs: ground.now(),
  })
  const bundle = join(observerOf(ground, spot.name).folder, 'rescued.bundle')
  const known = parent === undefined ? [] : [parent]
  const imported = await importCommits(ground, { from: observer, keep: new Map([[ref, commit]]), known, bundle })
  if (imported.kind === 'refused') return { refs: [], unsaved: [`${spot.label}: ${imported.reason}`] }
  return { refs: [ref], unsaved: [] }
}

async function savedBefore(ground: Ground, spot: Spot, tree: string): Promise<boolean> {
  const { git, integration } = ground
  for (const commit of (await listRefs(git, integration, `${RESCUE}/${spot.name}/`)).values()) {
    if ((await treeOf(git, integration, commit)) === tree) return true
  }
  return false
}
