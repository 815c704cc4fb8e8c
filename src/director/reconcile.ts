import { WORK } from '../delivery/delivery-table.ts'
import { hasInHand } from '../delivery/file-in-hand.ts'
import type { DeliveryEvent } from '../delivery/occurrence.ts'
import { nextCheckMs } from '../health/decide-health.ts'
import { canResolve, conflictOf, entryOf, isStuck, offeredIn } from './choose-landings.ts'
import { chooseParks } from './choose-parks.ts'
import { type Effect, isAgentEffect, type Settle, type TaskEffect, type Upkeep } from './effects.ts'
import { isLookDue } from './mind-weather.ts'
import { ordersOf } from './orders.ts'
import { agentsAtWork, instantOf, isFree, leaseName, type Scene } from './scene.ts'
import { directorsWord, personsWord } from './speak.ts'
import { isRepairWordDue } from './unpaid-repair.ts'
import type { TaskRow } from './view.ts'

export const RENEWAL_MS = 20_000
const TAKE_IN_MS = 30_000
/** While agents work everything changes all the time; people look at the specs now and then. */
export const PAINT_MS = 2_000
/** An agent that reaches into the user's repository is to be stopped before anybody runs what it left there. */
export const WATCH_MS = 5_000
/** Where others land, whoever waits for a merge wants to see it soon. */
const FOLLOW_MS = 5_000

/** Brings what is written down in line with what is so: dead agents, deadlines that passed, orders, leases. */
export function reconcile(scene: Scene): Effect[] {
  const effects: Effect[] = [...upkeep(scene), ...chooseParks(scene), ...settleMatters(scene)]
  for (const row of scene.view.unsettled()) {
    const { task } = row
    if (isAgentAtWork(scene, task.id) && ordersOf(task).length > 0 && isFree(scene, `obey/${task.id}`))
      effects.push({ kind: 'obey', task: task.id })
    if (!isFree(scene, task.id)) continue
    const effect = settle(scene, row)
    if (effect) effects.push(effect)
  }
  return effects
}

/** What a person answered about his branch is done; what he did not answer in time is answered for him. */
function settleMatters(scene: Scene): Settle[] {
  return scene.view.matters().flatMap(({ id, status, metadata }): Settle[] => {
    const { matter, deadline } = metadata as { matter?: { followed?: boolean }; deadline?: unknown }
    const isOver = typeof deadline === 'string' && deadline <= instantOf(scene)
    const isDue = status === 'done' ? matter?.followed !== true : isOver
    return isDue && isFree(scene, `settle/${id}`) ? [{ kind: 'settle', id }] : []
  })
}

function isAgentAtWork({ atWork }: Scene, task: string): boolean {
  const work = atWork.get(task)
  return work !== undefined && isAgentEffect(work.effect)
}

function upkeep(scene: Scene): Upkeep[] {
  const { rounds, nowMs, view, atWork, leaving, resting } = scene
  const kinds: Upkeep['kind'][] = []
  if (rounds.isSearchDue && view.countIn('integrating') > 0) kinds.push('find-landed')
  if (isDue(rounds.renewedAtMs, RENEWAL_MS, nowMs)) kinds.push('renew')
  if (leaving === 'no' && isDue(rounds.takenInAtMs, takeInEvery(scene), nowMs)) kinds.push('take-in')
  if (isLookDue(scene)) kinds.push('look-at-weather')
  if (rounds.isPublishingDue && !atWork.has('land') && !atWork.has('take-in')) kinds.push('publish')
  if (rounds.isCleaningDue && leaving === 'no' && !atWork.has('land')) kinds.push('clean')
  if (isPaintingDue(scene)) kinds.push('paint')
  if (isWatchDue(scene)) kinds.push('watch-repository')
  if (leaving === 'no' && isRepairWordDue(scene)) kinds.push('mind-repair')
  const healthAtMs = nextCheckMs(rounds.health, agentsAtWork(scene), nowMs)
  if (healthAtMs !== undefined && healthAtMs <= nowMs) kinds.push('measure-health')
  return kinds
    .filter((kind) => !atWork.has(kind) && (resting.get(kind) ?? 0) <= nowMs)
    .map((kind) => ({ kind }))
}

/** What the last ones at work changed is told at once. */
function isPaintingDue(scene: Scene): boolean {
  const { view, rounds, nowMs } = scene
  if (!view.hasDirectives() || view.version === rounds.paintedVersion) return false
  return isDue(rounds.paintedAtMs, PAINT_MS, nowMs) || agentsAtWork(scene) === 0
}

/** Also when an agent has just gone. */
function isWatchDue(scene: Scene): boolean {
  const { watchedAtMs, hasAgentLeft } = scene.rounds
  if (!Number.isFinite(watchedAtMs)) return false
  return hasAgentLeft || (agentsAtWork(scene) > 0 && isDue(watchedAtMs, WATCH_MS, scene.nowMs))
}

/** How often the user's branch, or the remote, is looked at. */
export function takeInEvery(scene: Scene): number {
  const { rules, rounds } = scene
  if (rules.mode === 'direct') return TAKE_IN_MS
  return rounds.remoteTarget === null || offeredIn(scene).length > 0 ? FOLLOW_MS : TAKE_IN_MS
}

/** A clock that was set back makes everything due: nobody waits until it comes there again. */
function isDue(lastMs: number, everyMs: number, nowMs: number): boolean {
  return nowMs < lastMs || nowMs - lastMs >= everyMs
}

function settle(scene: Scene, row: TaskRow): TaskEffect | undefined {
  return (
    afterDeath(scene, row) ??
    afterWait(scene, row) ??
    afterConflict(scene, row) ??
    afterForeignClaim(scene, row)
  )
}

/** What an agent of an earlier director held. A developer's attempt counts; a reviewer's work is simply done again. */
function afterDeath(scene: Scene, { task, delivery }: TaskRow): TaskEffect | undefined {
  const { state } = delivery
  const stage = WORK[state]?.stage
  if (!stage) return undefined
  const lease = task.leases?.[stage]
  if (stage === 'develop') {
    const isLost = lease === undefined || scene.inherited.has(leaseName(task.id, stage, lease.fence))
    return isLost && task.status !== 'blocked' ? say({ task, delivery }, 'AGENT_LOST') : undefined
  }
  if (lease === undefined || !scene.inherited.has(leaseName(task.id, stage, lease.fence))) return undefined
  // Whoever was asked for a sign and died without one is counted, or silence would be tried for ever.
  if (delivery.wait?.kind === 'checkpoint') return say({ task, delivery }, 'AGENT_LOST')
  return { kind: 'release', task: task.id, stage, fence: lease.fence }
}

function afterWait(scene: Scene, row: TaskRow): TaskEffect | undefined {
  const { task, delivery } = row
  const { state, wait } = delivery
  if (state === 'awaiting-repair' && scene.project.repairLedBy === null) return say(row, 'REPAIRED')
  if (state === 'file-waiting' && !isInOtherHands(scene, row)) return say(row, 'FILE_FREE')
  if (state === 'asking' && scene.rules.nonInteractive && wait?.fallback != null) {
    const id = `answered-by-default/${task.rev}`
    const occurrence = personsWord(task.id, 'ANSWERED', { id, by: 'default', text: wait.fallback })
    return { kind: 'say', task: task.id, occurrence }
  }
  return wait !== null && wait.until <= instantOf(scene) ? say(row, 'WAIT_ENDED') : undefined
}

/** Whether the file that a task waits for is still on its way to the target with another task. */
function isInOtherHands({ view }: Scene, { task, delivery: { file } }: TaskRow): boolean {
  if (file === null) return false
  for (const other of view.unsettled())
    if (other.task.id !== task.id && hasInHand(other.task, other.delivery, file)) return true
  return false
}

/** A conflict that Rex cannot settle, or may not, is for a person; so is a branch that the remote does not take. */
function afterConflict(scene: Scene, row: TaskRow): TaskEffect | undefined {
  const { task, delivery } = row
  if (delivery.state !== 'integrating') return undefined
  const lease = task.leases?.resolve
  if (lease && scene.inherited.has(leaseName(task.id, 'resolve', lease.fence)))
    return { kind: 'release', task: task.id, stage: 'resolve', fence: lease.fence }
  const conflict = conflictOf(row)
  const isForPerson = conflict === null ? isStuck(row) : !canResolve(scene, conflict)
  if (!isForPerson) return undefined
  const entry = entryOf(scene, row)
  return entry && { kind: 'refer', task: task.id, entry }
}

/** A claim that was made by hand belongs to nobody once its time is over, nor does work whose claim was taken away. */
function afterForeignClaim(scene: Scene, { task, delivery }: TaskRow): TaskEffect | undefined {
  const lease = task.leases?.develop
  if (delivery.state !== 'queued' || task.status !== 'active') return undefined
  const isOver = lease === undefined || lease.expiresAt <= instantOf(scene)
  return isOver ? { kind: 'recover', task: task.id } : undefined
}

/** The revision names the moment: the same word about the same state is one word. */
function say({ task }: TaskRow, signal: DeliveryEvent): TaskEffect {
  return {
    kind: 'say',
    task: task.id,
    occurrence: directorsWord(task.id, signal, `${signal.toLowerCase()}/${task.rev}`),
  }
}
