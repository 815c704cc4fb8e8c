import { expect, it } from 'vitest'
import { Turnstile } from './turnstile.ts'

it('lets no more through than agreed, in the order they came, and goes on after a failure', async () => {
  const turnstile = new Turnstile(2)
  const log: number[] = []
  let inside = 0
  let most = 0
  const work = async (n: number): Promise<void> => {
    inside += 1
    most = Math.max(most, inside)
    log.push(n)
    await new Promise((resolve) => setImmediate(resolve))
    inside -= 1
    if (n === 1) throw new Error('one')
  }
  const ends = await Promise.allSettled([0, 1, 2, 3, 4].map((n) => turnstile.pass(() => work(n))))
  expect(log).toEqual([0, 1, 2, 3, 4])
  expect(most).toBe(2)
  expect(ends.map(({ status }) => status === 'rejected')).toEqual([false, true, false, false, false])
})
