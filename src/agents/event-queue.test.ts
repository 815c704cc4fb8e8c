import { describe, expect, it } from 'vitest'
import { EventQueue } from './event-queue.ts'

async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const turns = new Promise((resolve) => setImmediate(() => resolve('pending')))
  return (await Promise.race([promise.then(() => 'settled'), turns])) === 'pending'
}

describe('the event queue', () => {
  it('gives everything in order and ends when closed', async () => {
    const queue = new EventQueue<number>(2)
    for (const number of [1, 2, 3]) queue.put(number)
    queue.close()
    const read: number[] = []
    for await (const number of queue) read.push(number)
    expect(read).toEqual([1, 2, 3])
  })

  it('lets the writer wait until the reader has caught up', async () => {
    const queue = new EventQueue<number>(2)
    queue.put(1)
    await queue.room()
    queue.put(2)
    const room = queue.room()
    expect(await isPending(room)).toBe(true)
    await queue[Symbol.asyncIterator]().next()
    expect(await isPending(room)).toBe(false)
  })

  it('never lets the writer wait for a reader who has left, or when nothing more is to come', async () => {
    const left = new EventQueue<number>(1)
    left.put(1)
    for await (const _ of left) break
    left.put(2)
    expect(await isPending(left.room())).toBe(false)
    const over = new EventQueue<number>(1)
    over.put(1)
    const room = over.room()
    over.unbound()
    expect(await isPending(room)).toBe(false)
  })
})
