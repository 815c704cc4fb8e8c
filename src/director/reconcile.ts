import { WORK } from '../delivery/delivery-table.ts'
import { hasInHand } from '../delivery/file-in-hand.ts'
import type { DeliveryEvent } from '../delivery/occurrence.ts'
import { directorEvent, personEvent } from '../project/delivery/make-event.ts'
import { ordersOf } from '../project/orders.ts'
import { chooseParks } from './budgets/choose-parks.ts'
import type { TaskRow } from './case-view.ts'
import { chooseChores } from './chores/table.ts'
import { type Effect, isAgentEffect, type Settle, type TaskEffect } from './effect.ts'
import { canResolve, conflictOf, entryOf, isStuck } from './land/choose-landings.ts'
import { instantOf, isFree, leaseName, type Snapshot } from './snapshot.ts'

/** Brings the recorded state in line with reality: dead agents, deadlines that passed, orders, leases. */
export function reconcile(snapshot: Snapshot): Effect[] {
  const chores = chooseChores(snapshot).map(({ name }): Effect => ({ kind: 'chore', name }))
  const effects: Effect[] = [...chores, ...chooseParks(snapshot), ...settleQuestions(snapshot)]
  for (const row of snapshot.view.unsettled()) {
    const { task } = row
    if (
      isAgentAtWork(snapshot, task.id) &&
      ordersOf(task).length > 0 &&
      isFree(snapshot, `follow-orders/${task.id}`)
    )
      effects.push({ kind: 'follow-orders', task: task.id })
    if (!isFree(snapshot, task.id)) continue
    const effect = settle(snapshot, row)
    if (effect) effects.push(effect)
  }
  return effects
}

/** Follows a person's answers to project questions; a question without an answer in time gets its default. */
function settleQuestions(snapshot: Snapshot): Settle[] {
  return snapshot.view.projectQuestions().flatMap(({ id, status, metadata }): Settle[] => {
    const { matter, deadline } = metadata as { matter?: { followed?: boolean }; deadline?: unknown }
    const isOver = typeof deadline === 'string' && deadline <= instantOf(snapshot)
    const isDue = status === 'done' ? matter?.followed !== true : isOver
    return isDue && isFree(snapshot, `settle/${id}`) ? [{ kind: 'settle', id }] : []
  })
}

function isAgentAtWork({ atWork }: Snapshot, task: string): boolean {
  const work = atWork.get(task)
  return work !== undefined && isAgentEffect(work.effect)
}

function settle(snapshot: Snapshot, row: TaskRow): TaskEffect | undefined {
  return (
    afterDeath(snapshot, row) ??
    afterWait(snapshot, row) ??
    afterConflict(snapshot, row) ??
    afterForeignClaim(snapshot, row)
  )
}

/**
 * What an agent of an earlier director held. A developer's attempt counts; a reviewer's work is simply
 * repeated.
 */
function afterDeath(snapshot: Snapshot, { task, delivery }: TaskRow): TaskEffect | undefined {
  const { state } = delivery
  const stage = WORK[state]?.stage
  if (!stage) return undefined
  const lease = task.leases?.[stage]
  if (stage === 'develop') {
    const isLost = lease === undefined || snapshot.inherited.has(leaseName(task.id, stage, lease.fence))
    return isLost && task.status !== 'blocked' ? say({ task, delivery }, 'AGENT_LOST') : undefined
  }
  if (lease === undefined || !snapshot.inherited.has(leaseName(task.id, stage, lease.fence))) return undefined
  // An agent that died after it was asked for a sign is counted, or silent agents would be retried forever.
  if (delivery.wait?.kind === 'checkpoint') return say({ task, delivery }, 'AGENT_LOST')
  return { kind: 'release', task: task.id, stage, fence: lease.fence }
}

function afterWait(snapshot: Snapshot, row: TaskRow): TaskEffect | undefined {
  const { task, delivery } = row
  const { state, wait } = delivery
  if (state === 'awaiting-repair' && snapshot.project.repairLedBy === null) return say(row, 'REPAIRED')
  if (state === 'file-waiting' && !isInOtherHands(snapshot, row)) return say(row, 'FILE_FREE')
  if (state === 'asking' && snapshot.rules.nonInteractive && wait?.fallback != null) {
    const id = `answered-by-default/${task.rev}`
    const occurrence = personEvent(task.id, 'ANSWERED', { id, by: 'default', text: wait.fallback })
    return { kind: 'say', task: task.id, occurrence }
  }
  return wait !== null && wait.until <= instantOf(snapshot) ? say(row, 'WAIT_ENDED') : undefined
}

/** Whether another task still has the file that this one waits for. */
function isInOtherHands({ view }: Snapshot, { task, delivery: { file } }: TaskRow): boolean {
  if (file === null) return false
  for (const other of view.unsettled())
    if (other.task.id !== task.id && hasInHand(other.task, other.delivery, file)) return true
  return false
}

/**
 * A conflict that the resolver cannot or may not settle needs a person; so does a branch that the remote
 * rejects.
 */
function afterConflict(snapshot: Snapshot, row: TaskRow): TaskEffect | undefined {
  const { task, delivery } = row
  if (delivery.state !== 'integrating') return undefined
  const lease = task.leases?.resolve
  if (lease && snapshot.inherited.has(leaseName(task.id, 'resolve', lease.fence)))
    return { kind: 'release', task: task.id, stage: 'resolve', fence: lease.fence }
  const conflict = conflictOf(row)
  const isForPerson = conflict === null ? isStuck(row) : !canResolve(snapshot, conflict)
  if (!isForPerson) return undefined
  const entry = entryOf(snapshot, row)
  return entry && { kind: 'ask-person', task: task.id, entry }
}

/** An expired claim that was made by hand has no owner, nor does work whose claim was removed. */
function afterForeignClaim(snapshot: Snapshot, { task, delivery }: TaskRow): TaskEffect | undefined {
  const lease = task.leases?.develop
  if (delivery.state !== 'queued' || task.status !== 'active') return undefined
  const isOver = lease === undefined || lease.expiresAt <= instantOf(snapshot)
  return isOver ? { kind: 'recover', task: task.id } : undefined
}

/** The id contains the revision: the same event about the same state is one event. */
function say({ task }: TaskRow, signal: DeliveryEvent): TaskEffect {
  return {
    kind: 'say',
    task: task.id,
    occurrence: directorEvent(task.id, signal, `${signal.toLowerCase()}/${task.rev}`),
  }
}
