import type { Case, CaseId } from '../cases/case.ts'
import { taskMetadata } from '../cases/metadata.ts'
import type { DeliveryStateName } from '../delivery/delivery-state.ts'
import { isUnderspecified } from '../delivery/escalation.ts'
import { stormyFiles } from '../integration/weather.ts'
import { standingOf } from './choose-parks.ts'
import type { Develop, Say } from './effects.ts'
import { assignedTo, isStopped } from './orders.ts'
import { isFree, isNight, type Scene } from './scene.ts'
import { priorityOf } from './score-task.ts'
import { directorsWord } from './speak.ts'
import { sprintRoom } from './sprint.ts'

/** So long a task makes way for others because of the files it will touch. */
const CLASH_HELD_MS_MAX = 60 * 60_000

/** Places of tasks whose change is not on the target yet: whoever starts beside them does not see it. */
const UNDER_WAY: readonly DeliveryStateName[] = [
  'developing',
  'critique',
  'audit',
  'confirming',
  'person-review',
  'integrating',
  'consulting',
  'file-waiting',
]

/**
 * The tasks that start now, the best first, never more than the free slots. Tasks expected to touch the same files
 * do not start together while there is other work, and none starts on files that others already meet in.
 */
export function chooseDispatches(scene: Scene, slotsFree: number): (Develop | Say)[] {
  const room = Math.min(slotsFree, sprintRoom(scene))
  if (room <= 0 || !mayBegin(scene)) return []
  const ready = [...scene.view.ready()]
    .flatMap((id) => candidate(scene, id))
    .map((task) => ({ task, score: priorityOf(scene, task) }))
    .toSorted((a, b) => b.score - a.score)
    .map(({ task }) => task)
  return withoutClashes(scene, ready, room).map((task) => start(task))
}

function mayBegin(scene: Scene): boolean {
  const { project, leaving } = scene
  return leaving === 'no' && project.pause === null && project.repairLedBy === null && !isNight(scene)
}

function candidate(scene: Scene, id: CaseId): Case[] {
  const row = scene.view.row(id)
  if (row?.delivery.state !== 'queued' || !isFree(scene, id)) return []
  const { project } = scene
  if (isRepairAwaited(scene) && id !== project.repairTask) return []
  const assigned = assignedTo(row.task)
  if (assigned === undefined && (project.mode === 'semi-auto' || isStopped(row.task))) return []
  if (assigned && isAtWork(scene, assigned)) return []
  if (!isAffordable(scene, id, assigned !== undefined)) return []
  const tags = project.sprint?.tags ?? []
  const isWanted =
    assigned !== undefined || tags.length === 0 || tags.some((tag) => row.task.tags?.includes(tag))
  return isWanted ? [row.task] : []
}

/** A budget that is nearly spent begins nothing by itself; a person may still use what is left of it. */
function isAffordable(scene: Scene, id: CaseId, isAssigned: boolean): boolean {
  const { kind } = standingOf(scene, id)
  return kind === 'within' || (kind === 'soft' && isAssigned)
}

/** On a red target nothing could be proven but what makes it green. */
function isRepairAwaited({ project, view }: Scene): boolean {
  return project.repairTask !== null && view.row(project.repairTask)?.task.status !== 'done'
}

/** An agent that a person sent here comes when it has left its other task. */
function isAtWork({ view, atWork }: Scene, agent: string): boolean {
  for (const { task } of view.in('developing'))
    if (task.leases?.develop?.holder === agent && atWork.has(task.id)) return true
  return false
}

function withoutClashes(scene: Scene, ready: readonly Case[], slotsFree: number): Case[] {
  const touched = new Set(stormyFiles(scene.rounds.weather))
  for (const state of UNDER_WAY) {
    for (const { task } of scene.view.in(state)) for (const file of filesOf(task)) touched.add(file)
  }
  const chosen: Case[] = []
  const clashing: Case[] = []
  for (const task of ready) {
    if (chosen.length === slotsFree) return chosen
    const files = filesOf(task)
    if (files.some((file) => touched.has(file)) && !hasWaitedEnough(scene, task)) clashing.push(task)
    else {
      chosen.push(task)
      for (const file of files) touched.add(file)
    }
  }
  return [...chosen, ...clashing.slice(0, slotsFree - chosen.length)]
}

/** A conflict can be settled; work that somebody else's file holds up for ever would be lost. */
function hasWaitedEnough({ nowMs }: Scene, { updatedAt }: Case): boolean {
  return nowMs - Date.parse(updatedAt) >= CLASH_HELD_MS_MAX
}

function filesOf({ metadata }: Case): readonly string[] {
  return taskMetadata(metadata).fileHints ?? []
}

/** A task that nothing could show to be done goes to the analyst first. */
function start(task: Case): Develop | Say {
  const { acceptanceCriteria = [], verify = [] } = taskMetadata(task.metadata)
  if (isUnderspecified(acceptanceCriteria, verify)) {
    const occurrence = directorsWord(task.id, 'UNDERSPECIFIED', `underspecified/${task.rev}`)
    return { kind: 'say', task: task.id, occurrence }
  }
  return { kind: 'develop', task: task.id, held: null, agent: assignedTo(task) || null }
}
