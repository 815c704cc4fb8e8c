import type { Actor, CaseId } from '../../cases/case.ts'
import type { CaseCommand } from '../../cases/command.ts'
import type { CaseRecord, Store } from '../../store/store.ts'
import { ASSIGNED_KEY, STOPPED_KEY } from '../orders.ts'
import { changeTasks } from './change-tasks.ts'
import { findLiveAgent } from './live-agents.ts'
import { isRefused, type Refused, refuse } from './outcome.ts'

export interface Assigned {
  readonly kind: 'assigned'
  readonly task: CaseId
  /** Null: the first free agent. */
  readonly agent: string | null
}

/**
 * Makes the task the next to start, before anything that the director would choose: with the named agent when
 * it is free, with any agent when none is named. A task that a person stopped may start again.
 */
export async function assignTask(
  store: Store,
  by: Actor,
  id: CaseId,
  agent?: string,
): Promise<Assigned | Refused> {
  if (agent !== undefined) {
    const live = await findLiveAgent(store, agent)
    if (isRefused(live)) return live
  }
  const holds = await store.explain(id)
  const answer = await changeTasks(store, [id], by, ([task]) => {
    if (!task) return []
    return cannotStart(task, holds) ?? assignCommands(task, agent)
  })
  return isRefused(answer) ? answer : { kind: 'assigned', task: id, agent: agent ?? null }
}

/** Why a task cannot be started now. */
export function cannotStart({ id, leases }: CaseRecord, holds: string): Refused | undefined {
  const holder = Object.values(leases ?? {})[0]?.holder
  if (holder !== undefined)
    return refuse(
      'AlreadyClaimed',
      `${id} is in the hands of ${holder}`,
      `tell or stop it: axiom tell ${holder} "TEXT", axiom stop ${holder}`,
    )
  if (holds === '') return undefined
  return refuse('InvalidStatus', `${id} cannot start: ${holds}`, '"axiom case ready" lists what can')
}

function assignCommands({ id }: CaseRecord, agent: string | undefined): CaseCommand[] {
  const metadata = { [ASSIGNED_KEY]: agent ?? '', [STOPPED_KEY]: null }
  return [{ kind: 'update', id, metadata, reason: `to be taken up next by ${agent ?? 'whoever is free'}` }]
}
