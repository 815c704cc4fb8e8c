import { basename } from 'node:path'
import { Failure } from '../../../platform/failure.ts'
import { removeWorkspace } from '../../../workspaces/remove-workspace.ts'
import { slotVariables } from '../../../workspaces/slot-variables.ts'
import type { ConflictDesk } from '../../hands.ts'
import type { RunWorld } from '../../run-world.ts'
import { judgeResolution } from './judge-resolution.ts'
import { findMerge, openMerge } from './merge-workspace.ts'

/**
 * Lets a person settle a conflict as the resolver does: in a workspace in the middle of the merge, judged by
 * the same rules.
 */
export function openConflictDesk(world: RunWorld): ConflictDesk {
  const { config, ground, root } = world
  return {
    async layOut({ agent, task, entry, target }) {
      const slot = config.agents.maxConcurrent
      const variables = slotVariables(slot, basename(root), config.workspace.variables)
      const request = { agent, slot, target, source: entry.source, task: task.id, variables }
      const opened = await openMerge(world, request)
      return opened.kind === 'conflict' ? opened.workspace.name : undefined
    },
    async judge({ task, entry, target, workspace }) {
      try {
        const found = await findMerge(world, workspace)
        const request = { workspace: found, task: task.id, target, source: entry.source }
        const judged = await judgeResolution(world, request)
        if (judged.kind === 'sound') await removeWorkspace(ground, found, 'the conflict was settled')
        return judged
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        return { kind: 'refused', faults: [`${error.message} ${error.hint}`.trim()] }
      }
    },
  }
}
