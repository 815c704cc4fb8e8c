import { describe, expect, it } from 'vitest'
import type { HomeNeed } from '../../src/director/agents/agent-home.ts'
import type { Hands } from '../../src/director/hands.ts'
import { developed, Line, plan, proven } from './line.ts'

const WAIT_MS = 60_000

/** A clean hand that writes down, each time, what it is told of one home. */
function seeing(agent: string, tasks: readonly string[]) {
  const seen: (HomeNeed['kind'] | undefined)[] = []
  const clean: Hands['clean'] = async ({ needOf }) => {
    seen.push(needOf?.({ agent, path: '', tasks }).kind)
    return { removed: [], kept: [], freedBytes: 0, byConsent: [] }
  }
  return { seen, clean }
}

describe("an agent's home", () => {
  it('is needed until its task has landed, and may go then', async () => {
    await using line = await Line.open({ cases: plan('one') })
    const { seen, clean } = seeing('echo-001', ['task-001'])
    await line.run({ clean })
    expect(seen[0]).toBe('needed')
    expect(seen.at(-1)).toBe('over')
  })

  it('may go as soon as the agent of a deleted task has left, with no landing', async () => {
    await using line = await Line.open({ cases: plan('one') })
    const { seen, clean } = seeing('echo-001', ['task-001'])
    const leaving = new AbortController()
    let hasBegun = false
    const director = line.director(
      {
        clean,
        async develop() {
          hasBegun = true
          await new Promise((resolve) => leaving.signal.addEventListener('abort', resolve))
          return developed(proven(line.commit()))
        },
      },
      true,
    )
    const ended = director.run()
    await expect.poll(() => hasBegun, { timeout: WAIT_MS }).toBe(true)
    await line.transact({ kind: 'delete', id: 'task-001', reason: 'not wanted' })
    await expect.poll(() => seen.length, { timeout: WAIT_MS }).toBeGreaterThan(1)
    expect(new Set(seen)).toEqual(new Set(['needed']))
    leaving.abort()
    await expect.poll(() => seen.at(-1), { timeout: WAIT_MS }).toBe('over')
    director.leave('now')
    await ended
  })

  it('may go at the next start when a crash came between the end of its task and the cleaning', async () => {
    await using line = await Line.open({ cases: plan('one') })
    await line.run()
    const { seen, clean } = seeing('echo-001', ['task-001'])
    await line.run({ clean })
    expect(seen[0]).toBe('over')
  })
})
