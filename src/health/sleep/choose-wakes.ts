import { afterQuiet, type QuietHours } from './quiet-hours.ts'

/** Quotas return within a week; a later reset is an error in the provider's message. */
const RESET_MAX_MS = 8 * 24 * 60 * 60_000

/** An agent that waits for its provider's quota; it keeps its task, its workspace and its claim. */
export interface Sleeper {
  readonly agent: string
  readonly task: string
  /** When its wait began. */
  readonly sinceMs: number
  /** When the provider's quota returns. */
  readonly resetAtMs: number
  /** The score of its task: higher wakes first. */
  readonly priority: number
}

/** When a waiting agent may resume: not before its reset, and not in quiet hours. */
export function wakeAt(nowMs: number, resetAtMs: number, quiet: QuietHours, timeZone?: string): number {
  const credible = resetAtMs <= nowMs + RESET_MAX_MS ? resetAtMs : nowMs
  return afterQuiet(Math.max(nowMs, credible), quiet, timeZone)
}

export interface Wakes {
  readonly wake: readonly Sleeper[]
  /** When to call again, if no agent resumes before; undefined while no agent waits. */
  readonly nextAtMs: number | undefined
}

/**
 * The agents that resume now: of those whose quota is back the ones with the highest priority, of equals the
 * one that waited longest, and no more at a time than `atOnceMax`, so that a returned quota is not spent at
 * once.
 */
export function chooseWakes(
  sleepers: readonly Sleeper[],
  { nowMs, atOnceMax, gapMs, quiet, timeZone }: WakeRules,
): Wakes {
  const due = (sleeper: Sleeper): number => wakeAt(nowMs, sleeper.resetAtMs, quiet, timeZone)
  const ready = sleepers
    .filter((sleeper) => due(sleeper) <= nowMs)
    .toSorted((a, b) => b.priority - a.priority || a.sinceMs - b.sinceMs || a.task.localeCompare(b.task))
  const wake = ready.slice(0, Math.max(0, atOnceMax))
  const later = sleepers.filter((sleeper) => !wake.includes(sleeper))
  const times = later.map((sleeper) => Math.max(due(sleeper), nowMs + gapMs))
  return { wake, nextAtMs: times.length > 0 ? Math.min(...times) : undefined }
}

export interface WakeRules {
  readonly nowMs: number
  readonly atOnceMax: number
  /** Time between two rounds of waking. */
  readonly gapMs: number
  readonly quiet: QuietHours
  readonly timeZone?: string
}
