import { describe, expect, it } from 'vitest'
import { hasInHand } from './file-in-hand.ts'

const lease = (holder: string) => ({ develop: { holder, fence: 1, expiresAt: '2026-01-01T00:00:00.000Z' } })
const file = { path: 'src/a.ts', holder: 'echo-002' }

describe('a file is in hand', () => {
  it.each([
    ['of the agent that was named', 'echo-002', [], 'developing', true],
    ['of a task that is expected to change it', 'echo-003', ['./src/a.ts'], 'developing', true],
    ['of a task that is expected to change its folder', 'echo-003', ['src/'], 'developing', true],
    ['until the change is on the target', 'echo-002', [], 'integrating', true],
    ['no longer when it is', 'echo-002', [], 'landed', false],
    ['not of a task that has not begun', 'echo-002', ['src/a.ts'], 'queued', false],
    ['not of a task that waits for a file itself', 'echo-002', [], 'file-waiting', false],
    ['not of others', 'echo-003', ['src/ab.ts'], 'developing', false],
  ] as const)('%s', (_, holder, fileHints, state, expected) => {
    const task = { leases: lease(holder), metadata: { fileHints: [...fileHints] } }
    expect(hasInHand(task, { state }, file)).toBe(expected)
  })
})
