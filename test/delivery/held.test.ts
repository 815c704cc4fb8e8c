import { describe, expect, it } from 'vitest'
import { repairBesideWork } from './waits.ts'

describe('while a repair is under way', () => {
  it('nothing new is begun, and what was under way goes on to the target', async () => {
    const theatre = await repairBesideWork()
    try {
      for (const id of ['task-001', 'task-002', 'task-003'])
        expect((await theatre.delivery(id)).state, id).toBe('landed')
      const moves = await theatre.moves('task-001')
      expect(moves.filter((move) => move.startsWith('REMEDIATION_COMPLETE'))).toHaveLength(1)
    } finally {
      await theatre.close()
    }
  })
})
