import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure, systemCode } from '../../platform/failure.ts'
import { chooseRemovals, type KeptWorkspace } from '../../workspaces/choose-removals.ts'
import { emptyTrash, moveToTrash, removeWorkspace } from '../../workspaces/remove-workspace.ts'
import { type Ground, listWorkspaces, type Workspace } from '../../workspaces/workspace.ts'
import { homesFolder, listAgentHomes } from '../agents/agent-home.ts'
import type { CleanOrder, CleanResult } from '../hands.ts'
import { compressLogs } from './compress-logs.ts'

export interface CleanGround {
  readonly ground: Ground
  /** The project's own folder. */
  readonly folder: string
  /** How long the workspace of a failed task is kept. */
  readonly keepMs: number
  now(): number
  readonly checkpoints: OldCheckpoints
  /** The agents that have a live process, of this orchestrator or of one that died. */
  running(): Promise<readonly string[]>
  /** Free bytes on the disks of these paths; the smallest value. */
  freeBytes(paths: readonly string[]): Promise<number>
}

export interface OldCheckpoints {
  /** Checkpoints without a person's name, except the newest. */
  list(): Promise<readonly string[]>
  remove(name: string): Promise<void>
}

interface Cleaning {
  readonly place: CleanGround
  readonly order: CleanOrder
  readonly removed: string[]
  readonly kept: { name: string; reasons: readonly string[] }[]
}

type Step = (cleaning: Cleaning) => Promise<void>

/** What is removed first when the disk is short. Unsaved work is never removed, however short the disk is. */
const STEPS: readonly { readonly step: Step; readonly byConsent: boolean }[] = [
  { step: removeLanded, byConsent: false },
  { step: removeHomes, byConsent: false },
  { step: maintainIntegration, byConsent: false },
  { step: removeTemporary, byConsent: false },
  { step: compressOldLogs, byConsent: false },
  { step: removeCheckpoints, byConsent: true },
  { step: removeFailed, byConsent: true },
]

/**
 * Frees disk space. After a landing only the workspaces of landed and deleted tasks are removed; by retention
 * also those of failed tasks whose time is over; with them the homes of their agents. On a short disk one
 * step follows the other until there is enough.
 */
export async function cleanDisk(place: CleanGround, order: CleanOrder): Promise<CleanResult> {
  const cleaning: Cleaning = { place, order, removed: [], kept: [] }
  const paths = [place.folder, place.ground.workspacesDir]
  const beforeBytes = await place.freeBytes(paths)
  const wantedBytes = beforeBytes + (order.bytesWanted ?? Number.POSITIVE_INFINITY)
  if (order.reason !== 'disk') {
    await attempt(cleaning, removeLanded)
    await attempt(cleaning, removeHomes)
  } else {
    for (const { step, byConsent } of STEPS) {
      if ((await place.freeBytes(paths)) >= wantedBytes) break
      if (!byConsent || order.consent === true) await attempt(cleaning, step)
    }
  }
  const afterBytes = await place.freeBytes(paths)
  const isShort = order.reason === 'disk' && order.consent !== true && afterBytes < wantedBytes
  return {
    removed: cleaning.removed,
    kept: cleaning.kept,
    freedBytes: Math.max(0, afterBytes - beforeBytes),
    byConsent: isShort ? await listByConsent(place, order) : [],
  }
}

async function listByConsent({ ground, checkpoints }: CleanGround, order: CleanOrder): Promise<string[]> {
  const workspaces = await listWorkspaces(ground)
  const known = await Promise.all(workspaces.map((workspace) => standingOf(workspace, order, false)))
  const failed = known.filter(({ state }) => state === 'failed').map(({ name }) => name)
  return [...(await checkpoints.list()), ...failed]
}

/** A step that fails (a repack needs space of its own) does not stop the next one. */
async function attempt(cleaning: Cleaning, step: Step): Promise<void> {
  try {
    await step(cleaning)
  } catch (error) {
    const isWorlds = error instanceof Failure || systemCode(error) !== ''
    if (!isWorlds) throw error
    cleaning.kept.push({ name: step.name, reasons: [error instanceof Error ? error.message : String(error)] })
  }
}

async function removeLanded(cleaning: Cleaning): Promise<void> {
  const { place, order } = cleaning
  const isTimeOver = order.reason === 'retention'
  await removeChosen(cleaning, {
    failedMayGo: false,
    keepMs: isTimeOver ? place.keepMs : Number.POSITIVE_INFINITY,
  })
}

async function removeFailed(cleaning: Cleaning): Promise<void> {
  await removeChosen(cleaning, { failedMayGo: true, keepMs: cleaning.place.keepMs })
}

async function removeChosen(
  cleaning: Cleaning,
  { failedMayGo, keepMs }: { readonly failedMayGo: boolean; readonly keepMs: number },
): Promise<void> {
  const { place, removed, kept } = cleaning
  const { ground } = place
  // A deleted task has no claim left that would show an agent whose director died.
  const atWork = [...(cleaning.order.atWork ?? []), ...(await place.running())]
  const order = { ...cleaning.order, atWork }
  const workspaces = await listWorkspaces(ground)
  const known = await Promise.all(workspaces.map((workspace) => standingOf(workspace, order, failedMayGo)))
  const bytesWanted = order.bytesWanted ?? 0
  const names = chooseRemovals(known, { keepMs, bytesWanted, failedMayGo }, place.now())
  for (const name of names) {
    const workspace = workspaces.find((one) => one.name === name)
    if (!workspace) continue
    const removal = await removeWorkspace(ground, workspace, `cleaned: ${order.reason}`)
    if (removal.kind === 'removed') removed.push(name)
    else kept.push({ name, reasons: removal.reasons })
  }
  await emptyTrash(ground)
}

async function standingOf(
  workspace: Workspace,
  order: CleanOrder,
  isMeasured: boolean,
): Promise<KeptWorkspace> {
  const { name, task, createdAtMs, path } = workspace
  const state = stateOf(workspace, order)
  return {
    name,
    createdAtMs,
    state,
    endedAtMs: order.failed?.find((one) => one.task === task)?.endedAtMs,
    bytes: isMeasured && state === 'failed' ? await bytesBelow(path) : 0,
  }
}

/** A workspace that is neither landed, deleted nor failed, or that an agent uses, must not be touched. */
function stateOf({ task, agent }: Workspace, order: CleanOrder): KeptWorkspace['state'] {
  const { landed, isDeleted, failed = [], atWork = [] } = order
  if (atWork.includes(agent) || atWork.includes(task)) return 'in-use'
  if (landed.includes(task)) return 'landed'
  if (isDeleted?.(task)) return 'deleted'
  return failed.some((one) => one.task === task) ? 'failed' : 'waiting'
}

/** Removes the homes in which no work can continue. They hold no work: that is in the workspaces. */
async function removeHomes({ place, order, removed, kept }: Cleaning): Promise<void> {
  const { needOf } = order
  if (needOf === undefined) return
  const running = await place.running()
  for (const home of await listAgentHomes(place.folder)) {
    if (running.includes(home.agent)) continue
    const need = needOf(home)
    const isTimeOver = need.kind === 'failed' && place.now() - need.endedAtMs >= place.keepMs
    if (need.kind !== 'over' && !isTimeOver) continue
    const name = `${home.agent}/home`
    try {
      await moveToTrash(place.ground, home.path, home.agent)
      removed.push(name)
    } catch (error) {
      if (systemCode(error) === '') throw error
      kept.push({ name, reasons: [error instanceof Error ? error.message : String(error)] })
    }
  }
  await emptyTrash(place.ground)
}

async function bytesBelow(path: string): Promise<number> {
  const found = await lstat(path).catch(() => undefined)
  if (!found) return 0
  if (!found.isDirectory()) return found.size
  let bytes = 0
  for (const name of await readdir(path)) bytes += await bytesBelow(join(path, name))
  return bytes
}

/** The second run of the first task removes the loose objects that the first one packed. */
const MAINTENANCE = ['loose-objects', 'loose-objects', 'incremental-repack', 'pack-refs']

/** Packs loose objects. Nothing is pruned: workspaces borrow objects that no ref in this repository names. */
async function maintainIntegration({ place: { ground } }: Cleaning): Promise<void> {
  const { git, integration } = ground
  for (const task of MAINTENANCE) {
    const words = ['maintenance', 'run', '--quiet', `--task=${task}`]
    await integration.writing.pass(() => git.run(integration, words))
  }
}

/**
 * Removes the temporary folders of agents that are not at work. A home stays while a session may continue in
 * it.
 */
async function removeTemporary({ place, order, removed }: Cleaning): Promise<void> {
  const folder = homesFolder(place.folder)
  for (const agent of await readdir(folder).catch(() => [])) {
    if (order.atWork?.includes(agent) || agent === 'checks') continue
    const temporary = join(folder, agent, 'temporary')
    for (const name of await readdir(temporary).catch(() => [])) {
      await rm(join(temporary, name), { recursive: true, force: true })
      removed.push(`${agent}/temporary/${name}`)
    }
  }
}

async function compressOldLogs({ place, order, removed }: Cleaning): Promise<void> {
  const busy = order.atWork ?? []
  removed.push(...(await compressLogs(place.folder, place.now(), busy)))
}

async function removeCheckpoints({ place: { checkpoints }, removed }: Cleaning): Promise<void> {
  for (const name of await checkpoints.list()) {
    await checkpoints.remove(name)
    removed.push(name)
  }
}
