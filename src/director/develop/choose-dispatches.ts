import type { Case, CaseId } from '../../cases/case.ts'
import { taskMetadata } from '../../cases/metadata.ts'
import { statesWith } from '../../delivery/delivery-traits.ts'
import { isUnderspecified } from '../../delivery/escalation.ts'
import { stormyFiles } from '../../integration/weather.ts'
import { directorEvent } from '../../project/delivery/make-event.ts'
import { assignedTo, isStopped } from '../../project/orders.ts'
import { standingOf } from '../budgets/choose-parks.ts'
import type { Develop, Say } from '../effect.ts'
import { isFree, isNight, type Snapshot } from '../snapshot.ts'
import { priorityOf } from './score-task.ts'
import { sprintRoom } from './sprint-room.ts'

/** The longest time that a task gives way to others because of the files it will touch. */
const CLASH_HELD_MS_MAX = 60 * 60_000

const UNDER_WAY = statesWith('hasOpenChange')

/**
 * The tasks that start now, the best first, never more than the free slots. Tasks expected to touch the same
 * files do not start together while there is other work, and none starts on files where others already
 * overlap.
 */
export function chooseDispatches(snapshot: Snapshot, slotsFree: number): (Develop | Say)[] {
  const room = Math.min(slotsFree, sprintRoom(snapshot))
  if (room <= 0 || !mayBegin(snapshot)) return []
  const ready = [...snapshot.view.ready()]
    .flatMap((id) => candidate(snapshot, id))
    .map((task) => ({ task, score: priorityOf(snapshot, task) }))
    .toSorted((a, b) => b.score - a.score)
    .map(({ task }) => task)
  return withoutClashes(snapshot, ready, room).map((task) => start(task))
}

function mayBegin(snapshot: Snapshot): boolean {
  const { project, leaving } = snapshot
  return leaving === 'no' && project.pause === null && project.repairLedBy === null && !isNight(snapshot)
}

function candidate(snapshot: Snapshot, id: CaseId): Case[] {
  const row = snapshot.view.row(id)
  if (row?.delivery.state !== 'queued' || !isFree(snapshot, id)) return []
  const { project } = snapshot
  if (isRepairAwaited(snapshot) && id !== project.repairTask) return []
  const assigned = assignedTo(row.task)
  if (assigned === undefined && (project.mode === 'semi-auto' || isStopped(row.task))) return []
  if (assigned && isAtWork(snapshot, assigned)) return []
  if (!isAffordable(snapshot, id, assigned !== undefined)) return []
  const tags = project.sprint?.tags ?? []
  const isWanted =
    assigned !== undefined || tags.length === 0 || tags.some((tag) => row.task.tags?.includes(tag))
  return isWanted ? [row.task] : []
}

/** A budget that is nearly spent starts nothing by itself; a person may still use the rest of it. */
function isAffordable(snapshot: Snapshot, id: CaseId, isAssigned: boolean): boolean {
  const { kind } = standingOf(snapshot, id)
  return kind === 'within' || (kind === 'soft' && isAssigned)
}

/** On a red target only a change that makes it green can be proven. */
function isRepairAwaited({ project, view }: Snapshot): boolean {
  return project.repairTask !== null && view.row(project.repairTask)?.task.status !== 'done'
}

/** An agent that a person assigned here starts when it has left its other task. */
function isAtWork({ view, atWork }: Snapshot, agent: string): boolean {
  for (const { task } of view.in('developing'))
    if (task.leases?.develop?.holder === agent && atWork.has(task.id)) return true
  return false
}

function withoutClashes(snapshot: Snapshot, ready: readonly Case[], slotsFree: number): Case[] {
  const touched = new Set(stormyFiles(snapshot.memory.weather))
  for (const state of UNDER_WAY) {
    for (const { task } of snapshot.view.in(state)) for (const file of filesOf(task)) touched.add(file)
  }
  const chosen: Case[] = []
  const clashing: Case[] = []
  for (const task of ready) {
    if (chosen.length === slotsFree) return chosen
    const files = filesOf(task)
    if (files.some((file) => touched.has(file)) && !hasWaitedEnough(snapshot, task)) clashing.push(task)
    else {
      chosen.push(task)
      for (const file of files) touched.add(file)
    }
  }
  return [...chosen, ...clashing.slice(0, slotsFree - chosen.length)]
}

/** A conflict can be resolved later; a task held back forever by another task's file would be lost. */
function hasWaitedEnough({ nowMs }: Snapshot, { updatedAt }: Case): boolean {
  return nowMs - Date.parse(updatedAt) >= CLASH_HELD_MS_MAX
}

function filesOf({ metadata }: Case): readonly string[] {
  return taskMetadata(metadata).fileHints ?? []
}

/** A task without anything that could prove it done goes to the analyst first. */
function start(task: Case): Develop | Say {
  const { acceptanceCriteria = [], verify = [] } = taskMetadata(task.metadata)
  if (isUnderspecified(acceptanceCriteria, verify)) {
    const occurrence = directorEvent(task.id, 'UNDERSPECIFIED', `underspecified/${task.rev}`)
    return { kind: 'say', task: task.id, occurrence }
  }
  return { kind: 'develop', task: task.id, held: null, agent: assignedTo(task) || null }
}
