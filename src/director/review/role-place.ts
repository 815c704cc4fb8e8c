import assert from 'node:assert'
import type { Case } from '../../cases/case.ts'
import { readDelivery } from '../../delivery/delivery-state.ts'
import type { Claim } from '../../verification/prove-completion.ts'
import { createWorkspace } from '../../workspaces/create-workspace.ts'
import { exportHead } from '../../workspaces/export-commits.ts'
import { inspectWorkspace } from '../../workspaces/inspect-workspace.ts'
import { targetOfRecord } from '../../workspaces/integration-repository.ts'
import { openCheckout } from '../../workspaces/open-checkout.ts'
import { removeWorkspace } from '../../workspaces/remove-workspace.ts'
import type { SlotVariables } from '../../workspaces/slot-variables.ts'
import { excludeFilesOf, listWorkspaces, type Workspace } from '../../workspaces/workspace.ts'
import { setUp } from '../develop/run-workspace.ts'
import type { PerformingRole } from '../hands.ts'
import type { RunWorld } from '../run-world.ts'

/** Where an agent of a role works. Everything except a remediator's commits is discarded with it. */
export interface RolePlace extends AsyncDisposable {
  readonly path: string
  /** The commit that is checked out here. */
  readonly commit: string
  readonly target: string
  /** Why the set-up failed, where it did. */
  readonly setUpFault: string | null
  /** Inspects what the agent left; only a remediator leaves anything. */
  inspect(): Promise<Omit<Claim, 'base'> | undefined>
}

export interface PlaceRequest {
  readonly role: PerformingRole
  readonly task: Case
  readonly agent: string
  readonly slot: number
  readonly variables: SlotVariables
}

/**
 * A repair belongs to no task: its workspace and commits are kept apart from those of the task that met the
 * fault.
 */
export function repairName(task: string): string {
  return `${task}-repair`
}

export async function openRolePlace(world: RunWorld, request: PlaceRequest): Promise<RolePlace> {
  const { ground } = world
  const target = await targetOfRecord(ground.git, ground.integration)
  if (request.role === 'remediator') return openRepair(world, request, target)
  const commit = await commitFor(world, request, target)
  const checkout = await openCheckout(ground, commit)
  return {
    path: checkout.path,
    commit,
    target,
    setUpFault: await setUpFault(world, request, checkout.path, []),
    inspect: () => Promise.resolve(undefined),
    [Symbol.asyncDispose]: () => checkout[Symbol.asyncDispose](),
  }
}

/** What each role reviews: the work, the repair, what the asking agent has so far, or the target. */
async function commitFor(world: RunWorld, { role, task }: PlaceRequest, target: string): Promise<string> {
  const read = readDelivery(task)
  assert(read.kind === 'read', `the delivery of ${task.id} cannot be read`)
  const { commit, repairCommit } = read.delivery
  switch (role) {
    case 'critic':
    case 'auditor':
      assert(commit !== null, `${task.id} has no commit under review`)
      return commit
    case 'health-auditor':
      return repairCommit ?? target
    case 'expert':
      return commit ?? (await headOfWork(world, task.id)) ?? target
    default:
      return target
  }
}

async function headOfWork({ ground }: RunWorld, task: string): Promise<string | undefined> {
  const kept = (await listWorkspaces(ground)).findLast((workspace) => workspace.task === task)
  if (!kept) return undefined
  const exported = await exportHead(ground, kept)
  return exported.kind === 'refused' ? undefined : exported.commit
}

async function openRepair(world: RunWorld, request: PlaceRequest, target: string): Promise<RolePlace> {
  const { ground } = world
  const { agent, slot } = request
  const workspace = await createWorkspace(ground, {
    agent,
    task: repairName(request.task.id),
    slot,
    base: target,
  })
  return {
    path: workspace.path,
    commit: target,
    target,
    // It may be the very fault that the remediator has to repair.
    setUpFault: await setUpFault(world, request, workspace.path, excludeFilesOf(ground, workspace)),
    inspect: () => inspectRepair(world, workspace),
    async [Symbol.asyncDispose]() {
      await removeWorkspace(ground, workspace, 'the repair was tried')
    },
  }
}

async function inspectRepair({ ground }: RunWorld, workspace: Workspace): Promise<Omit<Claim, 'base'>> {
  const { exported, uncommitted, nested } = await inspectWorkspace(ground, workspace)
  return { head: exported, uncommitted, nested }
}

async function setUpFault(
  world: RunWorld,
  { variables }: PlaceRequest,
  checkout: string,
  excludeIn: readonly string[],
): Promise<string | null> {
  const ready = await setUp(world, variables, checkout, { excludeIn, fill: false })
  if (ready.kind === 'ready') return null
  return `The set-up "${ready.command}" failed: ${ready.output.slice(-OUTPUT_CHARACTERS_MAX)}`
}

const OUTPUT_CHARACTERS_MAX = 2_000
