import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Owner } from '../platform/files/give-folder.ts'
import { kindOf } from '../platform/files/read-regular-file.ts'
import type { Git, Repository } from '../platform/git/git.ts'
import { layOutRepository } from '../platform/git/lay-out-repository.ts'
import { safeName } from '../platform/git/names.ts'
import { Turnstile } from '../platform/turnstile.ts'
import type { IntegrationRepository } from './integration-repository.ts'

/** The private checkout of one run. */
export interface Workspace {
  readonly name: string
  readonly agent: string
  /** `merge` for the resolver, which has no task of its own. */
  readonly task: string
  readonly branch: string
  readonly path: string
  /** The commit of the target from which the checkout was made. */
  readonly base: string
  readonly slot: number
  readonly createdAtMs: number
}

/** The folders of workspaces, and what is needed to create, read and remove them. */
export interface Ground {
  readonly git: Git
  readonly integration: IntegrationRepository
  /** The folder of the checkouts. */
  readonly workspacesDir: string
  /** AXIOM's own records about them, out of the agents' reach. */
  readonly observersDir: string
  readonly trashDir: string
  readonly checkingOut: Turnstile
  /**
   * The user that agents run as, where it is not the orchestrator's own; it becomes the owner of new
   * checkouts.
   */
  readonly owner?: Owner
  readonly now: () => number
}

/** What is needed to inspect workspaces and saved work; no folder of checkouts is created for it. */
export type SeenGround = Pick<Ground, 'git' | 'integration' | 'observersDir'>

/** A checkout is disk-bound; more at once only makes each of them slower. */
const CHECKOUTS_AT_ONCE = 4

export async function openGround(options: {
  readonly git: Git
  readonly integration: IntegrationRepository
  readonly workspacesDir: string
  readonly observersDir: string
  readonly owner?: Owner
  readonly now: () => number
}): Promise<Ground> {
  // In the same folder as the checkouts, because a rename must not cross file systems.
  const trashDir = join(options.workspacesDir, '.trash')
  for (const folder of [options.workspacesDir, options.observersDir, trashDir]) {
    await mkdir(folder, { recursive: true })
  }
  return { ...options, trashDir, checkingOut: new Turnstile(CHECKOUTS_AT_ONCE) }
}

export function workspaceName(agent: string, task: string): string {
  return safeName(`${safeName(agent)}-${safeName(task)}`)
}

export function observerOf(
  ground: Pick<Ground, 'observersDir'>,
  name: string,
): { gitDir: string; record: string; folder: string } {
  const folder = join(ground.observersDir, safeName(name))
  return { folder, gitDir: join(folder, 'tree.git'), record: join(folder, 'workspace.json') }
}

/** The repository through which AXIOM reads a checkout; created when there is none. */
export async function openObserver(ground: SeenGround, name: string): Promise<Repository> {
  const { gitDir } = observerOf(ground, name)
  if ((await kindOf(join(gitDir, 'HEAD'))) === 'absent') {
    layOutRepository(gitDir, { head: 'none', borrowFrom: ground.integration.gitDir })
  }
  return { gitDir }
}

/**
 * The exclude files of the agent's git and of AXIOM's observer. To be written only before an agent had
 * access.
 */
export function excludeFilesOf(ground: Ground, workspace: Workspace): string[] {
  return [join(workspace.path, '.git'), observerOf(ground, workspace.name).gitDir].map((gitDir) =>
    join(gitDir, 'info/exclude'),
  )
}

/** The record is the last thing written: a workspace without one was never given to an agent. */
export async function writeRecord(ground: Ground, workspace: Workspace): Promise<void> {
  const { record } = observerOf(ground, workspace.name)
  await writeFile(`${record}.new`, JSON.stringify(workspace))
  await rename(`${record}.new`, record)
}

/** All workspaces that have a record, or those of one task; the oldest first. */
export async function listWorkspaces(
  ground: Pick<Ground, 'observersDir'>,
  task?: string,
): Promise<Workspace[]> {
  const names = (await readdir(ground.observersDir)).filter(
    (name) => task === undefined || name.endsWith(`-${safeName(task)}`),
  )
  const texts = await Promise.all(
    names.map((name) => readFile(observerOf(ground, name).record, 'utf8').catch(() => undefined)),
  )
  return texts
    .filter((text) => text !== undefined)
    .map((text) => JSON.parse(text) as Workspace)
    .filter((workspace) => task === undefined || workspace.task === task)
    .toSorted((a, b) => a.createdAtMs - b.createdAtMs || a.name.localeCompare(b.name))
}
