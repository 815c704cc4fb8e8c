import type { Case } from '../../../cases/case.ts'
import { taskMetadata } from '../../../cases/metadata.ts'
import { titleOf } from '../../../events/board.ts'

/** Tasks that share one reason for not having landed. */
export interface NotLanded {
  readonly tasks: readonly string[]
  readonly why: string
}

const WHY_CHARACTERS_MAX = 500

/** The tasks that did not land and why, with the agents' own reasons where they gave any. */
export function listNotLanded(cases: readonly Case[]): NotLanded[] {
  const byReason = new Map<string, string[]>()
  for (const task of cases.filter(({ type, status }) => type === 'task' && status !== 'done')) {
    const why = reasonOf(task, cases).trim().slice(0, WHY_CHARACTERS_MAX)
    byReason.set(why, [...(byReason.get(why) ?? []), task.id])
  }
  return [...byReason].map(([why, tasks]) => ({ tasks: tasks.toSorted(), why }))
}

function reasonOf(task: Case, cases: readonly Case[]): string {
  const { lastError } = taskMetadata(task.metadata).execution ?? {}
  if (lastError) return lastError
  const question = cases.find(({ type, metadata }) => type === 'pending' && metadata.waitingTask === task.id)
  if (question) return titleOf(question)
  return task.status === 'failed' ? 'it failed without a word' : 'it waits for another task'
}
