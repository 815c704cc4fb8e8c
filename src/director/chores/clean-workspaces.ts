import type { CaseId } from '../../cases/case.ts'
import { isDeletedTask, needOfHome } from '../agents/need-of-home.ts'
import type { Desk } from '../context.ts'
import type { CleanOrder } from '../hands.ts'
import { type Chore, isWanted } from './chore.ts'

const NAME = 'clean-workspaces'

/**
 * Removes workspaces of landed and deleted tasks, of failed ones after their time, and homes no longer
 * needed.
 */
export const cleanWorkspaces: Chore = {
  name: NAME,
  isWantedAtStart: true,
  isDue: (snapshot) => isWanted(snapshot, NAME) && snapshot.leaving === 'no' && !snapshot.atWork.has('land'),
  async run(desk) {
    await desk.means.hands.clean(cleanOrder(desk, 'retention'))
  },
}

/** Everything that decides what may be removed and what must not be touched. */
export function cleanOrder(desk: Desk, reason: CleanOrder['reason']): CleanOrder {
  const { view, atWork } = desk.snapshot()
  const landed: CaseId[] = []
  const failed: { task: CaseId; endedAtMs: number }[] = []
  const busy: string[] = [...atWork.keys()]
  for (const { task } of view.rows()) {
    if (task.leases) busy.push(task.id, ...Object.values(task.leases).map(({ holder }) => holder))
    if (task.status === 'done') landed.push(task.id)
    if (task.status === 'failed' || task.status === 'timeout')
      failed.push({ task: task.id, endedAtMs: Date.parse(task.updatedAt) })
  }
  return {
    reason,
    landed,
    failed,
    atWork: busy,
    isDeleted: (task) => isDeletedTask(desk.snapshot().view, task),
    needOf: (home) => needOfHome(desk.snapshot(), home),
  }
}
