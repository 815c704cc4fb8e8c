import { stoppableBy } from '../../platform/process/run-line.ts'
import { Tripwire } from '../../workspaces/tripwire.ts'
import { makeCheckpoint } from '../checkpoints/make-checkpoint.ts'
import { openHealthHands } from '../chores/open-health-hands.ts'
import { openSpecDesk } from '../chores/spec-desk.ts'
import { developTask } from '../develop/develop-task.ts'
import type { AgentOrder, Hands } from '../hands.ts'
import { openConflictDesk } from '../land/conflict/conflict-desk.ts'
import { resolveConflict } from '../land/conflict/resolve-conflict.ts'
import { type LandingOptions, openLandingHands } from '../land/open-landing-hands.ts'
import { confirmAudit } from '../review/confirm-audit.ts'
import { performRole } from '../review/perform-role.ts'
import type { RunWorld } from '../run-world.ts'

export interface HandsOptions extends LandingOptions {
  /** The user's own environment, for the user's hooks. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Whether no agent can reach the user's repository. */
  readonly isWalled: boolean
}

/** The hands of a director on a real project. */
export async function openHands(project: RunWorld, options: HandsOptions): Promise<Hands> {
  const ending = new AbortController()
  const { git, integration } = project.ground
  const tripwire = options.isWalled ? undefined : await Tripwire.arm(git, project.root, integration.gitDir)
  const stoppable = { ...project, runLine: stoppableBy(project.runLine, ending.signal) }
  const { world, hands } = await openHealthHands(stoppable, options.environment)
  /** Checks that run for an agent end with the agent. */
  const worldOf = ({ control }: AgentOrder): RunWorld => ({
    ...world,
    runLine: stoppableBy(world.runLine, control.stopping),
  })
  return {
    develop: (order) => developTask(worldOf(order), order),
    perform: (order) => performRole(worldOf(order), order),
    confirm: (order) => confirmAudit(world, order),
    resolve: (order) => resolveConflict(worldOf(order), order),
    stopChecks: () => ending.abort(),
    byHand: openConflictDesk(world),
    async checkpoint(reason) {
      await makeCheckpoint(world, { reason })
    },
    specs: openSpecDesk(world),
    ...(tripwire ? { touchedParts: () => tripwire.touched() } : {}),
    ...(await openLandingHands(world, options)),
    ...hands,
  }
}
