import type { CaseId, Instant } from '../../cases/case.ts'
import type { DeliveryState, DeliveryStateName } from '../../delivery/delivery-state.ts'
import type { Occurrence } from '../../delivery/occurrence.ts'
import type { Project, ReadProject } from '../document.ts'

const REPAIRING: readonly DeliveryStateName[] = [
  'remediating',
  'health-check',
  'repair-landing',
  'repair-escalated',
  'halted',
]
const REPORTS: readonly string[] = ['INFRA_BLOCKED', 'AUDIT_BLOCKED']

function isRepairing({ state, resume }: DeliveryState): boolean {
  return [state, ...resume].some((name) => REPAIRING.includes(name))
}

/** Whether a word may begin or end the repair that the whole project waits for. */
export function needsProject(before: DeliveryState, { signal }: Occurrence): boolean {
  return REPORTS.includes(signal) || isRepairing(before)
}

/**
 * What the project's document becomes with a task that enters or leaves a repair: of two that report a fault at the
 * same moment one leads, for the second finds the document changed.
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
