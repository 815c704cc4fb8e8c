import { copyFile, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../platform/failure.ts'
import { giveFolder } from '../platform/files/give-folder.ts'
import { kindOf } from '../platform/files/read-regular-file.ts'
import { layOutRepository } from '../platform/git/lay-out-repository.ts'
import { settleCheckout } from '../platform/git/settle-checkout.ts'
import { targetOfRecord } from './integration-repository.ts'
import {
  type Ground,
  observerOf,
  openObserver,
  type Workspace,
  workspaceName,
  writeRecord,
} from './workspace.ts'

export interface WorkspaceRequest {
  readonly agent: string
  readonly task: string
  readonly slot: number
  /** A commit of the integration repository; the target of record when absent. */
  readonly base?: string
}

/** Folders with this prefix are unfinished; none of them was ever given to an agent. */
const UNFINISHED = '.new-'

/** Creates the private checkout of a run. It gets its name only when it is complete. */
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
    await cloneShared(ground, unfinished, { base, branch, agent: request.agent })
    if (ground.owner) await giveFolder(unfinished, ground.owner)
    await settleCheckout(unfinished, join(unfinished, '.git'))
    await rm(observerOf(ground, name).folder, { recursive: true, force: true })
    // The observer starts with this new index, so that the first comparison need not read every file again.
    await copyFile(join(unfinished, '.git/index'), join((await openObserver(ground, name)).gitDir, 'index'))
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

/**
 * A clone that borrows the objects of the integration repository, as `git clone --shared` does, but without a
 * remote: an agent cannot push, only AXIOM exports its commits. The target's branch is included for
 * comparison.
 */
async function cloneShared(
  { git, integration }: Ground,
  path: string,
  { base, branch, agent }: { base: string; branch: string; agent: string },
): Promise<void> {
  const gitDir = join(path, '.git')
  const target = `refs/heads/${integration.target}`
  const clash = target === 'refs/heads/agent' || target.startsWith('refs/heads/agent/')
  layOutRepository(gitDir, {
    bare: false,
    head: branch,
    refs: { [`refs/heads/${branch}`]: base, ...(clash ? {} : { [target]: base }) },
    borrowFrom: integration.gitDir,
    configuration: configurationFor(agent),
  })
  // Git may run in the clone's own directory only now, before any agent had access to it.
  await git.run({ gitDir, workTree: path }, ['read-tree', '-m', '-u', '--', base])
}

function configurationFor(agent: string): string {
  // Checked-out files change their owner before the agent starts. Without these settings git considers each
  // of
  // them changed and, since it may not touch the borrowed objects, writes them all again.
  return `	autocrlf = false
	logAllRefUpdates = true
	checkStat = minimal
	trustctime = false
[user]
	name = ${agent}
	email = ${agent}@axiom.invalid
[gc]
	auto = 0
[maintenance]
	auto = false
[merge]
	conflictStyle = zdiff3
`
}

/** Removes what a crash left unfinished; it contains no work. */
export async function sweepUnfinished(ground: Ground): Promise<string[]> {
  const names = (await readdir(ground.workspacesDir)).filter((name) => name.startsWith(UNFINISHED))
  for (const name of names) await rm(join(ground.workspacesDir, name), { recursive: true, force: true })
  return names
}
