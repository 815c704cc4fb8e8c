import { randomUUID } from 'node:crypto'
import type { Actor, CaseId } from '../../cases/case.ts'
import type { CaseCommand } from '../../cases/command.ts'
import type { DeliveryStateName } from '../../delivery/delivery-state.ts'
import { allowsPerson } from '../../delivery/delivery-table.ts'
import type { CaseRecord, Store } from '../../store/store.ts'
import { applyEvent } from '../delivery/apply-event.ts'
import type { EventContext } from '../delivery/event-context.ts'
import { personEvent } from '../delivery/make-event.ts'
import { readEffectiveDelivery } from '../effective-delivery.ts'
import { isStopped, STOPPED_KEY } from '../orders.ts'
import { changeTasks } from './change-tasks.ts'
import { giveOrder, makeOrder } from './give-order.ts'
import { isRefused, type Refused, refuse } from './outcome.ts'

export interface Retried {
  readonly kind: 'retried'
  readonly task: CaseId
}

/**
 * Resumes a task that failed, timed out, was blocked by hand or was stopped by a person. Guidance goes to the
 * next agent on the task.
 */
export async function retryTask(
  store: Store,
  world: EventContext,
  by: Actor,
  id: CaseId,
  guidance?: string,
): Promise<Retried | Refused> {
  const read = await changeTasks(store, [id], by, ([task]) => (task ? freeCommands(task) : []))
  if (isRefused(read)) return read
  const [task] = await store.query({ ids: [id] })
  const state = task && stateOf(task)
  const words = guidance?.trim() ?? ''
  if (state !== undefined && allowsPerson(state, 'RETRY')) {
    // Guidance goes with the event: delivery keeps it for the next agent.
    const occurrence = personEvent(id, 'RETRY', { id: randomUUID(), by, text: words === '' ? null : words })
    const answer = await applyEvent(store, world, { about: id, occurrence })
    return answer.kind === 'moved' ? { kind: 'retried', task: id } : nothingToRetry(id, state)
  }
  if (words !== '') {
    const order = await makeOrder(store, by, { kind: 'tell' }, words)
    const told = await giveOrder(store, id, order)
    if (isRefused(told)) return told
  }
  return { kind: 'retried', task: id }
}

function stateOf(task: CaseRecord): DeliveryStateName | undefined {
  const read = readEffectiveDelivery(task)
  return read.kind === 'read' ? read.delivery.state : undefined
}

/** What delivery does not handle: a status that a person set, and a stop. */
function freeCommands(task: CaseRecord): CaseCommand[] | Refused {
  const { id, status } = task
  const state = stateOf(task)
  if (state !== undefined && allowsPerson(state, 'RETRY')) return []
  const reason = 'to be tried again'
  const isFree = state === 'queued' || state === undefined
  if (isFree && (status === 'failed' || status === 'timeout' || status === 'blocked'))
    return [{ kind: 'move', id, status: 'pending', reason }, ...unstop(task)]
  if (isFree && status === 'pending' && isStopped(task)) return unstop(task)
  return nothingToRetry(id, state ?? status)
}

function unstop(task: CaseRecord): CaseCommand[] {
  return isStopped(task)
    ? [{ kind: 'update', id: task.id, metadata: { [STOPPED_KEY]: null }, reason: 'to be tried again' }]
    : []
}

const HINTS: Readonly<Record<string, string>> = {
  asking: 'it waits for an answer: "axiom status" shows the question',
  queued: 'it waits for its turn already',
  landed: 'it is done; make a new task of what is missing',
  done: 'it is done; make a new task of what is missing',
}

function nothingToRetry(id: CaseId, state: string): Refused {
  return refuse(
    'NOTHING_TO_RETRY',
    `${id} is ${state}: there is nothing to try again`,
    HINTS[state] ?? 'only what failed, timed out, is blocked or was stopped can be tried again',
  )
}
