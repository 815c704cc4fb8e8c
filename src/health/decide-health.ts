import type { Instant } from '../cases/case.ts'
import type { Config } from '../config/schema.ts'
import { type AgentDecision, decideAgents } from './decide-agents.ts'
import type { HealthAction } from './health-action.ts'
import type { Alert, HealthFacts, HealthMemory, Orphan } from './health-facts.ts'

/** Interval of the health check while an agent is at work, or while work is held by it. */
export const CHECK_EVERY_MS = 60_000
const BYTES_PER_MEGABYTE = 1_000_000
/** Share of all memory; below it no agent is added. */
const MEMORY_LOW_SHARE = 0.1
const MEMORY_CRITICAL_SHARE = 0.05
/** Higher than the lower bound, so that a single agent does not toggle the hold. */
const MEMORY_WELL_SHARE = 0.15

export interface HealthDecision {
  readonly actions: readonly HealthAction[]
  readonly memory: HealthMemory
}

export const NO_HEALTH: HealthMemory = {
  checkedAt: '',
  disk: 'normal',
  memory: 'normal',
  holds: [],
  silent: {},
  respawns: {},
}

/**
 * When to check next; undefined while no agent is at work and nothing is held. At once if the clock was set
 * back.
 */
export function nextCheckMs(before: HealthMemory, agentsAtWork: number, nowMs: number): number | undefined {
  if (agentsAtWork === 0 && before.holds.length === 0) return undefined
  const checkedMs = Date.parse(before.checkedAt)
  if (Number.isNaN(checkedMs) || checkedMs > nowMs) return nowMs
  return checkedMs + CHECK_EVERY_MS
}

/**
 * The actions for the measured facts. Pure; ages are never computed from the clock, so that neither a clock
 * that jumps nor a machine that slept makes an agent count as stalled.
 */
export function decideHealth(
  facts: HealthFacts,
  before: HealthMemory,
  limits: Config['disk'],
  now: Instant,
): HealthDecision {
  const disk = decideDisk(facts, before, limits)
  const memory = decideMemory(facts, before)
  const agents: AgentDecision = decideAgents(facts.agents, before, now)
  const holds = [...(disk.isHeld ? ['disk' as const] : []), ...(memory.isHeld ? ['memory' as const] : [])]
  const actions: HealthAction[] = [
    ...disk.actions,
    ...memory.actions,
    ...holdActions(before.holds, holds, [disk.reason, memory.reason]),
    ...agents.actions,
    ...facts.orphans.flatMap(sweepOrphan),
  ]
  const { silent, respawns } = agents
  return {
    actions,
    memory: { checkedAt: now, disk: disk.level, memory: memory.level, holds, silent, respawns },
  }
}

interface Guard<Level> {
  readonly level: Level
  readonly isHeld: boolean
  readonly reason: string
  readonly actions: readonly HealthAction[]
}

function decideDisk(
  { diskFreeBytes, agents }: HealthFacts,
  before: HealthMemory,
  { warnMegabytes, pauseMegabytes, stopMegabytes }: Config['disk'],
): Guard<HealthMemory['disk']> {
  const freeMegabytes = diskFreeBytes / BYTES_PER_MEGABYTE
  const free = `${Math.floor(freeMegabytes)} MB are free on the disk`
  const isLess = (megabytes: number): boolean => freeMegabytes < megabytes
  const level = isLess(stopMegabytes)
    ? 'emergency'
    : isLess(pauseMegabytes)
      ? 'critical'
      : isLess(warnMegabytes)
        ? 'low'
        : 'normal'
  const isHeld = level === 'critical' || level === 'emergency'
  const actions: HealthAction[] = []
  if (level !== before.disk) actions.push(...diskAlert(level, before.disk, free))
  if (level === 'emergency' && agents.length > 0) actions.push({ kind: 'stop-all', reason: free })
  if (isHeld) {
    // Up to the warning level, or the next check would find too little space again.
    const bytesWanted = Math.max(0, warnMegabytes * BYTES_PER_MEGABYTE - diskFreeBytes)
    actions.push({ kind: 'clean', bytesWanted })
  }
  return { level, isHeld, reason: free, actions }
}

const DISK_ALERTS = {
  low: { code: 'DISK_WARNING', severity: 'medium', what: 'free some space' },
  critical: {
    code: 'DISK_CRITICAL',
    severity: 'critical',
    what: 'new work is held, and what may go is cleaned',
  },
  emergency: {
    code: 'DISK_EMERGENCY',
    severity: 'critical',
    what: 'every agent is stopped; its work is kept',
  },
  normal: { code: 'DISK_RECOVERED', severity: 'low', what: 'there is enough again' },
} as const

function diskAlert(level: HealthMemory['disk'], before: HealthMemory['disk'], free: string): HealthAction[] {
  const isRecovered = level === 'low' && (before === 'critical' || before === 'emergency')
  const { code, severity, what } = DISK_ALERTS[isRecovered ? 'normal' : level]
  return [alert({ code, severity, message: `${free}: ${what}`, agent: null })]
}

function decideMemory(
  { memory: { availableBytes, totalBytes } }: HealthFacts,
  before: HealthMemory,
): Guard<HealthMemory['memory']> {
  const share = totalBytes > 0 ? availableBytes / totalBytes : 1
  const wasHeld = before.holds.includes('memory')
  const level = share < MEMORY_CRITICAL_SHARE ? 'critical' : share < MEMORY_LOW_SHARE ? 'low' : 'normal'
  const isHeld = level === 'critical' || (wasHeld && share < MEMORY_WELL_SHARE)
  const free = `${Math.floor(availableBytes / BYTES_PER_MEGABYTE)} MB of memory are free`
  if (level === before.memory) return { level, isHeld, reason: free, actions: [] }
  const told = {
    critical: { code: 'MEMORY_CRITICAL', severity: 'high', what: 'no agent is added until there is more' },
    low: { code: 'MEMORY_WARNING', severity: 'medium', what: 'fewer agents at once would do it good' },
    normal: { code: 'MEMORY_RECOVERED', severity: 'low', what: 'there is enough again' },
  } as const
  const { code, severity, what } = told[level]
  const actions = [alert({ code, severity, message: `${free}: ${what}`, agent: null })]
  return { level, isHeld, reason: free, actions }
}

function holdActions(
  before: HealthMemory['holds'],
  after: HealthMemory['holds'],
  reasons: readonly string[],
): HealthAction[] {
  if (after.length > 0 && before.length === 0) return [{ kind: 'hold', reason: reasons.join('; ') }]
  return after.length === 0 && before.length > 0 ? [{ kind: 'release' }] : []
}

function sweepOrphan(orphan: Orphan): HealthAction[] {
  const message = `${orphan.processes} processes of ${orphan.agent} were left behind and are ended`
  return [
    alert({ code: 'PROCESS_ORPHANED', severity: 'medium', message, agent: orphan.agent }),
    { kind: 'sweep', orphan },
  ]
}

function alert(told: Alert): HealthAction {
  return { kind: 'alert', alert: told }
}
