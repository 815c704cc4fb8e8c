import { DELIVERY_STATES } from '../../delivery/delivery-state.ts'
import { WORK, type Work } from '../../delivery/delivery-table.ts'
import { ROLE_TRAITS } from '../../signals/role-traits.ts'
import { standingOf } from '../budgets/choose-parks.ts'
import type { TaskRow } from '../case-view.ts'
import type { AgentEffect, Confirm } from '../effect.ts'
import { chooseResolutions } from '../land/choose-landings.ts'
import { isFree, isHalted, leaseName, type Snapshot } from '../snapshot.ts'

const ORDER = DELIVERY_STATES.flatMap((state) => {
  const work = WORK[state]
  return work ? [{ state, work }] : []
}).toSorted((a, b) => ROLE_TRAITS[b.work.role].urgency - ROLE_TRAITS[a.work.role].urgency)

/**
 * Agents that started tasks need next, the most urgent first: what is nearest to landing, then by the urgency
 * of the role.
 */
export function chooseReviews(snapshot: Snapshot): AgentEffect[] {
  if (isHalted(snapshot) || snapshot.leaving !== 'no') return []
  const owed = ORDER.flatMap(({ state, work }) =>
    [...snapshot.view.in(state)].filter((row) => isOwed(snapshot, row)).map((row) => sendFor(row, work)),
  )
  const resolutions = chooseResolutions(snapshot).filter(
    ({ task }) => standingOf(snapshot, task).kind !== 'hard',
  )
  return [...resolutions, ...owed]
}

/** AXIOM's own run of what an auditor approved; it takes no agent's slot. */
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
  // A developer without a claim is reconciled before an agent is sent.
  return delivery.state !== 'developing' || (task.status === 'active' && lease !== undefined)
}

function sendFor({ task }: TaskRow, { role, stage }: Work): AgentEffect {
  const lease = stage && task.leases?.[stage]
  const held = lease ? { agent: lease.holder, fence: lease.fence } : null
  if (role === 'developer') return { kind: 'develop', task: task.id, held, agent: null }
  return { kind: 'perform', task: task.id, role, stage, held }
}
