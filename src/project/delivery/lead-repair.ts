import type { CaseId, Instant } from '../../cases/case.ts'
import type { DeliveryState } from '../../delivery/delivery-state.ts'
import { TRAITS } from '../../delivery/delivery-traits.ts'
import type { Occurrence } from '../../delivery/occurrence.ts'
import type { Project, ReadProject } from '../document.ts'

const REPORTS: readonly string[] = ['INFRA_BLOCKED', 'AUDIT_BLOCKED']

function isRepairing({ state, resume }: DeliveryState): boolean {
  return [state, ...resume].some((name) => TRAITS[name].isRepair)
}

/** Whether an event may begin or end the repair that the whole project waits for. */
export function needsProject(before: DeliveryState, { signal }: Occurrence): boolean {
  return REPORTS.includes(signal) || isRepairing(before)
}

/**
 * The new project document when a task enters or leaves a repair: of two that report a fault at the same
 * moment one leads, because the second finds the document changed.
 */
export function leadRepair(
  { project, rev }: ReadProject,
  task: CaseId,
  after: DeliveryState,
  now: Instant,
): { readonly value: Project; readonly expect: number } | undefined {
  const isLeader = project.repairLedBy === task
  const leads = isRepairing(after)
  const isHalted = after.state === 'halted'
  const pause: Project['pause'] = isHalted
    ? { cause: 'halt', by: 'user', reason: `the repair of what ${task} met was halted`, at: now }
    : project.pause?.cause === 'halt' && isLeader
      ? null
      : project.pause
  const repairLedBy = leads ? task : isLeader ? null : project.repairLedBy
  if (repairLedBy === project.repairLedBy && pause === project.pause) return undefined
  return { value: { ...project, repairLedBy, pause }, expect: rev }
}
