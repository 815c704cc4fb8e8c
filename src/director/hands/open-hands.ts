import { makeCheckpoint } from '../checkpoints/make-checkpoint.ts'
import type { Hands } from '../hands.ts'
import type { RunWorld } from '../run-world.ts'
import { confirmAudit } from './confirm-audit.ts'
import { openConflictDesk } from './conflict-desk.ts'
import { developTask } from './develop-task.ts'
import { openHealthHands } from './open-health-hands.ts'
import { type LandingOptions, openLandingHands } from './open-landing-hands.ts'
import { performRole } from './perform-role.ts'
import { resolveConflict } from './resolve-conflict.ts'
import { openSpecDesk } from './spec-desk.ts'

export interface HandsOptions extends LandingOptions {
  /** The user's own environment, for the user's hooks. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** The hands with which a director works in the real world. */
export async function openHands(project: RunWorld, options: HandsOptions): Promise<Hands> {
  const { world, hands } = await openHealthHands(project, options.environment)
  return {
    develop: (order) => developTask(world, order),
    perform: (order) => performRole(world, order),
    confirm: (order) => confirmAudit(world, order),
    resolve: (order) => resolveConflict(world, order),
    byHand: openConflictDesk(world),
    async checkpoint(reason) {
      await makeCheckpoint(world, { reason })
    },
    specs: openSpecDesk(world),
    ...(await openLandingHands(world, options)),
    ...hands,
  }
}
