import { thisHost } from '../../../platform/host-mark.ts'
import { isDirectorAlive, isOnOtherHost, type Seat } from '../../../project/director-lock.ts'
import { readProject } from '../../../project/document.ts'
import { assignedTo } from '../../../project/orders.ts'
import type { Store } from '../../../store/store.ts'

/** Whether there is work to direct that no other process directs. */
export async function isDirectingWanted(store: Store): Promise<boolean> {
  const { project } = await readProject(store)
  const { director } = project
  if (director !== null && (await isDirectedByOther(director))) return false
  if (project.mode === 'autopilot' && project.pause === null) return true
  const tasks = await store.query({ type: 'task' })
  return tasks.some((task) => assignedTo(task) !== undefined || isUnderWay(task.status, task.metadata))
}

/** Started and not finished: left by a director that died, or just decided about by a person. */
function isUnderWay(status: string, { delivery }: Readonly<Record<string, unknown>>): boolean {
  return delivery !== undefined && delivery !== null && (status === 'active' || status === 'review')
}

/** A process on another host cannot be checked: taking the director lock refuses, and says what to do. */
async function isDirectedByOther(director: Seat): Promise<boolean> {
  if (isOnOtherHost(thisHost(), director) || director.pid === process.pid) return false
  return isDirectorAlive(director)
}
