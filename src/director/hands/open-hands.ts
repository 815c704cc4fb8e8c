import { statfs } from 'node:fs/promises'
import { freemem } from 'node:os'
import { removeWorkspace } from '../../workspaces/remove-workspace.ts'
import { listWorkspaces } from '../../workspaces/workspace.ts'
import type { CleanOrder, CleanResult, Hands, HealthReport, HookOrder, HookResult } from '../hands.ts'
import type { RunWorld } from '../run-world.ts'
import { confirmAudit } from './confirm-audit.ts'
import { developTask } from './develop-task.ts'
import { type LandingOptions, openLandingHands } from './open-landing-hands.ts'
import { performRole } from './perform-role.ts'
import { resolveConflict } from './resolve-conflict.ts'

/** The hands with which a director works in the real world. */
export async function openHands(world: RunWorld, options: LandingOptions): Promise<Hands> {
  return {
    develop: (order) => developTask(world, order),
    perform: (order) => performRole(world, order),
    confirm: (order) => confirmAudit(world, order),
    resolve: (order) => resolveConflict(world, order),
    ...(await openLandingHands(world, options)),
    clean: (order) => clean(world, order),
    measureHealth: () => measureMachine(world),
    runHook: (order) => runHookLines(world, order),
  }
}

/** Workspaces whose work is on the target; what is unsaved in one is saved before it goes. */
async function clean({ ground }: RunWorld, { landed }: CleanOrder): Promise<CleanResult> {
  const removed: string[] = []
  for (const workspace of await listWorkspaces(ground)) {
    if (!landed.includes(workspace.task)) continue
    await removeWorkspace(ground, workspace, 'its work has landed')
    removed.push(workspace.name)
  }
  return { removed }
}

const MEGABYTE = 1e6
const HOOK_MAX_MS = 30_000

async function measureMachine({ root, clock }: RunWorld): Promise<HealthReport> {
  const { bavail, bsize } = await statfs(root)
  return {
    at: new Date(clock.now()).toISOString(),
    diskFreeMegabytes: Math.floor((bavail * bsize) / MEGABYTE),
    memoryFreeMegabytes: Math.floor(freemem() / MEGABYTE),
    alerts: [],
  }
}

async function runHookLines(
  { config, root, runLine }: RunWorld,
  { event, variables }: HookOrder,
): Promise<HookResult> {
  const environment = Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [`AXIOM_${name}`, value]),
  )
  const failed: { command: string; reason: string }[] = []
  for (const line of config.hooks[event] ?? []) {
    const { ending } = await runLine({ line, cwd: root, environment, timeoutMs: HOOK_MAX_MS })
    if (ending.kind !== 'exited' || ending.exitCode !== 0)
      failed.push({ command: line, reason: JSON.stringify(ending) })
  }
  return { failed }
}
