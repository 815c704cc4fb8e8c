import type { Actor, CaseId } from '../../cases/case.ts'
import type { CaseCommand } from '../../cases/command.ts'
import type { CaseRecord, Committed, Store } from '../../store/store.ts'
import { retryStale, STALE } from '../retry-stale.ts'
import { isRefused, type Refused, refuse } from './outcome.ts'

export interface Unchanged {
  readonly kind: 'unchanged'
}

/**
 * Decides on the current tasks and commits; if one of them changed in between, decides again on the new
 * state. So an intervention is safe at any moment: it overwrites no other change.
 */
export function changeTasks(
  store: Store,
  ids: readonly CaseId[],
  by: Actor,
  decide: (tasks: readonly CaseRecord[]) => readonly CaseCommand[] | Refused,
): Promise<Committed | Unchanged | Refused> {
  return retryStale(ids.join(', '), async () => {
    const found = await readTasks(store, ids)
    if (isRefused(found)) return found
    const commands = decide(found)
    if (isRefused(commands)) return commands
    if (commands.length === 0) return { kind: 'unchanged' }
    const expect = Object.fromEntries(found.map(({ id, rev }) => [id, rev]))
    const answer = await store.transact({ commands, by, expect })
    return answer.kind === 'stale' ? STALE : answer
  })
}

async function readTasks(store: Store, ids: readonly CaseId[]): Promise<CaseRecord[] | Refused> {
  const found = await store.query({ ids })
  const tasks: CaseRecord[] = []
  for (const id of ids) {
    const task = found.find((record) => record.id === id)
    if (!task)
      return refuse('NotFound', `there is no case ${id}`, '"axiom case list" shows the cases there are')
    if (task.type !== 'task')
      return refuse('InvalidValue', `${id} is no task`, '"axiom case list --type task" shows the tasks')
    tasks.push(task)
  }
  return tasks
}
