import { describe, expect, it } from 'vitest'
import { configSchema } from '../config/schema.ts'
import { RESPAWNS_MAX, SILENT_LOOKS_MAX } from './decide-agents.ts'
import { CHECK_EVERY_MS, decideHealth, NO_HEALTH, nextCheckMs } from './decide-health.ts'
import type { HealthAction } from './health-action.ts'
import type { AgentFacts, HealthFacts, HealthMemory } from './health-facts.ts'

const LIMITS = configSchema.parse({}).disk
const MEGABYTE = 1_000_000
const START_MS = Date.parse('2026-03-01T12:00:00.000Z')

const agent = (fields: Partial<AgentFacts> = {}): AgentFacts => ({
  agent: 'echo-001',
  task: 'task-001',
  lastSignMs: START_MS,
  owesSigns: true,
  isAlive: true,
  ...fields,
})

const facts = (fields: Partial<HealthFacts> = {}): HealthFacts => ({
  diskFreeBytes: 50_000 * MEGABYTE,
  memory: { availableBytes: 8_000 * MEGABYTE, totalBytes: 16_000 * MEGABYTE },
  agents: [agent()],
  orphans: [],
  ...fields,
})

/** Looks one after the other, a minute apart unless the clock says otherwise. */
class Watch {
  memory: HealthMemory = NO_HEALTH
  nowMs = START_MS

  look(seen: HealthFacts, nowMs = this.nowMs + CHECK_EVERY_MS): HealthAction[] {
    this.nowMs = nowMs
    const { actions, memory } = decideHealth(seen, this.memory, LIMITS, new Date(nowMs).toISOString())
    this.memory = memory
    return [...actions]
  }

  looks(count: number, seen: HealthFacts): HealthAction[] {
    return Array.from({ length: count }, () => this.look(seen)).flat()
  }
}

const kinds = (actions: readonly HealthAction[]) =>
  actions.map((action) => (action.kind === 'alert' ? action.alert.code : action.kind))

const free = (megabytes: number) => facts({ diskFreeBytes: megabytes * MEGABYTE })

describe('the disk', () => {
  it.each([
    [1_001, []],
    [1_000, []],
    [999, ['DISK_WARNING']],
    [500, ['DISK_WARNING']],
    [499, ['DISK_CRITICAL', 'clean', 'hold']],
    [100, ['DISK_CRITICAL', 'clean', 'hold']],
    [99, ['DISK_EMERGENCY', 'stop-all', 'clean', 'hold']],
    [0, ['DISK_EMERGENCY', 'stop-all', 'clean', 'hold']],
  ])('with %i MB free leads to %j', (megabytes, expected) => {
    expect(kinds(new Watch().look(free(megabytes)))).toEqual(expected)
  })

  it('is told of once at each level, cleaned at each look, and released above 500 MB', () => {
    const watch = new Watch()
    expect(kinds(watch.look(free(450)))).toEqual(['DISK_CRITICAL', 'clean', 'hold'])
    expect(kinds(watch.look(free(450)))).toEqual(['clean'])
    expect(kinds(watch.look(free(50)))).toEqual(['DISK_EMERGENCY', 'stop-all', 'clean'])
    expect(kinds(watch.look({ ...free(50), agents: [] }))).toEqual(['clean'])
    expect(kinds(watch.look(free(700)))).toEqual(['DISK_RECOVERED', 'release'])
    expect(kinds(watch.look(free(5_000)))).toEqual(['DISK_RECOVERED'])
    expect(kinds(watch.look(free(5_000)))).toEqual([])
  })

  it('asks for as much as lets people be without a warning', () => {
    const clean = new Watch().look(free(400)).find(({ kind }) => kind === 'clean')
    expect(clean).toEqual({ kind: 'clean', bytesWanted: 600 * MEGABYTE })
  })

  it('gives alerts that pause the work the highest severity', () => {
    const [first] = new Watch().look(free(400))
    expect(first).toMatchObject({
      alert: { severity: 'critical', message: expect.stringContaining('400 MB') },
    })
  })
})

describe('memory', () => {
  const left = (percent: number) =>
    facts({ memory: { availableBytes: percent * 160 * MEGABYTE, totalBytes: 16_000 * MEGABYTE } })

  it('holds new agents when it is nearly gone, until there is clearly more', () => {
    const watch = new Watch()
    expect(kinds(watch.look(left(9)))).toEqual(['MEMORY_WARNING'])
    expect(kinds(watch.look(left(4)))).toEqual(['MEMORY_CRITICAL', 'hold'])
    expect(kinds(watch.look(left(12)))).toEqual(['MEMORY_RECOVERED'])
    expect(kinds(watch.look(left(16)))).toEqual(['release'])
  })

  it('and the disk are released together only', () => {
    const watch = new Watch()
    watch.look({ ...left(4), diskFreeBytes: 300 * MEGABYTE })
    expect(kinds(watch.look(free(300)))).not.toContain('release')
    expect(kinds(watch.look(free(9_000)))).toContain('release')
  })
})

describe('a silent agent', () => {
  it('is asked for a checkpoint once, at the tenth look without a sign', () => {
    const watch = new Watch()
    watch.look(facts())
    expect(kinds(watch.looks(SILENT_LOOKS_MAX - 1, facts()))).toEqual([])
    expect(kinds(watch.look(facts()))).toEqual(['AGENT_STALLED', 'ask-checkpoint'])
    expect(kinds(watch.looks(5, facts()))).toEqual(['time-out'])
    watch.look(facts({ agents: [agent({ lastSignMs: 7 })] }))
    expect(kinds(watch.looks(SILENT_LOOKS_MAX, facts({ agents: [agent({ lastSignMs: 7 })] })))).toContain(
      'ask-checkpoint',
    )
  })

  it('that waits, rests or is being verified owes no sign', () => {
    const watch = new Watch()
    const resting = facts({ agents: [agent({ owesSigns: false })] })
    expect(kinds(watch.looks(30, resting))).toEqual([])
    expect(kinds(watch.looks(SILENT_LOOKS_MAX - 1, facts()))).toEqual([])
  })

  it.each([
    ['an hour ahead', 3_600_000],
    ['an hour back', -3_600_000],
    ['to 1970', -START_MS],
    ['eight hours on, after a sleep', 8 * 3_600_000],
    ['a year ahead', 365 * 86_400_000],
  ])('is not taken for stalled when the clock goes %s', (_, jumpMs) => {
    const watch = new Watch()
    watch.looks(2, facts())
    expect(kinds(watch.look(facts(), watch.nowMs + jumpMs))).toEqual([])
    expect(kinds(watch.looks(SILENT_LOOKS_MAX - 4, facts()))).toEqual([])
  })
})

describe('a dead agent', () => {
  const dead = facts({ agents: [agent({ isAlive: false })] })

  it('is one only when it is seen dead twice: what just ended is not', () => {
    const watch = new Watch()
    expect(kinds(watch.look(dead))).toEqual([])
    expect(kinds(watch.look(facts({ agents: [] })))).toEqual([])
    expect(kinds(watch.look(dead))).toEqual([])
  })

  it('is replaced, but not for ever', () => {
    const watch = new Watch()
    const deaths = watch.looks(2 * RESPAWNS_MAX, dead)
    expect(kinds(deaths).filter((kind) => kind === 'respawn')).toHaveLength(RESPAWNS_MAX)
    expect(kinds(watch.looks(2, dead))).toEqual(['AGENT_RESPAWNS_SPENT', 'give-up'])
  })

  it('is replaced again when the deaths before it are long past', () => {
    const watch = new Watch()
    watch.looks(2 * RESPAWNS_MAX, dead)
    watch.look(dead, watch.nowMs + 3_600_000)
    expect(kinds(watch.look(dead))).toEqual(['AGENT_DEAD', 'respawn'])
  })
})

it('has orphans ended, and says so', () => {
  const tree = { pid: 4, startTicks: 2, marker: 'x' }
  const orphan = { agent: 'echo-009', tree, processes: 3 }
  const actions = new Watch().look(facts({ orphans: [orphan] }))
  expect(kinds(actions)).toEqual(['PROCESS_ORPHANED', 'sweep'])
  expect(actions[1]).toEqual({ kind: 'sweep', orphan })
})

describe('the next look', () => {
  const seen = (checkedMs: number, holds: HealthMemory['holds'] = []): HealthMemory => ({
    ...NO_HEALTH,
    checkedAt: new Date(checkedMs).toISOString(),
    holds,
  })

  it('is a minute after the last while somebody works or something is held, else never', () => {
    expect(nextCheckMs(seen(START_MS), 1, START_MS + 5)).toBe(START_MS + CHECK_EVERY_MS)
    expect(nextCheckMs(seen(START_MS), 0, START_MS + 5)).toBeUndefined()
    expect(nextCheckMs(seen(START_MS, ['disk']), 0, START_MS + 5)).toBe(START_MS + CHECK_EVERY_MS)
  })

  it('is at once when there was none, or when the clock went back', () => {
    expect(nextCheckMs(NO_HEALTH, 1, START_MS)).toBe(START_MS)
    expect(nextCheckMs(seen(START_MS), 1, START_MS - 3_600_000)).toBe(START_MS - 3_600_000)
  })
})
