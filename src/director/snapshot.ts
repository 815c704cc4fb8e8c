import type { CaseId, Instant, Stage } from '../cases/case.ts'
import type { Config } from '../config/schema.ts'
import type { HealthMemory } from '../health/health-facts.ts'
import { isQuiet } from '../health/sleep/quiet-hours.ts'
import type { Weather } from '../integration/weather.ts'
import type { Project } from '../project/document.ts'
import type { View } from './case-view.ts'
import { type Effect, isAgentEffect } from './effect.ts'

/** What is under way under one key. */
export interface AtWork {
  readonly effect: Effect
  readonly slot: number | null
  readonly startedAtMs: number
}

/** How this director works; the same for as long as it runs. */
export interface Rules {
  /** Agents at once. */
  readonly slots: number
  readonly batchMax: number
  /** Tries of the resolver at one conflict. */
  readonly conflictTries: number
  /** Whether work lands here, or on the remote by others. */
  readonly mode: Config['integration']['mode']
  /** Landings between two checkpoints; 0 for none. */
  readonly checkpointEvery: number
  /** How long a conflict waits for a person, and what happens then. */
  readonly escalation: { readonly minutes: number; readonly action: 'defer' | 'skip' | 'retry' | 'notify' }
  readonly commitTypes: readonly string[]
  /** Nobody can be asked: a question takes its default at once. */
  readonly nonInteractive: boolean
  /** Free space at which people are warned, work is held, and agents are stopped. */
  readonly disk: Config['disk']
  readonly budgets: Config['budgets']
  /** When no new work is begun. */
  readonly quietHours: Config['quietHours']
}

/** What the director remembers of its chores from one decision to the next. */
export interface ChoreMemory {
  /** When each chore last ran, by its name; infinite where it is never to run again. */
  readonly ranAtMs: Readonly<Record<string, number>>
  /** Chores that something has asked for since they last ran. */
  readonly wanted: ReadonlySet<string>
  /** The target of record as the remote was last seen to have it; null while it is not known or not agreed on. */
  readonly remoteTarget: string | null
  /** How the pieces of live work would meet, as last seen. */
  readonly weather: Weather
  /** What Max remembers. */
  readonly health: HealthMemory
  /** The version of the view that the progress of the specs was last told from. */
  readonly toldVersion: number
}

/** Everything that a decision rests on. */
export interface Snapshot {
  readonly view: View
  readonly project: Project
  readonly rules: Rules
  readonly memory: ChoreMemory
  readonly atWork: ReadonlyMap<string, AtWork>
  /** Leases that stood when this director began: their agents died with the last one. */
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

/** The hours in which nothing new is begun. */
export function isNight({ rules, nowMs }: Pick<Snapshot, 'rules' | 'nowMs'>): boolean {
  return isQuiet(nowMs, rules.quietHours)
}

const FOR_ALL: readonly string[] = ['person', 'health', 'halt', 'tripwire']

/** A person's pause, his halt of a repair and Max's stop everything; any other only keeps new tasks from being begun. */
export function isHalted({ project: { pause } }: Pick<Snapshot, 'project'>): boolean {
  return pause !== null && FOR_ALL.includes(pause.cause)
}

export function agentsAtWork({ atWork }: Pick<Snapshot, 'atWork'>): number {
  let count = 0
  for (const { effect } of atWork.values()) if (isAgentEffect(effect)) count += 1
  return count
}
