import type { CaseId, Instant, Stage } from '../cases/case.ts'
import type { Config } from '../config/schema.ts'
import type { HealthMemory } from '../health/health-facts.ts'
import { isQuiet } from '../health/sleep/quiet-hours.ts'
import type { Weather } from '../integration/weather.ts'
import type { Project } from '../project/document.ts'
import type { View } from './case-view.ts'
import { type Effect, isAgentEffect } from './effect.ts'

/** The effect that runs under one key. */
export interface AtWork {
  readonly effect: Effect
  readonly slot: number | null
  readonly startedAtMs: number
}

/** How this director works; constant while it runs. */
export interface Rules {
  /** Agents at once. */
  readonly slots: number
  readonly batchMax: number
  /** Tries of the resolver at one conflict. */
  readonly conflictTries: number
  /** Whether work lands here, or by others on the remote. */
  readonly mode: Config['integration']['mode']
  /** Landings between two checkpoints; 0 for none. */
  readonly checkpointEvery: number
  /** How long a conflict waits for a person, and what happens then. */
  readonly escalation: { readonly minutes: number; readonly action: 'defer' | 'skip' | 'retry' | 'notify' }
  readonly commitTypes: readonly string[]
  /** No person can be asked: a question takes its default at once. */
  readonly nonInteractive: boolean
  /** Free space at which people are warned, work is held, and agents are stopped. */
  readonly disk: Config['disk']
  readonly budgets: Config['budgets']
  /** When no new work is begun. */
  readonly quietHours: Config['quietHours']
}

/** What the director remembers of its chores between decisions. */
export interface ChoreMemory {
  /** When each chore last ran, by name; infinite for one that must never run again. */
  readonly ranAtMs: Readonly<Record<string, number>>
  /** Chores that were requested since they last ran. */
  readonly wanted: ReadonlySet<string>
  /** The target of record as last seen on the remote; null while it is unknown or not accepted. */
  readonly remoteTarget: string | null
  /** The last conflict forecast for live work. */
  readonly weather: Weather
  /** The memory of the health check (Max). */
  readonly health: HealthMemory
  /** The version of the view from which the progress of the specs was last written. */
  readonly toldVersion: number
}

/** Everything that a decision rests on. */
export interface Snapshot {
  readonly view: View
  readonly project: Project
  readonly rules: Rules
  readonly memory: ChoreMemory
  readonly atWork: ReadonlyMap<string, AtWork>
  /** Leases that existed when this director began: their agents died with the last one. */
  readonly inherited: ReadonlySet<string>
  /** Keys that failed, and when they may be tried again. */
  readonly resting: ReadonlyMap<string, number>
  readonly nowMs: number
  /** `gently`: nothing new is begun. `now`: agents are being stopped. */
  readonly leaving: 'no' | 'gently' | 'now'
}

export function leaseName(task: CaseId, stage: Stage, fence: number): string {
  return `${task}/${stage}/${fence}`
}

export function instantOf({ nowMs }: Snapshot): Instant {
  return new Date(nowMs).toISOString()
}

export function isFree({ atWork, resting, nowMs }: Snapshot, key: string): boolean {
  return !atWork.has(key) && (resting.get(key) ?? 0) <= nowMs
}

export function freeSlots({ atWork, rules }: Snapshot): number[] {
  const taken = new Set([...atWork.values()].map(({ slot }) => slot))
  return Array.from({ length: rules.slots }, (_, slot) => slot).filter((slot) => !taken.has(slot))
}

/** Whether the quiet hours hold, in which nothing new is started. */
export function isNight({ rules, nowMs }: Pick<Snapshot, 'rules' | 'nowMs'>): boolean {
  return isQuiet(nowMs, rules.quietHours)
}

const FOR_ALL: readonly string[] = ['person', 'health', 'halt', 'tripwire']

/**
 * A pause by a person, by a halted repair, by the health check or by the tripwire stops everything; any other
 * only prevents new tasks.
 */
export function isHalted({ project: { pause } }: Pick<Snapshot, 'project'>): boolean {
  return pause !== null && FOR_ALL.includes(pause.cause)
}

export function agentsAtWork({ atWork }: Pick<Snapshot, 'atWork'>): number {
  let count = 0
  for (const { effect } of atWork.values()) if (isAgentEffect(effect)) count += 1
  return count
}
