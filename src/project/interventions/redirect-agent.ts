import type { Actor, CaseId } from '../../cases/case.ts'
import type { Store } from '../../store/store.ts'
import { cannotStart } from './assign-task.ts'
import { changeTasks } from './change-tasks.ts'
import { makeOrder, orderCommand } from './give-order.ts'
import { findLiveAgent } from './live-agents.ts'
import { isRefused, type Refused, refuse } from './outcome.ts'

export interface Redirected {
  readonly kind: 'redirected'
  readonly agent: string
  readonly from: CaseId
  readonly to: CaseId
}

/**
 * Takes an agent off its task, with its changes kept, and assigns it to another: both in one order, or
 * neither.
 */
export async function redirectAgent(
  store: Store,
  by: Actor,
  agent: string,
  to: CaseId,
): Promise<Redirected | Refused> {
  const live = await findLiveAgent(store, agent)
  if (isRefused(live)) return live
  const from = live.task
  if (from === to)
    return refuse(
      'InvalidValue',
      `${agent} is at work on ${to} already`,
      `tell it: axiom tell ${agent} "TEXT"`,
    )
  if (live.stage !== 'develop')
    return refuse(
      'InvalidStatus',
      `${agent} is at work to ${live.stage} ${from}; only a developer takes another task`,
      `stop it: axiom stop ${agent}`,
    )
  const leave = await makeOrder(store, by, { kind: 'redirect', agent, to })
  const holds = await store.explain(to)
  const answer = await changeTasks(store, [from, to], by, ([left, taken]) => {
    if (!left || !taken) return []
    if (left.leases?.develop?.holder !== agent)
      return refuse(
        'AGENT_UNKNOWN',
        `${agent} is no longer at work on ${from}`,
        '"axiom status" shows who is',
      )
    const fault = cannotStart(taken, holds)
    if (fault) return fault
    const leaving = orderCommand(left, leave)
    return isRefused(leaving) ? leaving : [leaving]
  })
  return isRefused(answer) ? answer : { kind: 'redirected', agent, from, to }
}
