import type { Case } from '../../cases/case.ts'
import { taskMetadata } from '../../cases/metadata.ts'
import { TRAITS } from '../../delivery/delivery-traits.ts'
import type { EventAnswer } from '../../project/delivery/apply-event.ts'
import { changeProject } from '../../project/document.ts'
import { type Means, runHook } from '../context.ts'

/** Counts a failed task; several in a row pause the project, because further attempts would be wasted. */
export async function countFailure(means: Means, answer: EventAnswer): Promise<void> {
  if (answer.kind !== 'moved' || !TRAITS[answer.delivery.state].isFailure) return
  const { id } = answer.task
  const at = new Date(means.clock.now()).toISOString()
  const project = await changeProject(means.store, 'director', (before) => {
    const failuresInRow = before.failuresInRow + 1
    const isEnough = failuresInRow >= means.failuresBeforePause && before.pause === null
    const reason = `${failuresInRow} tasks in a row came to nothing; the last was ${id}`
    const pause = isEnough ? { cause: 'failures' as const, by: 'director', reason, at } : before.pause
    return { ...before, failuresInRow, pause }
  })
  runHook(means, { event: 'on-error', variables: { TASK_ID: id, MESSAGE: lastErrorOf(answer.task) } })
  if (project.pause?.at !== at) return
  means.notify({ code: 'PAUSED', severity: 'critical', message: project.pause.reason, task: id })
}

function lastErrorOf({ metadata }: Case): string {
  return taskMetadata(metadata).execution?.lastError ?? ''
}
