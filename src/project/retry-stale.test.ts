import { expect, it } from 'vitest'
import { retryStale, STALE } from './retry-stale.ts'

it('decides again until nothing that was read has changed', async () => {
  let attempts = 0
  const answer = await retryStale('task-001', async () => {
    attempts += 1
    return attempts < 3 ? STALE : 'done'
  })
  expect([answer, attempts]).toEqual(['done', 3])
})

it('gives up on what never rests, with what to do', async () => {
  let attempts = 0
  const never = retryStale('task-001', async () => {
    attempts += 1
    return STALE
  })
  await expect(never).rejects.toMatchObject({ code: 'STORE_BUSY', hint: 'try again' })
  expect(attempts).toBe(50)
})
