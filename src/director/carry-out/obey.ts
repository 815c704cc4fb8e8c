import type { CaseId } from '../../cases/case.ts'
import type { CaseCommand } from '../../cases/command.ts'
import { readDelivery } from '../../delivery/delivery-state.ts'
import { WORK } from '../../delivery/delivery-table.ts'
import type { CaseRecord } from '../../store/store.ts'
import { orderText } from '../intervene/give-order.ts'
import { ASSIGNED_KEY, consumeOrders, dueOrders, type Order, ordersOf, stoppedMark } from '../orders.ts'
import type { Desk } from './carry-out.ts'

/** A person's orders reach the agent at work; they are taken off the task in one commit, before they are followed. */
export async function obeyOrders(desk: Desk, id: CaseId): Promise<void> {
  const { store } = desk.means
  const [task] = await store.query({ ids: [id] })
  const control = desk.controlOf(id)
  if (!task || !control) return
  const orders = ordersOf(task)
  const { due, void: past } = dueOrders(orders, agentAtWork(task))
  const stop = due.find(({ kind }) => kind === 'stop')
  const told = [...due, ...past]
  const answer = await store.transact({
    commands: [
      {
        kind: 'update',
        id,
        metadata: {
          ...consumeOrders(
            orders,
            told.map((order) => order.id),
          ),
          ...(stop ? stoppedMark(stop.by, stop.at) : {}),
        },
        reason: `ordered: ${told.map(({ kind }) => kind).join(', ')}`,
      },
      ...due.flatMap(sendOn),
    ],
    by: 'director',
    expect: { [id]: task.rev },
  })
  // Changed meanwhile: it is looked at again, with whatever was ordered since.
  if (answer.kind !== 'committed') return
  for (const order of due) await follow(desk, id, order)
}

/** Where a redirected agent goes next. */
function sendOn({ kind, to, agent = '' }: Order): CaseCommand[] {
  if (kind !== 'redirect' || to === undefined) return []
  return [{ kind: 'update', id: to, metadata: { [ASSIGNED_KEY]: agent }, reason: `${agent} is sent here` }]
}

function agentAtWork(task: CaseRecord): string {
  const read = readDelivery(task)
  const stage = read.kind === 'read' ? WORK[read.delivery.state]?.stage : undefined
  return (stage && task.leases?.[stage]?.holder) ?? ''
}

async function follow(desk: Desk, id: CaseId, order: Order): Promise<void> {
  const control = desk.controlOf(id)
  switch (order.kind) {
    case 'tell':
      control?.tell({ by: order.by, text: await orderText(desk.means.store, order) })
      return
    case 'stop':
    case 'redirect':
      control?.stop()
      return
    case 'pause':
    case 'resume':
      desk.hold(id, order.kind === 'pause')
      return
  }
}
