import type { Actor, CaseId } from '../../cases/case.ts'
import type { CaseCommand } from '../../cases/command.ts'
import type { CaseRecord, Store } from '../../store/store.ts'
import { type Order, STOPPED_KEY } from '../orders.ts'
import { changeTasks } from './change-tasks.ts'
import { makeOrder, type Ordered, orderCommand } from './give-order.ts'
import { findLiveAgent } from './live-agents.ts'
import { isRefused, type Refused, refuse } from './outcome.ts'

/**
 * The task is taken up next, before anything that the director would choose: by the named agent when it is free, by
 * any when none is named or the named one is gone by then.
 */
export async function assignTask(
  store: Store,
  by: Actor,
  id: CaseId,
  agent?: string,
): Promise<Ordered | Refused> {
  if (agent !== undefined) {
    const live = await findLiveAgent(store, agent)
    if (isRefused(live)) return live
  }
  const order = await makeOrder(store, by, { kind: 'assign', ...(agent === undefined ? {} : { agent }) })
  const holds = await store.explain(id)
  const answer = await changeTasks(store, [id], by, (tasks) => {
    const [task] = tasks
    return task ? assignCommands(task, order, holds) : []
  })
  return isRefused(answer) ? answer : { kind: 'ordered', task: id, order }
}

/** Refused unless the task could start now; what a person stopped before may start again. */
export function assignCommands(task: CaseRecord, order: Order, holds: string): CaseCommand[] | Refused {
  const { id, leases } = task
  const holder = Object.values(leases ?? {})[0]?.holder
  if (holder !== undefined)
    return refuse(
      'AlreadyClaimed',
      `${id} is in the hands of ${holder}`,
      `tell or stop it: axiom tell ${holder} "TEXT", axiom stop ${holder}`,
    )
  if (holds !== '')
    return refuse('InvalidStatus', `${id} cannot start: ${holds}`, '"axiom case ready" lists what can')
  const command = orderCommand(task, order)
  if (isRefused(command)) return command
  return [command, ...takenUp(task)]
}

function takenUp({ id, metadata }: CaseRecord): CaseCommand[] {
  if (metadata[STOPPED_KEY] === undefined) return []
  return [{ kind: 'update', id, metadata: { [STOPPED_KEY]: null }, reason: 'taken up again by a person' }]
}
