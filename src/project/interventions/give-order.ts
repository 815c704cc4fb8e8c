import { randomUUID } from 'node:crypto'
import type { Actor, CaseId } from '../../cases/case.ts'
import type { CaseCommand } from '../../cases/command.ts'
import type { CaseRecord, Store } from '../../store/store.ts'
import { addOrder, INLINE_CHARACTERS_MAX, ORDERS_KEY, type Order, ordersOf } from '../orders.ts'
import { changeTasks } from './change-tasks.ts'
import { isRefused, type Refused, refuse } from './outcome.ts'

/** The longest message to an agent; a longer text belongs in a file that the message names. */
export const WORDS_CHARACTERS_MAX = 8_000
/** Enough to tell the orders of one task apart. */
const ID_CHARACTERS = 8

export type Wish = Pick<Order, 'kind'> & Partial<Pick<Order, 'agent' | 'to'>>

export interface Ordered {
  readonly kind: 'ordered'
  readonly task: CaseId
  readonly order: Order
}

/** Makes an order from a wish: adds its time, and stores its text. */
export async function makeOrder(store: Store, by: Actor, wish: Wish, text?: string): Promise<Order> {
  const isLong = text !== undefined && text.length > INLINE_CHARACTERS_MAX
  return {
    ...wish,
    id: randomUUID().slice(0, ID_CHARACTERS),
    by,
    at: await store.now(),
    ...(text === undefined ? {} : isLong ? { digest: await store.putBlob(Buffer.from(text)) } : { text }),
  }
}

/** The text of an order, wherever it is stored. */
export async function orderText(store: Pick<Store, 'getBlob'>, order: Order): Promise<string> {
  if (order.digest === undefined) return order.text ?? ''
  const bytes = await store.getBlob(order.digest)
  return bytes === undefined ? '' : Buffer.from(bytes).toString('utf8')
}

export function orderCommand(task: CaseRecord, order: Order): CaseCommand | Refused {
  const orders = addOrder(ordersOf(task), order)
  if (orders) {
    const to = order.agent === undefined ? '' : ` to ${order.agent}`
    return { kind: 'update', id: task.id, metadata: { [ORDERS_KEY]: orders }, reason: `${order.kind}${to}` }
  }
  return refuse(
    'ORDERS_FULL',
    `${task.id} has as many orders waiting as it can hold`,
    'they are carried out while the project runs; try again then',
  )
}

export async function giveOrder(store: Store, id: CaseId, order: Order): Promise<Ordered | Refused> {
  const answer = await changeTasks(store, [id], order.by, (tasks) => {
    const commands = tasks.map((task) => orderCommand(task, order))
    return commands.find(isRefused) ?? commands.filter((command) => !isRefused(command))
  })
  return isRefused(answer) ? answer : { kind: 'ordered', task: id, order }
}
