import type { DeliveryStateName } from '../../delivery/delivery-state.ts'
import { STAGE_OF_ROLE, WORK } from '../../delivery/delivery-table.ts'
import { standingOf } from '../budgets/choose-parks.ts'
import type { TaskRow } from '../case-view.ts'
import type { AgentEffect, Confirm } from '../effect.ts'
import type { PerformingRole } from '../hands.ts'
import { chooseResolutions } from '../land/choose-landings.ts'
import { isFree, isHalted, leaseName, type Snapshot } from '../snapshot.ts'

/** A repair holds up everybody, so it goes first; then critics, then auditors, and what was begun before what is new. */
const ORDER: readonly DeliveryStateName[] = [
  'remediating',
  'health-check',
  'critique',
  'audit',
  'consulting',
  'specifying',
  'developing',
]

/** Agents that are owed to tasks already begun, the most urgent first: what is nearest to landing, then by the order above. */
export function chooseReviews(snapshot: Snapshot): AgentEffect[] {
  if (isHalted(snapshot) || snapshot.leaving !== 'no') return []
  const owed = ORDER.flatMap((state) =>
    [...snapshot.view.in(state)].filter((row) => isOwed(snapshot, row)).map((row) => sendFor(row, state)),
  )
  const resolutions = chooseResolutions(snapshot).filter(
    ({ task }) => standingOf(snapshot, task).kind !== 'hard',
  )
  return [...resolutions, ...owed]
}

/** AXIOM's own look at what an auditor vouched for; it takes no agent's slot. */
export function chooseConfirmations(snapshot: Snapshot): Confirm[] {
  if (isHalted(snapshot) || snapshot.leaving !== 'no') return []
  return [...snapshot.view.in('confirming')]
    .filter(({ task }) => task.status !== 'done' && isFree(snapshot, task.id))
    .map(({ task }) => ({ kind: 'confirm', task: task.id }))
}

function isOwed(snapshot: Snapshot, { task, delivery }: TaskRow): boolean {
  if (!isFree(snapshot, task.id) || task.status === 'done') return false
  if (standingOf(snapshot, task.id).kind === 'hard') return false
  const stage = WORK[delivery.state]?.stage
  const lease = stage && task.leases?.[stage]
  if (stage && lease && snapshot.inherited.has(leaseName(task.id, stage, lease.fence))) return false
  // A developer without a claim is dealt with before anybody is sent.
  return delivery.state !== 'developing' || (task.status === 'active' && lease !== undefined)
}

function sendFor({ task, delivery }: TaskRow, state: DeliveryStateName): AgentEffect {
  const role = WORK[state]?.role ?? 'developer'
  const stage = STAGE_OF_ROLE[role] ?? null
  const lease = stage && task.leases?.[stage]
  const held = lease ? { agent: lease.holder, fence: lease.fence } : null
  if (delivery.state === 'developing') return { kind: 'develop', task: task.id, held, agent: null }
  return { kind: 'perform', task: task.id, role: role as PerformingRole, stage, held }
}
