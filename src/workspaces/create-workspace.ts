import { copyFile, lchown, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../platform/failure.ts'
import { kindOf } from '../platform/files/read-regular-file.ts'
import { borrowObjects } from '../platform/git/copy-foreign-objects.ts'
import { initBare } from '../platform/git/repository-operations.ts'
import { targetOfRecord } from './integration-repository.ts'
import { type Ground, observerOf, type Workspace, workspaceName, writeRecord } from './workspace.ts'

export interface WorkspaceRequest {
  readonly agent: string
  readonly task: string
  readonly slot: number
  /** A commit of the integration repository; the target of record when absent. */
  readonly base?: string
  /** Whom the files belong to, when agents run as a user of their own. */
  readonly owner?: { readonly uid: number; readonly gid: number }
}

/** Folders under this prefix are being made; none of them was ever given to an agent. */
const UNFINISHED = '.new-'

/** Makes the private checkout of a run. It appears under its name only when it is whole. */
export async function createWorkspace(ground: Ground, request: WorkspaceRequest): Promise<Workspace> {
  const name = workspaceName(request.agent, request.task)
  const path = join(ground.workspacesDir, name)
  const unfinished = join(ground.workspacesDir, `${UNFINISHED}${name}`)
  if ((await kindOf(path)) !== 'absent') {
    throw new Failure('WORKSPACE_EXISTS', `The workspace ${name} is already there`)
  }
  const base = request.base ?? (await targetOfRecord(ground.git, ground.integration))
  const branch = `agent/${request.agent}/${request.task}`
  await ground.checkingOut.pass(async () => {
    await rm(unfinished, { recursive: true, force: true })
    await cloneShared(ground, unfinished, base, branch, request.agent)
    await openObserver(ground, name, unfinished)
    if (request.owner) await giveTo(unfinished, request.owner)
  })
  const workspace: Workspace = {
    name,
    agent: request.agent,
    task: request.task,
    branch,
    path,
    base,
    slot: request.slot,
    createdAtMs: ground.now(),
  }
  await writeRecord(ground, workspace)
  await rename(unfinished, path)
  return workspace
}

/** A clone that borrows the objects of the integration repository and knows nothing else of it. */
async function cloneShared(ground: Ground, path: string, base: string, branch: string, agent: string): Promise<void> {
  const { git, integration } = ground
  const settings = [
    `user.name=${agent}`,
    `user.email=${agent}@axiom.invalid`,
    'gc.auto=0',
    'maintenance.auto=false',
    'core.autocrlf=false',
    'merge.conflictStyle=zdiff3',
  ].flatMap((setting) => ['--config', setting])
  const clone = ['clone', '--quiet', '--shared', '--no-tags', '--single-branch', '--no-checkout', '--template=']
  await git.run({ cwd: ground.workspacesDir }, [
    ...clone,
    ...settings,
    `--branch=${integration.target}`,
    '--',
    integration.gitDir,
    path,
  ])
  // Only now, before any agent was in it, may git run with the clone's own directory.
  const repository = { gitDir: join(path, '.git'), workTree: path }
  await git.run(repository, ['checkout', '--quiet', '--no-track', '-b', branch, base, '--'])
  // Without a remote there is nowhere to push to: commits leave by AXIOM's hand alone.
  await git.run(repository, ['remote', 'remove', 'origin'])
}

/** A repository of AXIOM's own through which it will look at the checkout; it starts with the index just made. */
async function openObserver(ground: Ground, name: string, path: string): Promise<void> {
  const { folder, gitDir } = observerOf(ground, name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(gitDir, { recursive: true })
  await initBare(ground.git, gitDir, 'none')
  await borrowObjects(gitDir, ground.integration.objects)
  await copyFile(join(path, '.git/index'), join(gitDir, 'index'))
}

async function giveTo(path: string, owner: { readonly uid: number; readonly gid: number }): Promise<void> {
  await lchown(path, owner.uid, owner.gid)
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inside = join(path, entry.name)
    if (entry.isDirectory()) await giveTo(inside, owner)
    else await lchown(inside, owner.uid, owner.gid)
  }
}

/** What a crash left half made; nothing of anybody's work is in it. */
export async function sweepUnfinished(ground: Ground): Promise<string[]> {
  const names = (await readdir(ground.workspacesDir)).filter((name) => name.startsWith(UNFINISHED))
  for (const name of names) await rm(join(ground.workspacesDir, name), { recursive: true, force: true })
  return names
}
