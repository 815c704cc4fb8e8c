import { statesWith } from '../../delivery/delivery-traits.ts'
import { fields } from '../../events/task-standing.ts'
import type { Sprint } from '../../project/document.ts'
import type { Effect } from '../effect.ts'
import { instantOf, type Snapshot } from '../snapshot.ts'

/** How many tasks the sprint may still start now: the rest of a count, all of them, or none. */
export function sprintRoom(snapshot: Snapshot): number {
  const { sprint } = snapshot.project
  if (sprint === null) return Number.POSITIVE_INFINITY
  switch (sprint.goal.kind) {
    case 'no-ready':
      return Number.POSITIVE_INFINITY
    case 'count':
      return Math.max(0, sprint.goal.landings - landedIn(snapshot, sprint) - underWay(snapshot, sprint))
    case 'time':
      return sprint.goal.until <= instantOf(snapshot) ? 0 : Number.POSITIVE_INFINITY
  }
}

/** A task lands before the document counts it; in between it is neither under way nor forgotten. */
function landedIn({ view }: Snapshot, { startedAt, landed }: Sprint): number {
  let count = 0
  for (const { task } of view.in('landed')) {
    const { at } = fields(fields(task.metadata.landing).landed)
    if (typeof at === 'string' && at >= startedAt) count += 1
  }
  return Math.max(landed, count)
}

const ON_ITS_WAY = statesWith('landsUnaided')

/** Started work will most likely land; starting more would overshoot the count. */
function underWay({ view, atWork }: Snapshot, { startedAt }: Sprint): number {
  let count = 0
  for (const state of ON_ITS_WAY)
    for (const { task } of view.in(state)) if (task.updatedAt >= startedAt) count += 1
  for (const { effect } of atWork.values()) count += unseen(view, effect)
  return count
}

/** A developer is at work before it has claimed its task; a landing is done before it is counted. */
function unseen(view: Snapshot['view'], effect: Effect): number {
  if (effect.kind === 'develop') return view.row(effect.task)?.delivery.state === 'queued' ? 1 : 0
  if (effect.kind !== 'land') return 0
  return effect.entries.filter(({ task }) => view.row(task)?.delivery.state === 'landed').length
}
