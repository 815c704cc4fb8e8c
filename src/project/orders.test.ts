import { describe, expect, it } from 'vitest'
import {
  addOrder,
  assignedTo,
  consumeOrders,
  dueOrders,
  INLINE_CHARACTERS_MAX,
  isStopped,
  ORDERS_MAX,
  type Order,
  ordersOf,
  stoppedMark,
} from './orders.ts'

const AT = '2026-01-01T00:00:00.000Z'
const order = (id: string, kind: Order['kind'], fields: Partial<Order> = {}): Order => ({
  id,
  kind,
  by: 'user',
  at: AT,
  agent: 'echo-001',
  ...fields,
})
const ids = (orders: readonly Order[] | undefined) => orders?.map(({ id }) => id)

describe('orders', () => {
  it('keep every word, and of contrary wishes the last', () => {
    const told = [order('a', 'tell'), order('b', 'pause'), order('c', 'tell')]
    expect(ids(addOrder(told, order('d', 'resume')))).toEqual(['a', 'c', 'd'])
    expect(ids(addOrder(told, order('d', 'stop')))).toEqual(['a', 'c', 'd'])
    expect(ids(addOrder(told, order('d', 'pause', { agent: 'echo-002' })))).toEqual(['a', 'b', 'c', 'd'])
  })

  it('are at most so many', () => {
    const full = Array.from({ length: ORDERS_MAX }, (_, n) => order(`${n}`, 'tell'))
    expect(addOrder(full, order('x', 'tell'))).toBeUndefined()
    expect(addOrder(full.slice(1), order('x', 'tell'))).toHaveLength(ORDERS_MAX)
  })

  it('fit into the metadata of a task beside everything else', () => {
    const text = 'x'.repeat(INLINE_CHARACTERS_MAX)
    const full = Array.from({ length: ORDERS_MAX }, (_, n) =>
      order(`${n}`.padStart(8, '0'), 'tell', { text }),
    )
    expect(JSON.stringify(full).length).toBeLessThan(4_500)
  })

  it('to an agent that is gone are void, but for words, which its successor hears', () => {
    const given = [order('a', 'tell'), order('b', 'stop'), order('c', 'pause', { agent: undefined })]
    const { due, void: lost } = dueOrders(given, 'echo-002')
    expect(ids(due)).toEqual(['a', 'c'])
    expect(ids(lost)).toEqual(['b'])
    expect(ids(dueOrders(given, 'echo-001').due)).toEqual(['a', 'b', 'c'])
  })

  it('are taken away one by one, and the key with the last', () => {
    const given = [order('a', 'tell'), order('b', 'stop')]
    expect(consumeOrders(given, ['a'])).toEqual({ orders: [given[1]] })
    expect(consumeOrders(given, ['a', 'b', 'z'])).toEqual({ orders: null })
  })

  it('that cannot be read are none', () => {
    const metadata = { orders: [order('a', 'tell'), { kind: 'dance' }, 3] }
    expect(ids(ordersOf({ metadata }))).toEqual(['a'])
    expect(ordersOf({ metadata: { orders: 'stop' } })).toEqual([])
    expect(assignedTo({ metadata: { assigned: '' } })).toBe('')
    expect(assignedTo({ metadata: {} })).toBeUndefined()
  })

  it('leave a mark when they stopped a task', () => {
    expect(isStopped({ metadata: stoppedMark('user', AT) })).toBe(true)
    expect(isStopped({ metadata: {} })).toBe(false)
  })
})
