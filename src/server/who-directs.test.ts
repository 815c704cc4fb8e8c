import { expect, it } from 'vitest'
import { startTicksOf } from '../platform/process/process-table.ts'
import { whoDirects } from './who-directs.ts'

const { pid, ppid } = process
const seat = (at: number, born: string) => ({ id: 'dex-001', pid: at, born, at: '2026-01-01T00:00:00.000Z' })

it.each([
  { case: 'no director', director: null, told: 'none' },
  { case: 'this process', director: seat(pid, String(startTicksOf(pid))), told: 'here' },
  { case: 'another process', director: seat(ppid, String(startTicksOf(ppid))), told: 'elsewhere' },
  { case: 'an older process with the id of this one', director: seat(pid, '1'), told: 'none' },
  { case: 'an older process with the id of another one', director: seat(ppid, '1'), told: 'none' },
  {
    case: 'a process of another host with the id of this one',
    director: { ...seat(pid, '1'), host: { name: 'beta', machine: 'm2', boot: 'b2' } },
    told: 'elsewhere',
  },
])('shows where the director runs: $case', async ({ director, told }) => {
  expect(await whoDirects(director)).toBe(told)
})
