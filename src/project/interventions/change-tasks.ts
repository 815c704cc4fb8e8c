import type { Actor, CaseId } from '../../cases/case.ts'
import type { CaseCommand } from '../../cases/command.ts'
import { Failure } from '../../platform/failure.ts'
import type { CaseRecord, Committed, Store } from '../../store/store.ts'
import { isRefused, type Refused, refuse } from './outcome.ts'

/** Agents and the director change the same tasks; this often the decision is made again. */
const DECISIONS_MAX = 50

export interface Unchanged {
  readonly kind: 'unchanged'
}

/**
 * Decides on tasks as they stand and commits; when one of them changed in between, decides again on what it is then.
 * So an intervention is safe at any moment: nobody's change is written over.
 */
export async function changeTasks(
  store: Store,
  ids: readonly CaseId[],
  by: Actor,
  decide: (tasks: readonly CaseRecord[]) => readonly CaseCommand[] | Refused,
): Promise<Committed | Unchanged | Refused> {
  for (let tried = 0; tried < DECISIONS_MAX; tried += 1) {
    const found = await readTasks(store, ids)
    if (isRefused(found)) return found
    const commands = decide(found)
    if (isRefused(commands)) return commands
    if (commands.length === 0) return { kind: 'unchanged' }
    const expect = Object.fromEntries(found.map(({ id, rev }) => [id, rev]))
    const answer = await store.transact({ commands, by, expect })
    if (answer.kind !== 'stale') return answer
  }
  throw new Failure('STORE_BUSY', `${ids.join(', ')} changes too fast`, { hint: 'try again' })
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
