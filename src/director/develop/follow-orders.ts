import type { CaseId, Stage } from '../../cases/case.ts'
import type { CaseCommand } from '../../cases/command.ts'
import { readDelivery } from '../../delivery/delivery-state.ts'
import { WORK } from '../../delivery/delivery-table.ts'
import { orderText } from '../../project/interventions/give-order.ts'
import {
  ASSIGNED_KEY,
  consumeOrders,
  dueOrders,
  type Order,
  ordersOf,
  stoppedMark,
} from '../../project/orders.ts'
import type { PersonsMessage } from '../../runs/run-control.ts'
import type { CaseRecord, Store } from '../../store/store.ts'
import type { Desk } from '../context.ts'
import { toldMetadata } from './run-metadata.ts'

/**
 * Passes a person's orders to the agent at work. An order is removed from the task in the commit that records
 * its result: the mark of a stop, the next task of a redirected agent, the message to a developer. A message
 * that the run does not accept stays on the task; one that is delivered twice is read once.
 */
export async function followOrders(desk: Desk, id: CaseId): Promise<void> {
  const { store } = desk.means
  const [task] = await store.query({ ids: [id] })
  const control = desk.controlOf(id)
  if (!task || !control) return
  const orders = ordersOf(task)
  const stage = stageAtWork(task)
  const { due, void: past } = dueOrders(orders, (stage && task.leases?.[stage]?.holder) ?? '')
  const words = await wordsOf(store, due)
  const told = words.filter((word) => control.tell(word))
  const acts = due.filter(({ kind }) => kind !== 'tell')
  const off = [...acts, ...past, ...due.filter((order) => told.some((word) => word.id === order.id))]
  if (off.length === 0) return
  const stop = acts.find(({ kind }) => kind === 'stop')
  const taken = off.map((order) => order.id)
  const answer = await store.transact({
    commands: [
      {
        kind: 'update',
        id,
        metadata: {
          ...consumeOrders(orders, taken),
          ...(stop ? stoppedMark(stop.by, stop.at) : {}),
          ...(stage === 'develop' ? toldMetadata(task, told) : {}),
        },
        reason: `ordered: ${off.map(({ kind }) => kind).join(', ')}`,
      },
      ...acts.flatMap(sendOn),
    ],
    by: 'director',
    expect: { [id]: task.rev },
  })
  // Changed in the meantime: the next run handles it, with any newer orders.
  if (answer.kind !== 'committed') return
  for (const { kind } of acts) {
    if (kind === 'stop' || kind === 'redirect') control.stop()
    else desk.hold(id, kind === 'pause')
  }
}

/** Read before anything is done: a failure leaves every order in place. */
async function wordsOf(
  store: Pick<Store, 'getBlob'>,
  due: readonly Order[],
): Promise<readonly (PersonsMessage & Pick<Order, 'id'>)[]> {
  const tells = due.filter(({ kind }) => kind === 'tell')
  return Promise.all(
    tells.map(async (order) => ({ id: order.id, by: order.by, text: await orderText(store, order) })),
  )
}

/** Assigns a redirected agent to its next task. */
function sendOn({ kind, to, agent = '' }: Order): CaseCommand[] {
  if (kind !== 'redirect' || to === undefined) return []
  return [{ kind: 'update', id: to, metadata: { [ASSIGNED_KEY]: agent }, reason: `${agent} is sent here` }]
}

function stageAtWork(task: CaseRecord): Stage | undefined {
  const read = readDelivery(task)
  return (read.kind === 'read' && WORK[read.delivery.state]?.stage) || undefined
}
